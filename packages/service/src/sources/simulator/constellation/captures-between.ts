import type { Bounds } from "@swath/kernel/geometry/geojson";
import { isPossible, isTaken, momentOf, slotsOver, type Capture, type Slot } from "./capture.ts";
import type { Satellite } from "./satellites.ts";
import type { SwathPlan } from "./swath-plan.ts";

/** Captures of a plan that may overlap one of the boxes, newest second first; within a second in no order. */
export function* capturesBetween(
  plan: SwathPlan,
  boxes: readonly Bounds[],
  fromMs: number,
  toMs: number,
): Generator<Capture, void, undefined> {
  const streams = plan.satellites
    .filter((satellite) => satellite.fromMs < toMs && (satellite.toMs === null || satellite.toMs > fromMs))
    .map((satellite) => capturesOf(plan, satellite, slotsOver(plan, satellite, boxes), fromMs, toMs));
  const heads = streams.map((stream) => stream.next());
  for (;;) {
    let newest = -1;
    let newestMs = -Infinity;
    for (const [index, head] of heads.entries()) {
      if (head.done !== true && head.value.acquiredAtMs > newestMs) {
        newest = index;
        newestMs = head.value.acquiredAtMs;
      }
    }
    const head = heads[newest];
    const stream = streams[newest];
    if (head === undefined || stream === undefined || head.done === true) return;
    yield head.value;
    heads[newest] = stream.next();
  }
}

/** Of one satellite: its slots come round in every cycle in the same order. */
function* capturesOf(
  plan: SwathPlan,
  satellite: Satellite,
  slots: readonly Slot[],
  fromMs: number,
  toMs: number,
): Generator<Capture, void, undefined> {
  if (slots.length === 0) return;
  const { cycleMs } = satellite.orbit;
  const first = Math.max(fromMs, satellite.fromMs);
  const last = Math.min(toMs, satellite.toMs ?? Infinity);
  const cycleOf = (ms: number): number => Math.floor((ms - satellite.epochMs) / cycleMs);
  // The last frames of a cycle end after the first of the next have begun.
  for (let cycle = cycleOf(last); cycle >= cycleOf(first) - 1; cycle -= 1) {
    for (let i = slotsBefore(slots, last - satellite.epochMs - cycle * cycleMs) - 1; i >= 0; i -= 1) {
      const slot = slots[i];
      if (slot === undefined) continue;
      const acquiredAtMs = momentOf(satellite, cycle, slot.offsetMs);
      if (acquiredAtMs >= last) continue;
      if (acquiredAtMs < first) break;
      if (isTaken(plan, satellite, cycle, slot) && isPossible(plan, satellite, slot, acquiredAtMs)) {
        yield { ...slot, satellite, cycle, acquiredAtMs };
      }
    }
  }
}

/** How many slots come before a moment of the cycle, or up to a second after. */
function slotsBefore(slots: readonly Slot[], offsetMs: number): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((slots[middle]?.offsetMs ?? Infinity) <= offsetMs + 1000) low = middle + 1;
    else high = middle;
  }
  return low;
}
