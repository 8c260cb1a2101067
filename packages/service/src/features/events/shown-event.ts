import type { Event } from "@swath/contract/features/events/event-schema";
import type { PlacedEvent } from "../../platform/events/read-events.ts";

export function shownEvent({ id, position, type, subject, data, createdAt }: PlacedEvent): Event {
  return { id, position, type, subject, time: createdAt.toISOString(), data: { ...data } };
}

/** The event as a message of a stream. Its JSON is one line. */
export function eventMessage(event: PlacedEvent): string {
  return `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(shownEvent(event))}\n\n`;
}
