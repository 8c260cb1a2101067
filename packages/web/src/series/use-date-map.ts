import { useEffect, useState } from "preact/hooks";
import { askPrice, makeMaps, type Price } from "../buy/price.ts";
import { useConsole } from "../use-console.ts";

/** A map of one date that can be made. */
export interface DateMap {
  /** Null while it is asked for. */
  readonly price: Price | null;
  readonly hasChanged: boolean;
  readonly isMaking: boolean;
  readonly make: () => void;
}

/** The price of the map of a scene over the searched area, and how to make it; nothing is asked without a scene. */
export function useDateMap(sceneId: string | null, mapType: string): DateMap {
  const { calls, area, attempt, layers, credit, tasks } = useConsole();
  const [price, setPrice] = useState<Price | null>(null);
  const [hasChanged, setChanged] = useState(false);
  const [isMaking, setMaking] = useState(false);
  const { value: geometry } = area;
  useEffect(() => {
    setPrice(null);
    setChanged(false);
    if (sceneId === null || geometry === null) return undefined;
    const abort = new AbortController();
    const order = { sceneIds: [sceneId], mapTypes: [mapType], area: geometry };
    attempt(async () => {
      try {
        setPrice(await askPrice(calls, order, abort.signal));
      } catch (error) {
        if (!abort.signal.aborted) throw error;
      }
    });
    return () => abort.abort();
  }, [sceneId, mapType, geometry]);
  const run = async (): Promise<void> => {
    if (sceneId === null || geometry === null || price === null) return;
    const order = { sceneIds: [sceneId], mapTypes: [mapType], area: geometry };
    const now = await askPrice(calls, order, new AbortController().signal);
    if (now.credits !== price.credits) {
      setPrice(now);
      return setChanged(true);
    }
    tasks.look();
    const { maps, failed } = await makeMaps(calls, order, price.credits);
    credit.value = (await calls.call("/credits/get-remaining-credit")).remainingCredit;
    tasks.look();
    await layers.add(maps);
    const [problem] = failed;
    if (problem !== undefined) throw new Error(`${problem.mapType}: ${problem.errorMessage}`);
  };
  return {
    price,
    hasChanged,
    isMaking,
    make: () => {
      setMaking(true);
      attempt(async () => run().finally(() => setMaking(false)));
    },
  };
}
