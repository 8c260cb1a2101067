import { detectBright, type ClutterMaps } from "../../../analysis/cfar/detect.ts";
import type { KThresholds } from "../../../analysis/cfar/k-threshold.ts";
import type { RingWindow } from "../../../analysis/cfar/ring-sums.ts";
import { dilated } from "../../../analysis/texture/mask-morphology.ts";

/** Longest ships are 400 m; a guard of 250 m excludes a ship from its background. */
const GUARD_M = 250;
const OUTER_M = 400;
/** Coarse pixels need a ring of some width for its statistics. */
const MIN_RING_PX = 15;
const MAX_GUARD_PX = 36;
const MAX_OUTER_PX = 56;
/** Gaps within one ship. */
export const GAP_M = 20;

/** The background of a pixel. */
export function radarRing(pixelM: number): RingWindow {
  const guardPx = Math.min(MAX_GUARD_PX, Math.ceil(GUARD_M / pixelM));
  const outerPx = Math.min(MAX_OUTER_PX, Math.max(Math.ceil(OUTER_M / pixelM), guardPx + MIN_RING_PX));
  return { guardPx, outerPx };
}

/** Detections of one polarisation. */
export interface Channel {
  /** 1 at detections. */
  readonly hits: Uint8Array;
  readonly maps: ClutterMaps;
}

/** Two passes: detections of the first are no clutter for the second. */
export function detectChannel(
  power: Float32Array,
  sea: Uint8Array,
  columns: number,
  thresholds: KThresholds,
  pixelM: number,
): Channel {
  const ring = radarRing(pixelM);
  const maps = { mean: new Float32Array(power.length), deviation: new Float32Array(power.length) };
  const rough = detectBright(power, sea, sea, columns, { ring, thresholds, greatestOf: false });
  const bright = dilated(rough, columns, power.length / columns, Math.max(1, Math.round(GAP_M / pixelM)));
  const background = new Uint8Array(sea.length);
  for (let i = 0; i < sea.length; i++) background[i] = sea[i] !== 0 && bright[i] === 0 ? 1 : 0;
  const options = { ring, thresholds, greatestOf: true };
  return { hits: detectBright(power, sea, background, columns, options, maps), maps };
}
