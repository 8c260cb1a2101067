import { Type, type Static } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineFileRoute } from "../../kit/file-route.ts";
import { defineOperation } from "../../kit/operation.ts";
import { EventSchema, EventTypesSchema } from "./event-schema.ts";

const Position = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const Subject = Type.String({
  description: "Events of this subject; all without it",
  minLength: 1,
  maxLength: 200,
  examples: ["order:5b6f1a52-3b0e-4a39-a6c5-0c9b0f8a3c11"],
});

export const EventListRequest = Type.Object({
  after: Type.Optional({ ...Position, description: "`cursor` of the previous answer; the oldest event without it" }),
  types: Type.Optional(EventTypesSchema),
  subject: Type.Optional(Subject),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 100 })),
});
export type EventListRequest = Static<typeof EventListRequest>;

export const EventList = Type.Object({
  results: Type.Array(EventSchema),
  cursor: {
    ...Position,
    description:
      "Position to go on after, also when there is nothing now. With a filter a page looks through 10,000 events and " +
      "may be short or empty before the last: go on until `cursor` stays",
  },
});
export type EventList = Static<typeof EventList>;

export const eventsContract = {
  list: defineOperation({
    path: "/events/list",
    permissions: ["events.list"],
    summary: "List events of the caller, their group and organisation, oldest first",
    description:
      "Send `cursor` as `after` of the next request: it answers what has happened since. No event is skipped. Events " +
      "stay for 30 days unless the operator sets another time.",
    request: EventListRequest,
    response: EventList,
  }),
  stream: defineFileRoute({
    path: "/events/stream",
    permissions: ["events.stream"],
    rateClass: "read",
    summary: "Follow events as they happen, as server-sent events",
    description:
      "Begins now, or behind the position in `Last-Event-ID` or `after`. The `id` of a message is the position of its " +
      "event, `event` the type, `data` the event as JSON. A comment is sent every 15 s. The stream ends with the token.",
    params: Type.Object({}),
    query: Type.Object({
      after: Type.Optional({ ...Position, description: "Position to go on after; `Last-Event-ID` wins" }),
      types: Type.Optional(
        Type.String({
          description: "Types, separated by commas; all without it",
          maxLength: 500,
          examples: ["pipeline.resolved,pipeline.failed"],
        }),
      ),
      subject: Type.Optional(Subject),
    }),
    mediaTypes: ["text/event-stream"],
    schemas: { "text/event-stream": Type.String({ description: "Server-sent events" }) },
    statuses: { 200: "a stream of events", 400: "an unknown type or position", 429: "too many streams" },
    errors: ["BAD-REQUEST", "TOO-MANY-REQUESTS"],
  }),
} as const satisfies FeatureContract;
