import type { SwathEvent } from "@swath/client";
import type { EventType } from "@swath/kernel/events/event-type";
import { spacedTime } from "./spaced-time.ts";

/** Options that choose events. */
export interface EventOptions {
  readonly type?: readonly EventType[];
  readonly subject?: string;
  readonly after?: number;
}

/** Events that a command wants. */
export interface RequestedEvents {
  /** Position behind which they begin; null where the options name none. */
  readonly after: number | null;
  /** Empty for all. */
  readonly types: readonly EventType[];
  readonly isWanted: (event: Pick<SwathEvent, "subject">) => boolean;
}

export function requestedEvents({ after, subject, type = [] }: EventOptions): RequestedEvents {
  return {
    after: after ?? null,
    types: [...new Set(type)],
    isWanted: (event) => subject === undefined || event.subject === subject,
  };
}

/** Cells of an event: position, time, type, subject and its data. */
export function eventRow({ position, time, type, subject, data }: SwathEvent): readonly string[] {
  return [String(position), spacedTime(time), type, subject, JSON.stringify(data).slice(0, 100)];
}
