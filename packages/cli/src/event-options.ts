import type { SwathEvent } from "@swath/client";
import type { EventType } from "@swath/kernel/events/event-type";
import { spacedTime } from "./spaced-time.ts";

/** Options that choose events. */
export interface EventOptions {
  readonly type?: readonly EventType[];
  readonly subject?: string;
  readonly after?: number;
}

/** Events that a command wants, as members of requests. */
export interface RequestedEvents {
  /** Position behind which they begin. */
  readonly after?: number;
  readonly types?: EventType[];
  readonly subject?: string;
}

export function requestedEvents({ after, subject, type = [] }: EventOptions): RequestedEvents {
  return {
    ...(after === undefined ? {} : { after }),
    ...(type.length === 0 ? {} : { types: [...new Set(type)] }),
    ...(subject === undefined ? {} : { subject }),
  };
}

/** Cells of an event: position, time, type, subject and its data. */
export function eventRow({ position, time, type, subject, data }: SwathEvent): readonly string[] {
  return [String(position), spacedTime(time), type, subject, JSON.stringify(data).slice(0, 100)];
}
