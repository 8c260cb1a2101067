import { addScaled, cross, normalized, type Ecef, type StateVector } from "@swath/kernel/orbits/state-vector";
import { momentOf, type Capture } from "./capture.ts";
import { hashOf, unit } from "./hash.ts";
import { nodeLonDeg } from "./pass.ts";
import { referenceTrack, turned, type TrackState } from "./reference-track.ts";
import { seamShift } from "./seam-shift.ts";
import type { SwathPlan } from "./swath-plan.ts";

const COUNT = 17;
const STEP_MS = 10_000;
/** Half width of the tube in which a satellite is kept: real ones stay within 100 to 200 m of their track. */
const TUBE_ACROSS_M = 120;
const TUBE_UP_M = 60;
const DERIVATIVE_MS = 500;

/** States of the satellite around a capture, off its repeating track by the residual of orbit keeping in that cycle. */
export function stateVectorsOf(plan: SwathPlan, capture: Capture): readonly StateVector[] {
  const { satellite, slot, cycle, cell, framing } = capture;
  const shift = seamShift(satellite, framing);
  const { pass } = slot;
  const middleMs = plan.gridOf(satellite).cellMs(slot.row, cell, shift);
  // Moments are cut to the second; the vectors are of the moment itself.
  const exactMs = momentOf(plan, satellite, slot, cycle, cell, shift);
  const track = referenceTrack(satellite.orbit);
  const draw = (what: number): number => unit(hashOf(satellite.seed, cycle, pass % satellite.members, what)) * 2 - 1;
  const acrossM = TUBE_ACROSS_M * draw(1);
  const upM = TUBE_UP_M * draw(2);
  return Array.from({ length: COUNT }, (_, index): StateVector => {
    const away = (index - (COUNT - 1) / 2) * STEP_MS;
    const at = (ms: number): TrackState => turned(track(middleMs + away + ms), nodeLonDeg(satellite, pass));
    const state = at(0);
    const before = offsetOf(at(-DERIVATIVE_MS), acrossM, upM);
    const after = offsetOf(at(DERIVATIVE_MS), acrossM, upM);
    const change: Ecef = [after[0] - before[0], after[1] - before[1], after[2] - before[2]];
    return {
      timeMs: exactMs + away,
      positionM: addScaled(state.positionM, 1, offsetOf(state, acrossM, upM)),
      velocityMs: addScaled(state.velocityMs, 1000 / (2 * DERIVATIVE_MS), change),
    };
  });
}

function offsetOf({ positionM, velocityMs }: TrackState, acrossM: number, upM: number): Ecef {
  const up = normalized(positionM);
  const right = normalized(cross(velocityMs, positionM));
  return [right[0] * acrossM + up[0] * upM, right[1] * acrossM + up[1] * upM, right[2] * acrossM + up[2] * upM];
}
