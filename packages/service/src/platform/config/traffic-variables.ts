import { integerVariable, type Variable } from "./variable.ts";

/** Settings that bound what one caller holds of the HTTP server. */
export const trafficVariables = {
  maxConnections: integerVariable({
    name: "SWATH_MAX_CONNECTIONS",
    default: 5_000,
    min: 10,
    max: 1_000_000,
    description:
      "Most open connections; keep it below the limit of open files. Beyond, the service closes a connection that " +
      "waits for its client: the oldest of the caller with the most.",
  }),
  maxRequests: integerVariable({
    name: "SWATH_MAX_REQUESTS",
    default: 1_000,
    min: 1,
    max: 100_000,
    description:
      "Most requests of all callers that are worked on at once. A caller below the equal share never waits for it.",
  }),
  requestsPerCaller: integerVariable({
    name: "SWATH_REQUESTS_PER_CALLER",
    default: 100,
    min: 1,
    max: 100_000,
    description: "Most requests of one caller, a user or else an address, that are worked on at once; others wait.",
  }),
  queuedRequestsPerCaller: integerVariable({
    name: "SWATH_QUEUED_REQUESTS_PER_CALLER",
    default: 500,
    min: 0,
    max: 100_000,
    description: "Most requests of one caller that wait, for ten seconds each; further ones get 429 and Retry-After.",
  }),
  longPollsPerCaller: integerVariable({
    name: "SWATH_LONG_POLLS_PER_CALLER",
    default: 500,
    min: 0,
    max: 100_000,
    description: "Most answers of one caller that are held back by `waitSeconds`; further ones come at once.",
  }),
  bodyMbPerCaller: integerVariable({
    name: "SWATH_BODY_MB_PER_CALLER",
    default: 256,
    min: 16,
    max: 65_536,
    description:
      "Memory for JSON bodies of one caller, MiB, four times this for all. The oldest body that is still arriving " +
      "gives way with 429.",
  }),
  headerSeconds: integerVariable({
    name: "SWATH_HEADER_SECONDS",
    default: 10,
    min: 1,
    max: 3_600,
    description: "Time for the headers of a request; then 408, and the connection is closed.",
  }),
  bodySeconds: integerVariable({
    name: "SWATH_BODY_SECONDS",
    default: 10,
    min: 1,
    max: 3_600,
    description:
      "Time for a whole body of up to 64 KiB, and for the first pause of a larger one; then 408, and the connection " +
      "is closed.",
  }),
  stallSeconds: integerVariable({
    name: "SWATH_STALL_SECONDS",
    default: 60,
    min: 1,
    max: 3_600,
    description: "Longest pause of a client that uploads or reads an answer; then its connection is closed.",
  }),
  minBytesPerSecond: integerVariable({
    name: "SWATH_MIN_BYTES_PER_SECOND",
    default: 4_096,
    min: 1,
    max: 1_000_000_000,
    description: "Least rate, on average, of a client that uploads or reads an answer.",
  }),
} as const;

const MIB = 1024 * 1024;

export interface TrafficSettings {
  readonly maxConnections: number;
  readonly workInAll: number;
  readonly workPerCaller: number;
  readonly queuedPerCaller: number;
  readonly waitsPerCaller: number;
  readonly bodyBytesPerCaller: number;
  readonly bodyBytesInAll: number;
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly stallMs: number;
  readonly minBytesPerSecond: number;
}

export function trafficSettings(read: <Value>(variable: Variable<Value>) => Value): TrafficSettings {
  const v = trafficVariables;
  const bodyBytesPerCaller = read(v.bodyMbPerCaller) * MIB;
  return {
    maxConnections: read(v.maxConnections),
    workInAll: read(v.maxRequests),
    workPerCaller: read(v.requestsPerCaller),
    queuedPerCaller: read(v.queuedRequestsPerCaller),
    waitsPerCaller: read(v.longPollsPerCaller),
    bodyBytesPerCaller,
    bodyBytesInAll: 4 * bodyBytesPerCaller,
    headersMs: read(v.headerSeconds) * 1_000,
    bodyMs: read(v.bodySeconds) * 1_000,
    stallMs: read(v.stallSeconds) * 1_000,
    minBytesPerSecond: read(v.minBytesPerSecond),
  };
}
