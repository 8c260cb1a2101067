import { useEffect, useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { useConsole } from "../use-console.ts";

export type Followed = Awaited<ReturnType<typeof readOrder>>;
export type Capture = Followed["captures"][number];

const BUSY_PAUSE_MS = 2_000;
const OPEN = new Set(["RECEIVED", "PENDING", "IN_PROGRESS"]);

/** An order, read again until it has ended; its captures until they are published or failed. */
export function useOrder(orderId: string) {
  const { calls, session, credit } = useConsole();
  const [followed, setFollowed] = useState<Followed | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [looks, setLooks] = useState(0);
  const isSignedIn = session.state.value.kind === "signed-in";
  const status = followed?.order.status;
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const abort = new AbortController();
    let isCancelling = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const look = async (): Promise<void> => {
      try {
        const read = await readOrder(calls, { orderId, forceRefresh: isCancelling }, abort.signal);
        isCancelling = read.order.cancellation.requestedTime !== null;
        setProblem(null);
        setFollowed(read);
        if (isMoving(read)) timer = setTimeout(() => void look(), BUSY_PAUSE_MS);
      } catch (error) {
        if (!abort.signal.aborted) setProblem(error);
      }
    };
    void look();
    return () => {
      abort.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [orderId, isSignedIn, looks]);
  useEffect(() => {
    // Each change of the status may hold, charge or return credit.
    if (status === undefined) return;
    calls.call("/credits/get-remaining-credit").then(({ remainingCredit }) => {
      credit.value = remainingCredit;
    }, setProblem);
  }, [status]);
  return { followed, problem, lookAgain: () => setLooks(looks + 1) };
}

function isMoving({ order, captures }: Followed): boolean {
  return OPEN.has(order.status) || captures.some((one) => one.status === "QUEUED" || one.status === "PROCESSING");
}

interface Look {
  readonly orderId: string;
  /** Asks the provider first: a cancellation that was requested is confirmed sooner. */
  readonly forceRefresh: boolean;
}

async function readOrder(calls: Client, { orderId, forceRefresh }: Look, signal: AbortSignal) {
  const [order, { results: captures }] = await Promise.all([
    calls.call("/scene-tasking/order/get", { orderId, forceRefresh }, { signal }),
    calls.call("/scene-tasking/captures/list", { orderId }, { signal }),
  ]);
  return { order, captures };
}
