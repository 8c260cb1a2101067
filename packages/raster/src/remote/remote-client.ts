import { ServiceError } from "@swath/kernel/errors/service-error";
import { RasterError } from "../raster-error.ts";
import { CertificateError } from "@swath/base/certificate-error";
import type { Clock } from "@swath/base/clock";
import { sleep } from "@swath/base/concurrency/sleep";
import { type Log, silentLog } from "@swath/base/log/log";
import type { CircuitBreaker } from "./circuit-breaker.ts";
import { HostBreakers } from "./host-breakers.ts";
import { displayUrl } from "./host-rules.ts";
import { type HttpRequest, type HttpResponse, type HttpTransport, RefusedAddressError } from "./http-transport.ts";
import { Slots } from "./slots.ts";

/** Timers of the client; tests pass controlled ones. */
export interface Timers {
  /** Waits; returns early when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** A signal that aborts after the time. */
  deadline(ms: number): AbortSignal;
}

export const systemTimers: Timers = {
  wait: (ms, signal) => sleep(ms, signal),
  deadline: (ms) => AbortSignal.timeout(ms),
};

export interface RemoteClientOptions {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly timers?: Timers;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: () => number;
  readonly log?: Log;
  /** Tries of one request, the first included. */
  readonly attempts?: number;
  /** Until the whole answer of one try is there. */
  readonly timeoutMs?: number;
  /** Requests under way to one host. */
  readonly concurrency?: number;
  /** Shared with other clients of the same hosts; separate by default. */
  readonly breakers?: HostBreakers;
}

export interface RemoteRequest {
  readonly method?: HttpRequest["method"];
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBytes: number;
  /** Looks at the answer; throwing `Retry` makes it count as a failed try. */
  readonly accept?: (response: HttpResponse) => void;
}

/** An answer that is wrong in a way that another try may mend. */
export class Retry extends Error {
  override readonly name = "Retry";
  /** Reason of the error when no try is left. */
  readonly reason: "unreachable" | "unreadable";

  constructor(message: string, reason: "unreachable" | "unreadable" = "unreachable") {
    super(message);
    this.reason = reason;
  }
}

