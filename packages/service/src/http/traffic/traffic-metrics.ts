import { single, type MetricFamily } from "../../platform/metrics/exposition.ts";
import type { Traffic } from "./traffic.ts";

/** What callers hold at present, all together. */
export function trafficMetrics({ connections, places, waits }: Traffic): readonly MetricFamily[] {
  const waiting = [...places.waiting.values()].reduce((sum, waiters) => sum + waiters.size, 0);
  return [
    single("gauge", "swath_http_connections", "Open connections.", connections.open.size),
    single("gauge", "swath_http_requests_in_work", "Requests that hold a place.", places.shares.total),
    single("gauge", "swath_http_requests_waiting", "Requests that wait for a place.", waiting),
    single("gauge", "swath_http_answers_held", "Answers that are held back until a pipeline ends.", waits.total),
  ];
}
