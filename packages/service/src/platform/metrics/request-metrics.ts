import type { MetricFamily } from "./exposition.ts";

/** Upper bounds of the durations, seconds: from an answer from memory to a body that arrives slowly. */
const BOUNDS_S = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60] as const;

interface Counted {
  readonly byStatus: Map<number, number>;
  /** Requests up to each bound and beyond the one before; the last is beyond all bounds. */
  readonly byDuration: number[];
  sumS: number;
}

/** Counts of answered requests since the start of the process. */
export interface RequestMetrics {
  /** @param operation path of the route, with the names of its parameters; null for an address without a route */
  record(operation: string | null, status: number, durationS: number): void;
  families(): readonly MetricFamily[];
}

/** Series are as many as operations times statuses, and operations times bounds: no request adds an operation. */
export function createRequestMetrics(): RequestMetrics {
  const operations = new Map<string, Counted>();
  return {
    record(operation, status, durationS) {
      const counted = countedOf(operations, operation ?? "none");
      counted.byStatus.set(status, (counted.byStatus.get(status) ?? 0) + 1);
      const at = BOUNDS_S.findIndex((boundS) => durationS <= boundS);
      const bucket = at === -1 ? BOUNDS_S.length : at;
      counted.byDuration[bucket] = (counted.byDuration[bucket] ?? 0) + 1;
      counted.sumS += durationS;
    },
    families: () => [requestsFamily(operations), durationsFamily(operations)],
  };
}

function countedOf(operations: Map<string, Counted>, operation: string): Counted {
  const known = operations.get(operation);
  if (known !== undefined) return known;
  const counted = {
    byStatus: new Map<number, number>(),
    byDuration: Array<number>(BOUNDS_S.length + 1).fill(0),
    sumS: 0,
  };
  operations.set(operation, counted);
  return counted;
}

function requestsFamily(operations: ReadonlyMap<string, Counted>): MetricFamily {
  return {
    name: "swath_http_requests_total",
    help: "Requests answered, by operation and status.",
    type: "counter",
    samples: [...operations].flatMap(([operation, { byStatus }]) =>
      [...byStatus].map(([status, value]) => ({ labels: { operation, status: String(status) }, value })),
    ),
  };
}

function durationsFamily(operations: ReadonlyMap<string, Counted>): MetricFamily {
  return {
    name: "swath_http_request_duration_seconds",
    help: "Time from the headers of a request to the end of its answer, by operation.",
    type: "histogram",
    samples: [...operations].flatMap(([operation, { byDuration, sumS }]) => {
      let below = 0;
      const buckets = byDuration.map((count, at) => {
        below += count;
        const le = at < BOUNDS_S.length ? String(BOUNDS_S[at]) : "+Inf";
        return { suffix: "_bucket", labels: { operation, le }, value: below };
      });
      return [
        ...buckets,
        { suffix: "_sum", labels: { operation }, value: sumS },
        { suffix: "_count", labels: { operation }, value: below },
      ];
    }),
  };
}
