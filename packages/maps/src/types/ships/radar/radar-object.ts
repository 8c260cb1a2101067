import { pixelsRectangle } from "@swath/kernel/raster-mathematics/min-area-rectangle";
import type { AnalysisBlock, FoundObject } from "../../../analysis/block.ts";
import { inverseTexture, thresholdMultiple, type KThresholds } from "../../../analysis/cfar/k-threshold.ts";
import type { Cluster } from "../shape/cluster.ts";
import type { ShipShape } from "../shape/measure.ts";
import type { Channel } from "./radar-channel.ts";
import { round } from "../shape/rounded-figure.ts";
import type { SeaMask } from "../sea/sea-mask.ts";

/**
 * The longest ship is 400 m, the widest 66 m; what measures more is a wall, an island or a pier. At a hundredth of the
 * peak a ship spreads over another pixel or two on each side.
 */
const MAX_LENGTH_M = 420;
const MAX_WIDTH_M = 70;
const SPREAD_PX = 2.5;
const ROUND_FROM_M = 60;
const MIN_ELONGATION = 1.2;
/** The slimmest ships are ten times as long as wide; lines beyond are wakes and walls. Widths err by a few metres. */
const MAX_ELONGATION = 14;
const MAX_CONFIDENCE = 0.99;

/** Whether something bright is no larger than ships are, and neither a disc nor a line. */
export function hasShipShape({ lengthM, widthM }: ShipShape, pixelM: number): boolean {
  const spreadM = SPREAD_PX * pixelM;
  if (lengthM > MAX_LENGTH_M + spreadM || widthM > MAX_WIDTH_M + spreadM) return false;
  if (lengthM > MAX_ELONGATION * widthM) return false;
  return widthM < ROUND_FROM_M + spreadM || lengthM > MIN_ELONGATION * widthM;
}

/** A ship by the pixels of a cluster. */
export function radarShip(
  { rect, scenes, ground }: AnalysisBlock,
  { members, peak }: Cluster,
  shape: ShipShape,
  channels: readonly Channel[],
  mask: SeaMask,
  thresholds: KThresholds,
): FoundObject {
  const rectangle = pixelsRectangle(members, rect.columns);
  let [significance, margin, strongest] = [0, 0, 0];
  for (const [p, channel] of channels.entries()) {
    const power = scenes[0]![p]!;
    const mean = channel.maps.mean[peak]!;
    const deviation = channel.maps.deviation[peak]!;
    margin = Math.max(margin, peakMargin(members, power, channel, thresholds));
    if (!(mean > 0 && deviation > 0)) continue;
    significance = Math.max(significance, (power[peak]! - mean) / deviation);
    strongest = Math.max(strongest, power[peak]!);
  }
  const confidence = Math.min(MAX_CONFIDENCE, 1 - Math.exp(-margin / 3));
  const nearShore = mask.nearShore[peak] !== 0;
  // The strongest channel stands for the ship.
  const energies = scenes[0]!.map((power) => members.reduce((sum, i) => sum + Math.max(power[i]!, 0), 0));
  const energy = Math.max(...energies) * ground.metresPerPixelX * ground.metresPerPixelY;
  return {
    className: "ships",
    centre: [rect.column + shape.centre[0], rect.row + shape.centre[1]],
    corners: rectangle.corners.map(([x, y]) => [rect.column + x, rect.row + y]),
    areaM2: shape.areaM2,
    count: 1,
    confidence: confidence * (nearShore ? 0.5 : 1),
    properties: {
      lengthM: round(shape.lengthM),
      widthM: round(shape.widthM),
      headingDeg: round(shape.headingDeg),
      significance: round(significance),
      peakDb: round(10 * Math.log10(strongest)),
      crossSectionDbm2: round(10 * Math.log10(Math.max(energy, 1e-9))),
      nearShore: nearShore ? "yes" : "no",
      source: "rule",
    },
  };
}

/**
 * How far the pixel of a cluster that is brightest in a polarisation is above its own threshold, in standard deviations of
 * its clutter; below 0 where it is no detection.
 */
function peakMargin(
  members: Int32Array,
  power: Float32Array,
  { hits, maps }: Channel,
  thresholds: KThresholds,
): number {
  let peak = members[0]!;
  for (const i of members) if (power[i]! > power[peak]!) peak = i;
  const mean = maps.mean[peak]!;
  const deviation = maps.deviation[peak]!;
  if (hits[peak] === 0 || !(deviation > 0)) return -1;
  const squares = deviation ** 2 + mean ** 2;
  const threshold = mean * thresholdMultiple(thresholds, inverseTexture(mean, squares, thresholds.looks));
  return (power[peak]! - threshold) / deviation;
}
