import { cellAveragingMultiple } from "../../packages/maps/src/analysis/cfar/cell-averaging.ts";
import { detectBright } from "../../packages/maps/src/analysis/cfar/detect.ts";
import { kThresholds } from "../../packages/maps/src/analysis/cfar/k-threshold.ts";
import { ringCells } from "../../packages/maps/src/analysis/cfar/ring-sums.ts";
import { fillClutter, seededUniform } from "../../packages/maps/src/analysis/clutter/simulate-clutter.ts";

/** Clutter whose false alarms are counted. */
export interface ClutterCase {
  readonly looks: number;
  /** Shape of the texture, Infinity for speckle alone. */
  readonly nu: number;
  readonly pfa: number;
  /** Which thresholds: of K-distributed clutter, or exact cell averaging for speckle alone. */
  readonly thresholds: "k" | "cell-averaging";
}

export interface CountedAlarms extends ClutterCase {
  readonly cells: number;
  readonly alarms: number;
  /** Realised by design rate. */
  readonly ratio: number;
  /** 95 % bounds of the ratio by the count alone. */
  readonly interval: readonly [low: number, high: number];
}

/** As for Sentinel-1 at 10 m. */
const RING = { guardPx: 25, outerPx: 40 } as const;
const SIDE = 1000;

export const CLUTTER_CASES: readonly ClutterCase[] = [
  { looks: 4.4, nu: Infinity, pfa: 1e-4, thresholds: "cell-averaging" },
  { looks: 4.4, nu: Infinity, pfa: 1e-4, thresholds: "k" },
  { looks: 4.4, nu: 10, pfa: 1e-4, thresholds: "k" },
  { looks: 4.4, nu: 4, pfa: 1e-4, thresholds: "k" },
  { looks: 4.4, nu: Infinity, pfa: 1e-5, thresholds: "k" },
  { looks: 4.4, nu: 4, pfa: 1e-5, thresholds: "k" },
];

/**
 * Counts false alarms of the radar detector on simulated clutter of which it knows the number of looks only. Mean and
 * texture are estimated from the ring of each pixel, as in a scene.
 *
 * @param cells pixels to simulate, in images of a million
 */
export function countFalseAlarms(clutter: ClutterCase, cells: number, seed: number): CountedAlarms {
  const { looks, nu, pfa } = clutter;
  const ringSize = ringCells(RING);
  const thresholds =
    clutter.thresholds === "k" ? kThresholds(pfa, looks, ringSize) : cellAveragingMultiple(pfa, looks, ringSize);
  const power = new Float32Array(SIDE * SIDE);
  const uniform = seededUniform(seed);
  let alarms = 0;
  let counted = 0;
  while (counted < cells) {
    fillClutter(power, looks, nu, 0.01, uniform);
    const hits = detectBright(power, null, null, SIDE, { ring: RING, thresholds, greatestOf: false });
    // Rings are whole inside; at the rim the noise of estimates is larger than the table was made for.
    for (let row = RING.outerPx; row < SIDE - RING.outerPx; row++) {
      for (let i = row * SIDE + RING.outerPx; i < (row + 1) * SIDE - RING.outerPx; i++) alarms += hits[i]!;
    }
    counted += (SIDE - 2 * RING.outerPx) ** 2;
  }
  const expected = counted * pfa;
  // Wilson's bounds for a rare event.
  const [z, middle] = [1.96, alarms + 1.96 ** 2 / 2];
  const half = z * Math.sqrt(alarms + z ** 2 / 4);
  return {
    ...clutter,
    cells: counted,
    alarms,
    ratio: alarms / expected,
    interval: [(middle - half) / expected, (middle + half) / expected],
  };
}
