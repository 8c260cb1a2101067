import { Readable } from "node:stream";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { EventList, EventListRequest } from "@swath/contract/features/events/contract";
import type { Caller, Db, FileRequest, RequestContext } from "../../platform/context.ts";
import type { FileAnswer } from "../../platform/sent-file.ts";
import type { EventSignals } from "../../platform/events/event-signals.ts";
import { lastPosition, readEventPage } from "../../platform/events/read-events.ts";
import type { Identity } from "../../platform/identity/identity.ts";
import type { EventFeed } from "./event-feed.ts";
import { eventStream } from "./event-stream.ts";
import { shownEvent } from "./shown-event.ts";
import { requestedPosition, requestedTypes } from "./stream-query.ts";

type StreamRequest = FileRequest<
  unknown,
  { readonly after?: number; readonly subject?: string; readonly types?: string }
>;

export interface EventService {
  /** Oldest first, behind the position of the request. */
  list(caller: Caller, request: EventListRequest): Promise<EventList>;
  /** @throws {ServiceError} BAD-REQUEST; TOO-MANY-REQUESTS when the caller holds as many answers as it may */
  stream(request: StreamRequest, context: RequestContext): Promise<FileAnswer>;
}

export interface EventServiceDeps {
  readonly db: Db;
  readonly identity: Pick<Identity, "authenticate">;
  readonly events: Pick<EventSignals, "stopping">;
  readonly feed: EventFeed;
  readonly heartbeatMs: number;
}

const DEFAULT_LIMIT = 100;
const RETRY_AFTER_S = 10;

export function createEventService(deps: EventServiceDeps): EventService & Disposable {
  return {
    list: (caller, request) => list(deps.db, caller, request),
    stream: (request, context) => stream(deps, request, context),
    [Symbol.dispose]: () => deps.feed[Symbol.dispose](),
  };
}

async function list(
  db: Db,
  caller: Caller,
  { after = 0, types = [], subject, limit = DEFAULT_LIMIT }: EventListRequest,
): Promise<EventList> {
  const { events, reached } = await readEventPage(db, { reader: caller, after, types, subject, limit });
  return { results: events.map(shownEvent), cursor: reached };
}

async function stream(
  deps: EventServiceDeps,
  { headers, query }: StreamRequest,
  { beginWait, caller, signal }: RequestContext,
): Promise<FileAnswer> {
  const types = requestedTypes(query.types);
  const asked = requestedPosition(headers["last-event-id"], query.after);
  const last = await lastPosition(deps.db);
  const wait = beginWait();
  if (wait === null) {
    throw new ServiceError("TOO-MANY-REQUESTS", "you follow as many streams and pipelines as you may; end one first", {
      retryAfterS: RETRY_AFTER_S,
    });
  }
  const body = Readable.from(
    eventStream(deps, {
      // A position of a database that was restored since is ahead of its events.
      after: Math.min(asked ?? last, last),
      types,
      subject: query.subject,
      authenticate: async () => (await deps.identity.authenticate(headers["authorization"])) ?? caller,
      signal: AbortSignal.any([signal, deps.events.stopping]),
    }),
    { objectMode: false },
  );
  body.once("close", () => wait[Symbol.dispose]());
  return {
    status: 200,
    mediaType: "text/event-stream; charset=utf-8",
    body,
    headers: { "cache-control": "no-store", "x-accel-buffering": "no" },
  };
}