export interface RemoteClient {
  /**
   * The answer to a request that may be repeated. Failing tries (no answer in time, broken connections, 408, 429, 5xx)
   * are repeated with growing, random pauses, or those that Retry-After asks for. Other statuses are the caller's.
   *
   * @throws {RasterError} unreachable when no try succeeded, or at once while the host's breaker is open
   */
  send(request: RemoteRequest, signal: AbortSignal): Promise<HttpResponse>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** A host that wants to be left alone for longer than this is reported instead of waited for. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Hosts that places are kept for; the allow-list keeps it small, wildcards aside. */
const MAX_HOSTS = 1000;

interface Failure {
  readonly message: string;
  readonly reason: "unreachable" | "unreadable";
  readonly retryAfterMs: number | null;
  /** Whether the host itself is in trouble; one that limits the rate of requests is not. */
  readonly countsAgainstHost: boolean;
  readonly cause?: unknown;
}

/** The options of a client with everything filled in, and the places at each host. */
interface Client extends Required<Omit<RemoteClientOptions, "breakers">> {
  readonly breakers: HostBreakers;
  readonly hosts: Map<string, Slots>;
}

export function createRemoteClient(options: RemoteClientOptions): RemoteClient {
  const client: Client = {
    timers: systemTimers,
    random: Math.random,
    log: silentLog,
    attempts: 4,
    timeoutMs: 30_000,
    concurrency: 8,
    breakers: new HostBreakers({ clock: options.clock }),
    ...options,
    hosts: new Map(),
  };
  return { send: (request, signal) => send(client, request, signal) };
}

async function send(client: Client, request: RemoteRequest, signal: AbortSignal): Promise<HttpResponse> {
  const { attempts, log, random, timers } = client;
  const breaker = client.breakers.of(request.url);
  const slots = slotsOf(client, request.url);
  for (let tried = 1; ; tried++) {
    const outcome = await slots.run(signal, () => admitted(client, request, breaker, signal));
    if ("status" in outcome) return outcome;
    const pauseMs = outcome.retryAfterMs ?? backoffMs(tried, random());
    const last = tried >= attempts || pauseMs > LONGEST_RETRY_AFTER_MS || breaker.state === "open";
    log.debug(
      { url: displayUrl(request.url), tried, pauseMs: last ? null : pauseMs },
      `remote host ${outcome.message}`,
    );
    if (last) throw exhausted(request.url, outcome, tried);
    await timers.wait(pauseMs, signal);
    signal.throwIfAborted();
  }
}

function slotsOf({ hosts, concurrency }: Client, url: URL): Slots {
  const found = hosts.get(url.host);
  if (found !== undefined) return found;
  if (hosts.size >= MAX_HOSTS) hosts.clear();
  const slots = new Slots(concurrency);
  hosts.set(url.host, slots);
  return slots;
}

/** One try, if the breaker of the host lets it through; the breaker learns the outcome. */
async function admitted(
  client: Client,
  request: RemoteRequest,
  breaker: CircuitBreaker,
  signal: AbortSignal,
): Promise<HttpResponse | Failure> {
  const admission = breaker.admit();
  if (!admission.admitted) throw openBreaker(request.url, admission.retryInMs);
  try {
    const result = await attempt(client, request, signal);
    if ("status" in result || !result.countsAgainstHost) breaker.succeeded();
    else breaker.failed();
    return result;
  } catch (error) {
    breaker.abandoned();
    throw error;
  }
}

/** One try: the answer, or the failure. Throws errors that no further try can mend. */
async function attempt(client: Client, request: RemoteRequest, signal: AbortSignal): Promise<HttpResponse | Failure> {
  const { transport, timers, timeoutMs, clock } = client;
  const deadline = timers.deadline(timeoutMs);
  try {
    const response = await transport({
      method: request.method ?? "GET",
      url: request.url,
      maxBytes: request.maxBytes,
      signal: AbortSignal.any([signal, deadline]),
      ...(request.headers === undefined ? {} : { headers: request.headers }),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    if (TRANSIENT.has(response.status)) {
      return {
        message: `answered ${response.status}`,
        reason: "unreachable",
        retryAfterMs: retryAfterMs(response.headers["retry-after"], clock),
        countsAgainstHost: response.status !== 429,
      };
    }
    request.accept?.(response);
    return response;
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ServiceError) throw cause;
    if (cause instanceof RefusedAddressError) {
      throw new RasterError("unreachable", `${displayUrl(request.url)} may not be asked: ${cause.message}`, { cause });
    }
    if (cause instanceof CertificateError) {
      throw new RasterError("unreachable", `${displayUrl(request.url)} may not be asked: ${cause.message}`, { cause });
    }
    if (cause instanceof Retry) {
      return { message: cause.message, reason: cause.reason, retryAfterMs: null, countsAgainstHost: true, cause };
    }
    const message = deadline.aborted ? `did not answer within ${timeoutMs} ms` : `failed: ${reasonOf(cause)}`;
    return { message, reason: "unreachable", retryAfterMs: null, countsAgainstHost: true, cause };
  }
}

/** Half of a bound that doubles with every try, and a random part of the other half. */
function backoffMs(tried: number, random: number): number {
  return Math.ceil(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tried) * (0.5 + random / 2));
}

/** Seconds or an HTTP date; null when absent or nonsense. */
function retryAfterMs(value: string | undefined, clock: Clock): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - clock.now().getTime());
}

function exhausted(url: URL, failure: Failure, tried: number): RasterError {
  const tries = tried === 1 ? "one try" : `${tried} tries`;
  return new RasterError(failure.reason, `${displayUrl(url)} ${failure.message}, after ${tries}`, {
    ...(failure.cause === undefined ? {} : { cause: failure.cause }),
    ...(failure.retryAfterMs === null ? {} : { retryAfterS: seconds(failure.retryAfterMs) }),
  });
}

function openBreaker(url: URL, retryInMs: number): RasterError {
  return new RasterError(
    "unreachable",
    `${url.host} has failed again and again and is left alone for another ${seconds(retryInMs)} s`,
    { retryAfterS: seconds(retryInMs) },
  );
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** Codes such as ECONNREFUSED say it all; messages of sockets may hold addresses with queries. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown reason";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : null;
  return code ?? cause.message.slice(0, 200);
}
