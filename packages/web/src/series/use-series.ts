import { useEffect, useState } from "preact/hooks";
import { askPrice, type Price } from "../buy/price.ts";
import { useConsole } from "../use-console.ts";
import { loadSeries, type SeriesAnswer } from "./load-series.ts";
import type { SeriesOrder } from "./series-order.ts";

export type SeriesStatus =
  | { readonly kind: "counting" }
  /** Nothing is charged before the price is confirmed. */
  | { readonly kind: "priced"; readonly price: Price; readonly hasChanged: boolean }
  | { readonly kind: "drawing" }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: unknown };

export interface Series {
  readonly status: SeriesStatus;
  /** The last answer, also while the next one is read. */
  readonly answer: SeriesAnswer | null;
  readonly pay: () => void;
  readonly retry: () => void;
}

/** Asks for the price of a series, and draws it once it is paid; a series that costs nothing is drawn at once. */
export function useSeries(order: SeriesOrder): Series {
  const { calls, credit, tasks } = useConsole();
  const [status, setStatus] = useState<SeriesStatus>({ kind: "counting" });
  const [answer, setAnswer] = useState<SeriesAnswer | null>(null);
  const [agreed, setAgreed] = useState<{ readonly key: string; readonly credits: number } | null>(null);
  const [round, setRound] = useState(0);
  const { mapType, area, sceneIds } = order;
  const key = JSON.stringify([mapType, area, sceneIds]);
  const run = async (signal: AbortSignal): Promise<void> => {
    if (sceneIds.length === 0) return;
    setStatus({ kind: "counting" });
    const price = await askPrice(calls, { sceneIds, mapTypes: [mapType], area }, signal);
    const told = agreed?.key === key ? agreed.credits : 0;
    if (signal.aborted) return;
    if (price.credits !== told && price.credits > 0) {
      return setStatus({ kind: "priced", price, hasChanged: agreed?.key === key });
    }
    setStatus({ kind: "drawing" });
    tasks.look();
    const read = await loadSeries(calls, order, price.credits > 0, signal);
    if (signal.aborted) return;
    setAnswer(read);
    setStatus({ kind: "done" });
    tasks.look();
    if (price.credits > 0) credit.value = (await calls.call("/credits/get-remaining-credit")).remainingCredit;
  };
  useEffect(() => {
    const abort = new AbortController();
    run(abort.signal).catch((error: unknown) => {
      if (!abort.signal.aborted) setStatus({ kind: "failed", error });
    });
    return () => abort.abort();
  }, [key, agreed, round]);
  return {
    status,
    answer,
    pay: () => {
      if (status.kind === "priced") setAgreed({ key, credits: status.price.credits });
    },
    retry: () => setRound(round + 1),
  };
}
