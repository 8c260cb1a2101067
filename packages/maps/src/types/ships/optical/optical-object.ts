import { pixelsRectangle } from "@swath/kernel/raster-mathematics/min-area-rectangle";
import type { AnalysisBlock, FoundObject } from "../../../analysis/block.ts";
import type { Cluster } from "../shape/cluster.ts";
import type { ShipShape } from "../shape/measure.ts";
import { round } from "../shape/rounded-figure.ts";
import type { SeaMask } from "../sea/sea-mask.ts";
import { findWake } from "./wake.ts";

const MAX_LENGTH_M = 450;
const MAX_WIDTH_M = 75;
/** Shape says something of objects that long, pixels. */
const SHAPED_FROM_PX = 6;
const MIN_ELONGATION = 1.7;
const MAX_ELONGATION = 10;
const MIN_FILL = 0.45;
const MAX_CONFIDENCE = 0.99;

/** Whether a length belongs to a class: from, and up to but not including. */
export function isOfClass(
  { lengthM }: ShipShape,
  [from, below]: readonly [from: number, below: number | null],
): boolean {
  return lengthM >= from && (below === null || lengthM < below);
}

/** Whether something is as large and as slim as ships are, where it is long enough to tell. */
export function hasShipShape({ lengthM, widthM, fill }: ShipShape, pixelM: number): boolean {
  if (lengthM > MAX_LENGTH_M || widthM > MAX_WIDTH_M) return false;
  if (lengthM < SHAPED_FROM_PX * pixelM) return true;
  const elongation = lengthM / Math.max(widthM, pixelM / 2);
  return elongation >= MIN_ELONGATION && elongation <= MAX_ELONGATION && fill >= MIN_FILL;
}

/** Foam is bright in the visible and dark in the near infrared, and small. */
export function isWhitecap(
  { members }: Cluster,
  planes: readonly Float32Array[],
  { roles, isReflectance }: { readonly roles: readonly string[]; readonly isReflectance: boolean },
): boolean {
  const green = planes[roles.indexOf("G")];
  const infrared = planes[roles.indexOf("N")];
  if (!isReflectance || green === undefined || infrared === undefined) return false;
  if (members.length > SHAPED_FROM_PX) return false;
  let [visible, near] = [0, 0];
  for (const i of members) {
    visible += green[i]!;
    near += infrared[i]!;
  }
  return near < 0.5 * visible;
}

/** By how much the distance of the peak exceeds its threshold, as a share of it. */
export function excessOf({ peak }: Cluster, score: Float32Array, threshold: Float32Array): number {
  return threshold[peak]! > 0 ? Math.sqrt(score[peak]! / threshold[peak]!) - 1 : 0;
}

/** A ship by the pixels of a cluster. */
export function opticalShip(
  { members, peak }: Cluster,
  shape: ShipShape,
  score: Float32Array,
  threshold: Float32Array,
  mask: SeaMask,
  { rect, ground }: AnalysisBlock,
): Omit<FoundObject, "className"> {
  const rectangle = pixelsRectangle(members, rect.columns);
  const nearShore = mask.nearShore[peak] !== 0;
  const wake = findWake(score, mask.sea, rect.columns, members, shape, ground);
  const excess = excessOf({ members, peak }, score, threshold);
  return {
    centre: [rect.column + shape.centre[0], rect.row + shape.centre[1]],
    corners: rectangle.corners.map(([x, y]) => [rect.column + x, rect.row + y]),
    areaM2: shape.areaM2,
    count: 1,
    confidence: Math.min(MAX_CONFIDENCE, 1 - Math.exp(-excess)) * (nearShore ? 0.5 : 1),
    properties: {
      lengthM: round(shape.lengthM),
      widthM: round(shape.widthM),
      headingDeg: round(wake ?? shape.headingDeg),
      significance: round(Math.sqrt(score[peak]!)),
      nearShore: nearShore ? "yes" : "no",
      wake: wake === null ? "no" : "yes",
      source: "rule",
    },
  };
}
