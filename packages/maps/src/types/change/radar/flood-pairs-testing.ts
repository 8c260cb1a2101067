import {
  blockOf,
  correlatedSpeckle,
  smoothField,
  windingShape,
} from "../../../analysis/clutter/radar-field-testing.ts";
import { seededNormal, seededUniform } from "../../../analysis/clutter/simulate-clutter.ts";
import { change, type ChangeParameters } from "../change.ts";

export const SIDE = 384;
const HALF_LOOKS = 9;
/** Pixels at the edge have no complete window. */
const EDGE_PX = 4;

/** Two dates of a radar scene, the second with a flood. */
export interface FloodPair {
  readonly floodShare: number;
  /** Of flooded ground, decibels. */
  readonly dropDb: number;
  /** Of the whole second scene, decibels. */
  readonly gainDb: number;
  readonly seed: number;
}

interface FloodOutcome {
  /** 1 where the ground was flooded. */
  readonly truth: Uint8Array;
  readonly changed: Uint8Array;
  /** Largest share of p below 1e-4, over what was not flooded. */
  readonly alarms: number;
  readonly description: Readonly<Record<string, unknown>>;
}

/** Two dates of one polarisation with speckle that neighbours share. */
export function outcomeOf({ floodShare, dropDb, gainDb, seed }: FloodPair, looks: number | null): FloodOutcome {
  const normal = seededNormal(seededUniform(seed));
  const truth = windingShape(SIDE, floodShare, normal);
  const land = smoothField(SIDE, 4, normal);
  const scenes = [0, 1].map((date) => {
    const speckle = correlatedSpeckle(SIDE, HALF_LOOKS, normal);
    return [
      Float32Array.from(speckle, (value, i) => {
        const db = -10 + 2 * land[i]! + date * (gainDb - (truth[i] === 1 ? dropDb : 0));
        return value * 10 ** (db / 10);
      }),
    ];
  });
  const block = blockOf(SIDE, SIDE, scenes);
  const parameters: ChangeParameters = { method: "log-ratio", alpha: 1e-4, windowPx: 5, looks };
  const model = change.survey!({ overview: block, windows: [block] }, parameters);
  const { layers } = change.compute(block, model, parameters);
  const [heat, classes] = [layers[0]!, layers[1]!];
  const changed = Uint8Array.from(classes, (value) => (value > 1 ? 1 : 0));
  let [alarms, unchanged] = [0, 0];
  for (let i = 0; i < truth.length; i++) {
    if (truth[i] === 1 || Number.isNaN(heat[i]!)) continue;
    unchanged++;
    if (heat[i]! > 1 - 1e-4) alarms++;
  }
  return { truth, changed, alarms: alarms / unchanged, description: change.describe!(model) };
}

/** IoU of flooded ground. */
export function floodIou({ truth, changed }: FloodOutcome): number {
  let [both, either] = [0, 0];
  for (let row = EDGE_PX; row < SIDE - EDGE_PX; row++) {
    for (let i = row * SIDE + EDGE_PX; i < (row + 1) * SIDE - EDGE_PX; i++) {
      if (truth[i] === 1 && changed[i] === 1) both++;
      if (truth[i] === 1 || changed[i] === 1) either++;
    }
  }
  return both / either;
}
