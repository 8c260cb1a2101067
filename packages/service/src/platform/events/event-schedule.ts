import type { Schedule } from "@swath/base/concurrency/schedule";
import type { Db } from "../context.ts";
import type { EventSignals } from "./event-signals.ts";
import { placeEvents } from "./place-events.ts";
import { removeExpiredEvents } from "./remove-expired-events.ts";

const PLACE = "platform: place events";
/** For signals that were lost. */
const PLACE_EVERY_MS = 2_000;
/** A round of placing and one of fan-out take nine statements, nearly as many as two searches. */
const PLACE_PAUSE_MS = 200;
const SWEEP_EVERY_MS = 10 * 60_000;

/**
 * Places events as soon as they are committed, five times a second at most, and removes them when they have been kept
 * long enough.
 */
export function scheduleEvents(
  schedule: Pick<Schedule, "add" | "soon">,
  { db, events, keptDays }: { readonly db: Db; readonly events: EventSignals; readonly keptDays: number },
): void {
  schedule.add({
    name: PLACE,
    everyMs: PLACE_EVERY_MS,
    atStart: true,
    leastPauseMs: PLACE_PAUSE_MS,
    run: (signal) => placeEvents(db, signal),
  });
  events.onRecorded(() => schedule.soon(PLACE, 0));
  schedule.add({
    name: "platform: remove expired events",
    everyMs: SWEEP_EVERY_MS,
    run: (signal) => removeExpiredEvents(db, keptDays, signal),
  });
}
