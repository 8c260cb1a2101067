import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PassWindow } from "@swath/kernel/tasking/pass-window";
import {
  endThreads,
  geometryThreads,
  runInThread,
  TooEntangledError,
  type GeometryThreads,
  type GeometryThreadsOptions,
} from "./geometry-threads.ts";
import type { FailedSatellite, PassAnswer, PassQuery } from "./pass-query.ts";

/** Windows of satellites over areas, computed in threads. */
export interface PassSearch extends AsyncDisposable {
  /**
   * Windows of all satellites, ascending by start. Callers take turns between a few satellites.
   *
   * @throws {RangeError} when the area is empty or longer than 2,000 km
   * @throws {ServiceError} TOO-MANY-REQUESTS or SERVICE-UNAVAILABLE when too many searches wait or one takes too long
   */
  find(query: PassQuery, signal: AbortSignal): Promise<PassAnswer>;
}

const DAY_MS = 86_400_000;
/** Days of satellites that one turn of a caller follows: about 50 ms, in the worst case half a second. */
const TURN_DAYS = 120;
/** A turn of one satellite over 60 days and the largest area stays below it on a machine ten times slower. */
const TURN_TIMEOUT_MS = 10_000;

/** Starts no thread before one is needed. */
export function createPassSearch(options: Partial<GeometryThreadsOptions> = {}): PassSearch {
  const pool = geometryThreads({ timeoutMs: TURN_TIMEOUT_MS, ...options });
  return { find: (query, signal) => find(pool, query, signal), [Symbol.asyncDispose]: () => endThreads(pool) };
}

async function find(pool: GeometryThreads, query: PassQuery, signal: AbortSignal): Promise<PassAnswer> {
  const perTurn = Math.max(1, Math.floor((TURN_DAYS * DAY_MS) / Math.max(query.toMs - query.fromMs, DAY_MS)));
  const windows: PassWindow[] = [];
  const failed: FailedSatellite[] = [];
  for (let first = 0; first < query.satellites.length; first += perTurn) {
    const satellites = query.satellites.slice(first, first + perTurn);
    const answer = await inTime(runInThread(pool, "passes", { ...query, satellites }, signal));
    windows.push(...answer.windows);
    failed.push(...answer.failed);
  }
  return { windows: windows.toSorted((a, b) => a.startMs - b.startMs), failed };
}

async function inTime<Output>(output: Promise<Output>): Promise<Output> {
  try {
    return await output;
  } catch (cause) {
    if (!(cause instanceof TooEntangledError)) throw cause;
    throw new ServiceError("SERVICE-UNAVAILABLE", "the windows take too long to compute; try again later", {
      cause,
      retryAfterS: 10,
    });
  }
}
