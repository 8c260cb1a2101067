import type { SceneQuality } from "../scene-model.ts";
import type { Capture } from "./capture.ts";
import { hashOf, unit } from "./hash.ts";
import type { SwathPlan } from "./swath-plan.ts";

/** Share of the scenes that control points on the ground hold in place; over open sea there are none. */
const GROUND_CONTROL_SHARE = 0.95;
/** Largest share of anomalous pixels, which few scenes come near. */
const MOST_ANOMALOUS = 0.4;
/** Scenes with more anomalous pixels are below the standard. */
const STANDARD_RATIO = 0.1;

/** The quality of a capture, the same for all products made of it. */
export function sceneQuality(plan: SwathPlan, { satellite, slot, cycle, column, cell }: Capture): SceneQuality {
  const draw = hashOf(plan.seed, satellite.seed, cycle, slot.pass, slot.row, column, cell);
  // Hot columns and saturation are rare: half of the scenes have none.
  const anomalousRatio = Math.round(100 * MOST_ANOMALOUS * unit(hashOf(draw, 1)) ** 7) / 100;
  const groundControlFlag = unit(hashOf(draw, 2)) < GROUND_CONTROL_SHARE;
  return {
    anomalousRatio,
    sensorQualityFlag: groundControlFlag && anomalousRatio <= STANDARD_RATIO,
    groundControlFlag,
  };
}
