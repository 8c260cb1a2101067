import { isGranted } from "@swath/kernel/permissions/permission";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { EventType } from "@swath/kernel/events/event-type";
import type { Caller, Db } from "../../platform/context.ts";
import { readEventPage } from "../../platform/events/read-events.ts";
import type { EventFeed } from "./event-feed.ts";
import { eventMessage } from "./shown-event.ts";

export interface EventStreamDeps {
  readonly db: Db;
  readonly feed: Pick<EventFeed, "onEvents">;
  /** Time between comments that keep the connection open. */
  readonly heartbeatMs: number;
}

export interface EventStreamRequest {
  /** Position behind which the stream begins. */
  readonly after: number;
  readonly types: readonly EventType[];
  /** All unless given. */
  readonly subject?: string | undefined;
  /** The caller with rights as they are now. @throws {ServiceError} when the credential has ended */
  readonly authenticate: () => Promise<Caller>;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

const PERMISSION = "events.stream";
/** Events are read while the client takes them: a slow one holds no more than this. */
const PAGE = 50;
const RETRY_MS = 2_000;

/** Messages of events, until the credential or the signal ends. Each message is whole. */
export async function* eventStream(deps: EventStreamDeps, request: EventStreamRequest): AsyncGenerator<string> {
  const { signal, subject, types } = request;
  let position = request.after;
  // Without an event, a client that connects again goes on from here all the same.
  yield `retry: ${RETRY_MS}\nid: ${position}\n\n`;
  while (!signal.aborted) {
    const caller = await callerNow(request);
    if (caller instanceof ServiceError) {
      yield `event: end\ndata: ${JSON.stringify({ error: caller.code, errorMessage: caller.message })}\n\n`;
      return;
    }
    using waiting = wait(deps, caller, signal);
    const page = await readEventPage(deps.db, { reader: caller, after: position, types, subject, limit: PAGE });
    position = page.reached;
    if (page.events.length > 0) {
      yield page.events.map(eventMessage).join("");
    } else if (!page.isCut && (await waiting.woken) === "silence") {
      // A client that connects again does not look through the events of others once more.
      yield `: nothing new\nid: ${position}\n\n`;
    }
  }
}

async function callerNow({ authenticate }: EventStreamRequest): Promise<Caller | ServiceError> {
  try {
    const caller = await authenticate();
    if (isGranted(caller.permissions, PERMISSION)) return caller;
    return new ServiceError("NOT-AUTHORIZED", `This needs the permission ${PERMISSION}`);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

interface Waiting extends Disposable {
  readonly woken: Promise<"events" | "silence" | "end">;
}

/** Waits from now on, so that an event between a look and its end wakes too. */
function wait({ feed, heartbeatMs }: EventStreamDeps, caller: Caller, signal: AbortSignal): Waiting {
  const { promise, resolve } = Promise.withResolvers<"events" | "silence" | "end">();
  const stop = feed.onEvents(caller, () => resolve("events"));
  const timer = setTimeout(resolve, heartbeatMs, "silence");
  const end = (): void => resolve("end");
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  return {
    woken: promise,
    [Symbol.dispose]() {
      stop();
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    },
  };
}
