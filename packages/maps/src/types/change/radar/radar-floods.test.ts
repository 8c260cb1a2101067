import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock } from "../../../analysis/block.ts";
import { correlatedSpeckle, smoothField, windingShape } from "../../../analysis/clutter/radar-field-testing.ts";
import { seededNormal, seededUniform } from "../../../analysis/clutter/simulate-clutter.ts";
import { change, type ChangeParameters } from "../change.ts";

const SIDE = 384;
const HALF_LOOKS = 9;
/** Pixels at the edge have no complete window. */
const EDGE_PX = 4;

interface Pair {
  readonly floodShare: number;
  /** Of flooded ground, decibels. */
  readonly dropDb: number;
  /** Of the whole second scene, decibels. */
  readonly gainDb: number;
  readonly seed: number;
}

interface Outcome {
  /** 1 where the ground was flooded. */
  readonly truth: Uint8Array;
  readonly changed: Uint8Array;
  /** Largest share of p below 1e-4, over what was not flooded. */
  readonly alarms: number;
  readonly description: Readonly<Record<string, unknown>>;
}

/** Two dates of one polarisation with speckle that neighbours share. */
function outcomeOf({ floodShare, dropDb, gainDb, seed }: Pair, looks: number | null): Outcome {
  const normal = seededNormal(seededUniform(seed));
  const truth = windingShape(SIDE, floodShare, normal);
  const land = smoothField(SIDE, 4, normal);
  const scenes = [0, 1].map((date) => {
    const speckle = correlatedSpeckle(SIDE, HALF_LOOKS, normal);
    return [
      Float32Array.from(speckle, (value, i) => {
        const db = -10 + 2 * land[i] + date * (gainDb - (truth[i] === 1 ? dropDb : 0));
        return value * 10 ** (db / 10);
      }),
    ];
  });
  const rect = { column: 0, row: 0, columns: SIDE, rows: SIDE };
  const ground = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 9, latDeg: 49 };
  const block: AnalysisBlock = { rect, core: rect, scenes, land: null, ground };
  const parameters: ChangeParameters = { method: "log-ratio", alpha: 1e-4, windowPx: 5, looks };
  const model = change.survey!({ overview: block, windows: [block] }, parameters);
  const { layers } = change.compute(block, model, parameters);
  const [heat, classes] = layers;
  const changed = Uint8Array.from(classes, (value) => (value > 1 ? 1 : 0));
  let [alarms, unchanged] = [0, 0];
  for (let i = 0; i < truth.length; i++) {
    if (truth[i] === 1 || Number.isNaN(heat[i])) continue;
    unchanged++;
    if (heat[i] > 1 - 1e-4) alarms++;
  }
  return { truth, changed, alarms: alarms / unchanged, description: change.describe!(model) };
}

function intersectionOverUnion({ truth, changed }: Outcome): number {
  let [both, either] = [0, 0];
  for (let row = EDGE_PX; row < SIDE - EDGE_PX; row++) {
    for (let i = row * SIDE + EDGE_PX; i < (row + 1) * SIDE - EDGE_PX; i++) {
      if (truth[i] === 1 && changed[i] === 1) both++;
      if (truth[i] === 1 || changed[i] === 1) either++;
    }
  }
  return both / either;
}

for (const [floodShare, looks] of [
  [0.36, 4.4],
  [0.28, 4.4],
  [0.36, null],
] as const) {
  test(`a flood over ${floodShare} of the scene is found, with ${looks ?? "unknown"} looks`, () => {
    const found = outcomeOf({ floodShare, dropDb: 8, gainDb: 0, seed: 5 }, looks);
    const iou = intersectionOverUnion(found);
    assert.ok(iou >= 0.7, `${iou}, ${JSON.stringify(found.description)}`);
  });
}

test("pairs without change have false alarms as designed, whether looks are known or not", () => {
  for (const looks of [4.4, null]) {
    const shares = [1, 2, 3, 4, 6].map(
      (seed) => outcomeOf({ floodShare: 0, dropDb: 0, gainDb: 0, seed }, looks).alarms,
    );
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    assert.ok(mean < 3e-4, `${looks}: ${shares.join(", ")}`);
  }
});

test("metadata state the least change that counts, and another gain of one scene is below it", () => {
  const found = outcomeOf({ floodShare: 0, dropDb: 0, gainDb: 1, seed: 8 }, 4.4);
  const [sensitivityDb] = found.description["sensitivityDb"] as readonly [number];
  assert.ok(sensitivityDb > 2 && sensitivityDb < 8, `${sensitivityDb}`);
  assert.ok(found.changed.filter((value) => value === 1).length < 0.02 * SIDE ** 2);
});
