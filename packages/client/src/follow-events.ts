import { ApiError } from "./api-error.ts";
import type { ServerMessage } from "./server-messages.ts";
import { readMessages } from "./server-messages.ts";
import { wait } from "./wait.ts";

/** An event of the caller, their group or organisation. */
export interface SwathEvent {
  /** The same in every delivery. */
  readonly id: string;
  /** Place in the order of all events, to go on after. */
  readonly position: number;
  /** Such as `pipeline.resolved`. */
  readonly type: string;
  readonly subject: string;
  /** ISO 8601 date-time, UTC. */
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface FollowOptions {
  /** Position to go on after; now unless given, 0 for all that is kept. */
  readonly after?: number;
  /** All types unless given. */
  readonly types?: readonly string[];
  /** All subjects unless given. */
  readonly subject?: string;
  /** Ends the events without an error. */
  readonly signal?: AbortSignal;
}

/** Opens the stream with this query and these headers. @throws {ApiError} when the service refuses */
export type OpenStream = (
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Response>;

const RETRY_MS = 2_000;

/**
 * Events as they happen, without end. A connection that breaks, or ends with its token, is opened again behind the last
 * event, so that none is skipped.
 *
 * @throws {ApiError} when the service refuses, for instance without the permission
 */
export async function* followEvents(open: OpenStream, options: FollowOptions = {}): AsyncGenerator<SwathEvent> {
  const ending = new AbortController();
  const signal = options.signal === undefined ? ending.signal : AbortSignal.any([options.signal, ending.signal]);
  const { subject, types } = options;
  const query = {
    ...(types === undefined ? {} : { types: types.join(",") }),
    ...(subject === undefined ? {} : { subject }),
  };
  let lastId = options.after === undefined ? null : String(options.after);
  try {
    while (!signal.aborted) {
      const headers = lastId === null ? {} : { "last-event-id": lastId };
      const answer = await opened(open(query, headers, signal), signal, lastId !== null);
      for await (const message of answer === null ? [] : untilBroken(answer)) {
        if (message.event !== undefined && message.event !== "end") yield JSON.parse(message.data ?? "") as SwathEvent;
        // Noted when the caller comes for the next one: an event in work is sent again.
        lastId = message.id ?? lastId;
      }
      // An abort ends the wait, and the loop.
      await wait(RETRY_MS, signal).catch(() => {});
    }
  } finally {
    ending.abort();
  }
}

/** Null when the signal aborts, and when a service that has answered before cannot be reached. */
async function opened(answer: Promise<Response>, signal: AbortSignal, hasAnswered: boolean): Promise<Response | null> {
  try {
    return await answer;
  } catch (error) {
    if (signal.aborted || (hasAnswered && !(error instanceof ApiError))) return null;
    throw error;
  }
}

/** Messages until the connection ends, in whichever way. */
async function* untilBroken(answer: Response): AsyncGenerator<ServerMessage> {
  const messages = readMessages(answer);
  try {
    for (;;) {
      const next = await messages.next().catch(() => null);
      if (next === null || next.done === true) return;
      yield next.value;
    }
  } finally {
    await messages.return(undefined).catch(() => {});
  }
}
