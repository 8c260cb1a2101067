import type { Bounds } from "@swath/kernel/geometry/geojson";
import { DEGREE } from "@swath/kernel/geometry/wgs84";
import { capturesOfSlot, isPossible, outlineOf, type Capture } from "./capture.ts";
import { nodeLonDeg } from "./pass.ts";
import type { Satellite } from "./satellites.ts";
import { MOST_SHIFT_KM } from "./seam-shift.ts";
import { slotsOver, type Slot } from "./slot.ts";
import { boundsOfRing } from "./ring.ts";
import { REVOLUTION_KM } from "./strip-outline.ts";
import type { ReferenceBox } from "./swath-grid.ts";
import type { SwathPlan } from "./swath-plan.ts";

/** Degrees of latitude that a seam can shift, with room to spare. */
const SHIFT_DEG = MOST_SHIFT_KM / 100;

/** Listed captures of a plan whose box overlaps one of the boxes, newest second first; within a second in no order. */
export function* capturesBetween(
  plan: SwathPlan,
  boxes: readonly Bounds[],
  fromMs: number,
  toMs: number,
): Generator<Capture, void, undefined> {
  const streams = plan.satellites
    .filter((satellite) => satellite.fromMs < toMs && (satellite.toMs === null || satellite.toMs > fromMs))
    .map((satellite) => capturesOf(plan, satellite, boxes, fromMs, toMs));
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

/** Of one satellite, newest second first: its slots come round in every cycle in the same order. */
function* capturesOf(
  plan: SwathPlan,
  satellite: Satellite,
  boxes: readonly Bounds[],
  fromMs: number,
  toMs: number,
): Generator<Capture, void, undefined> {
  const slots = slotsOver(plan, satellite, boxes);
  if (slots.length === 0) return;
  const { orbit, epochMs } = satellite;
  const first = Math.max(fromMs, satellite.fromMs);
  const last = Math.min(toMs, satellite.toMs ?? Infinity);
  // Captures of a strip lie within half a strip of its middle, are shifted with their seams and cut to the second.
  const stripShare = 0.5 / plan.gridOf(satellite).layout.rows + MOST_SHIFT_KM / REVOLUTION_KM;
  const reachMs = orbit.nodalPeriodMs * stripShare + 1000;
  const isWanted = (capture: Capture): boolean =>
    capture.isListed &&
    capture.acquiredAtMs >= first &&
    capture.acquiredAtMs < last &&
    isPossible(plan, capture) &&
    overlaps(boundsOfRing(outlineOf(plan, capture)), boxes);
  let waiting: Capture[] = [];
  for (let cycle = cycleAt(satellite, last); cycle >= cycleAt(satellite, first) - 1; cycle -= 1) {
    const cycleStartMs = epochMs + cycle * orbit.cycleMs;
    for (let i = slotsUntil(slots, last + reachMs - cycleStartMs) - 1; i >= 0; i -= 1) {
      const slot = slots[i];
      if (slot === undefined) continue;
      const middleMs = cycleStartMs + slot.offsetMs;
      if (middleMs < first - reachMs) break;
      const found = capturesOfSlot(plan, satellite, slot, cycle, (column) =>
        reaches(plan, satellite, slot, column, boxes),
      );
      if (found.length === 0) continue;
      const sure = waiting.filter((capture) => capture.acquiredAtMs > middleMs + reachMs);
      if (sure.length > 0) {
        yield* newestFirst(sure);
        waiting = waiting.filter((capture) => capture.acquiredAtMs <= middleMs + reachMs);
      }
      waiting.push(...found.filter(isWanted));
    }
  }
  yield* newestFirst(waiting);
}

function newestFirst(captures: readonly Capture[]): readonly Capture[] {
  return captures.toSorted((a, b) => b.acquiredAtMs - a.acquiredAtMs);
}

function cycleAt({ epochMs, orbit }: Satellite, ms: number): number {
  return Math.floor((ms - epochMs) / orbit.cycleMs);
}

/** How many slots come before a moment of the cycle. */
function slotsUntil(slots: readonly Slot[], offsetMs: number): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((slots[middle]?.offsetMs ?? Infinity) <= offsetMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a strip may have ground in one of the boxes. */
function reaches(plan: SwathPlan, satellite: Satellite, slot: Slot, column: number, boxes: readonly Bounds[]): boolean {
  const box = plan.gridOf(satellite).box(slot.row, column);
  if (box === null) return false;
  const [west, south, east, north] = box;
  const turn = nodeLonDeg(satellite, slot.pass);
  const margin = plan.share === null ? SHIFT_DEG : 0;
  const wide = margin / Math.cos(Math.max(Math.abs(south), Math.abs(north)) * DEGREE);
  return overlaps([west + turn - wide, south - margin, east + turn + wide, north + margin], boxes);
}

function overlaps([west, south, east, north]: ReferenceBox, boxes: readonly Bounds[]): boolean {
  return boxes.some((box) => {
    if (south > box[3] || north < box[1]) return false;
    const turns = 360 * Math.ceil((box[0] - east) / 360);
    return west + turns <= box[2];
  });
}
