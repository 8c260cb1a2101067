import { EventEmitter, once } from "node:events";
import { Client } from "pg";
import { sleep } from "@swath/base/concurrency/sleep";
import type { Log } from "@swath/base/log/log";

/** Notifications that other processes send through the database. */
export interface Listening extends AsyncDisposable {
  /** Calls back with the payload of each notification. Returns how to stop. */
  onNotification(channel: string, listener: (payload: string) => void): () => void;
  /** Calls back at each new connection: notifications may have been lost before it. Returns how to stop. */
  onReconnected(listener: () => void): () => void;
  /**
   * Whether every notification of a transaction has arrived that was committed more than a second ago. False while
   * the server cannot be reached or does not answer.
   */
  isCurrent(): boolean;
}

const LONGEST_BACKOFF_MS = 5_000;
const BEAT_INTERVAL_MS = 300;
/** A connection that leaves a heartbeat unanswered for so long is given up. */
const BEAT_TIMEOUT_MS = 5_000;
const CURRENT_MS = 1_000;
/** A server that says nothing leaves a farewell unanswered too. */
const FAREWELL_MS = 500;

interface Events {
  /** The channel and the payload. */
  readonly notification: [string, string];
  readonly reconnected: [];
}

interface State {
  readonly emitter: EventEmitter<Events>;
  /**
   * When the last heartbeat that was answered was sent, on the clock of `performance.now()`. The server delivers
   * notifications and answers in order, so by then every earlier notification has arrived.
   */
  confirmedAtMs: number;
}

/** Starts listening; connects, and connects again after a loss, in the background. */
export function openListening(url: string, channels: readonly string[], log: Log): Listening {
  const stopping = new AbortController();
  const state: State = { emitter: new EventEmitter<Events>(), confirmedAtMs: Number.NEGATIVE_INFINITY };
  // One listener for each caller in a long poll, besides the workers.
  state.emitter.setMaxListeners(0);
  const listening = keepListening(url, channels, { state, stopping: stopping.signal, log });

  return {
    onNotification(channel, listener) {
      const forward = (from: string, payload: string): void => {
        if (from === channel) listener(payload);
      };
      state.emitter.on("notification", forward);
      return () => state.emitter.off("notification", forward);
    },
    onReconnected(listener) {
      state.emitter.on("reconnected", listener);
      return () => state.emitter.off("reconnected", listener);
    },
    isCurrent: () => performance.now() - state.confirmedAtMs < CURRENT_MS,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await listening;
    },
  };
}

async function keepListening(
  url: string,
  channels: readonly string[],
  { state, stopping, log }: { readonly state: State; readonly stopping: AbortSignal; readonly log: Log },
): Promise<void> {
  let backoffMs = 100;
  while (!stopping.aborted) {
    const client = new Client({
      connectionString: url,
      application_name: "swath signals",
      keepAlive: true,
      connectionTimeoutMillis: BEAT_TIMEOUT_MS,
      query_timeout: BEAT_TIMEOUT_MS,
    });
    const ended = new AbortController();
    client.on("error", () => ended.abort());
    client.on("end", () => ended.abort());
    client.on("notification", ({ channel, payload = "" }) => state.emitter.emit("notification", channel, payload));
    try {
      await client.connect();
      await client.query(channels.map((channel) => `listen ${client.escapeIdentifier(channel)}`).join("; "));
      backoffMs = 100;
      // Something may have been said while nobody listened.
      state.emitter.emit("reconnected");
      await beat(client, state, AbortSignal.any([ended.signal, stopping]));
      if (!stopping.aborted) log.warn({}, "the listening database connection was lost");
    } catch (error) {
      if (!stopping.aborted) log.warn({ err: error, backoffMs }, "the listening database connection failed");
    }
    state.confirmedAtMs = Number.NEGATIVE_INFINITY;
    await close(client);
    await sleep(backoffMs, stopping);
    backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
  }
}

/** Asks for an answer again and again, until the signal aborts. @throws when the server leaves one out */
async function beat(client: Client, state: State, until: AbortSignal): Promise<void> {
  const aborted = until.aborted ? Promise.resolve() : once(until, "abort");
  while (!until.aborted) {
    const sentAtMs = performance.now();
    // The empty statement costs the server neither parsing nor planning.
    await Promise.race([client.query(""), aborted]);
    if (until.aborted) return;
    state.confirmedAtMs = sentAtMs;
    await sleep(BEAT_INTERVAL_MS, until);
  }
}

async function close(client: Client): Promise<void> {
  const answered = new AbortController();
  const farewell = client.end().catch(() => {});
  await Promise.race([farewell, sleep(FAREWELL_MS, answered.signal)]);
  answered.abort();
  client.connection.stream.destroy();
}
