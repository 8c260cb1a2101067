import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** Pause between two looks: without it the looks take a core from the service that they wait for. */
const LOOK_MS = 20;
const WITHIN_MS = 60_000;

/** The first thing that a look finds. @param look gives undefined until there is something @throws {Error} after `withinMs` */
export async function eventually<Found>(
  what: string,
  look: () => Found | undefined | Promise<Found | undefined>,
  withinMs: number = WITHIN_MS,
): Promise<Found> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadlineMs) return assert.fail(`not within ${withinMs} ms: ${what}`);
    await pause(LOOK_MS);
  }
}

/** Resolves when something holds. @throws {Error} when it does not within `withinMs` */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs: number = WITHIN_MS,
): Promise<void> {
  await eventually(what, async () => ((await holds()) ? true : undefined), withinMs);
}
