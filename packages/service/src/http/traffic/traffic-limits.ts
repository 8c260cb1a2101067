/** Bounds on the shares of callers in the HTTP server, and on the time they take. A caller is a user, or an address. */
export interface TrafficLimits {
  /** Requests of one caller that are worked on at once. */
  readonly workPerCaller: number;
  /** Requests of all callers that are worked on at once; a caller below the equal share has a place all the same. */
  readonly workInAll: number;
  /** Requests of one caller that wait for a place; further ones get 429. */
  readonly queuedPerCaller: number;
  /** Longest wait for a place, milliseconds. */
  readonly queuedMs: number;
  /** Answers of one caller that are held back until a pipeline ends; further requests are answered at once. */
  readonly waitsPerCaller: number;
  readonly waitsInAll: number;
  /** Bodies of one caller that are arriving; the oldest gives way to a further one. */
  readonly bodiesPerCaller: number;
  /** Bytes of bodies that requests of one caller keep in memory. */
  readonly bodyBytesPerCaller: number;
  readonly bodyBytesInAll: number;
  /** Time for the headers of a request, milliseconds. */
  readonly headersMs: number;
  /** Time for a whole small body, and for the first pause of a large one, milliseconds. */
  readonly bodyMs: number;
  /** Longest pause of a client that sends a large body or reads an answer, milliseconds. */
  readonly stallMs: number;
  /** Least rate of such a client. */
  readonly minBytesPerSecond: number;
  /** Open connections; beyond, one that waits for its client is closed for a new one. */
  readonly maxConnections: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_TRAFFIC_LIMITS: TrafficLimits = {
  workPerCaller: 100,
  workInAll: 1_000,
  queuedPerCaller: 500,
  queuedMs: 10_000,
  waitsPerCaller: 500,
  waitsInAll: 2_000,
  bodiesPerCaller: 1_000,
  bodyBytesPerCaller: 256 * MIB,
  bodyBytesInAll: 1_024 * MIB,
  headersMs: 10_000,
  bodyMs: 10_000,
  stallMs: 60_000,
  minBytesPerSecond: 4_096,
  maxConnections: 5_000,
};
