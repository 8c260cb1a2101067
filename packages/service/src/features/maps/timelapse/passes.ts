import { parseInstant } from "@swath/kernel/time/instant";

/** Scenes of one pass of a satellite are one image. */
const PASS_MS = 10 * 60_000;

/** Items that are shown together, in order of time. */
export interface Pass<Item> {
  readonly startEpochMs: number;
  readonly endEpochMs: number;
  readonly items: readonly Item[];
}

/** Joins items whose time is within ten minutes after the first of them; of one time the order stays. */
export function passesOf<Item>(items: readonly Item[], datetimeOf: (item: Item) => string): readonly Pass<Item>[] {
  const timed = items
    .map((item) => ({ item, epochMs: parseInstant(datetimeOf(item)) ?? 0 }))
    .toSorted((a, b) => a.epochMs - b.epochMs);
  const passes: { startEpochMs: number; endEpochMs: number; items: Item[] }[] = [];
  for (const { item, epochMs } of timed) {
    const last = passes.at(-1);
    if (last !== undefined && epochMs - last.startEpochMs <= PASS_MS) {
      last.items.push(item);
      last.endEpochMs = epochMs;
    } else passes.push({ startEpochMs: epochMs, endEpochMs: epochMs, items: [item] });
  }
  return passes;
}
