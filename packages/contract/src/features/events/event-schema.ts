import { Type, type Static } from "typebox";
import { EVENT_TYPES } from "@swath/kernel/events/event-type";

export const EventTypeSchema = Type.Enum([...EVENT_TYPES], { description: "Type of an event" });

/** Empty or absent: all types. */
export const EventTypesSchema = Type.Array(EventTypeSchema, {
  description: "Events of these types; all without it",
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
});

export const EventSchema = Type.Object(
  {
    id: Type.String({ description: "UUID; `webhook-id` of its deliveries" }),
    position: Type.Integer({ description: "Place in the order of all events; rises, with gaps", minimum: 1 }),
    type: EventTypeSchema,
    subject: Type.String({
      description: "Thing that the event is about; events of one subject are in the order of their causes",
      examples: ["order:5b6f1a52-3b0e-4a39-a6c5-0c9b0f8a3c11"],
    }),
    time: Type.String({ description: "ISO 8601 date-time, UTC", examples: ["2026-03-01T12:00:00.000Z"] }),
    data: Type.Record(Type.String(), Type.Unknown(), { description: "Members by type: docs/events.md" }),
  },
  { title: "Event", description: "Something that happened to a user, a group or an organisation" },
);
export type Event = Static<typeof EventSchema>;
