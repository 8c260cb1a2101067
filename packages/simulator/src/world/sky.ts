import type { NodeLattice } from "./node-lattice.ts";
import type { Block } from "./block.ts";
import type { View } from "./view.ts";
import type { Moment } from "./weather.ts";
import { sampleNodes } from "./node-lattice.ts";
import { placeOnSphere } from "./sphere-noise.ts";
import {
  cloudTexture,
  cloudTextures,
  meanCloudCover,
  momentOf,
  normalExceedance,
  regionalCover,
  systemAt,
} from "./weather.ts";

/** Height of clouds over the ground, which decides how far off their shadows fall. */
const CLOUD_M = 1300;
const METRES_PER_DEGREE = 111_195;

/** Clouds over the nodes of a block: there is cloud where `excess` is above 0, shadow where `shadow` is. */
export interface Sky {
  readonly excess: Float32Array;
  readonly shadow: Float32Array;
  readonly anyCloud: boolean;
}

/** Part of the light that a cloud of this excess keeps, 0 to 1; one half at 0. */
export function opacityOf(excess: number): number {
  const t = Math.min(1, Math.max(0, 0.5 + excess * 0.9));
  return t * t * (3 - 2 * t);
}

const scratch = new Float64Array(3);

/** By how much the clouds over a place pass the threshold of their cover. */
export function cloudExcess(moment: Moment, lonDeg: number, latDeg: number, shortestM: number): number {
  placeOnSphere(lonDeg, latDeg, scratch);
  const threshold = thresholdAt(moment, latDeg, scratch, 0);
  return excessOver(moment, threshold, scratch[0]!, scratch[1]!, scratch[2]!, shortestM);
}

/** The cloud texture that must be passed for the expected cover of a place. */
function thresholdAt(moment: Moment, latDeg: number, place: Float64Array, at: number): number {
  const system = systemAt(moment, place[at]!, place[at + 1]!, place[at + 2]!, 0);
  return normalExceedance(regionalCover(system, meanCloudCover(latDeg, moment.dayOfYear)));
}

/** Beyond these thresholds the sky is clear, or overcast, whatever the texture. */
const ALWAYS = 3.2;

/** Pixels of many kilometres hold clouds and gaps alike. */
const MIXED_M = 30_000;

function excessOver(moment: Moment, threshold: number, x: number, y: number, z: number, shortestM: number): number {
  const plain = threshold > ALWAYS || shortestM > MIXED_M;
  return excessOf(threshold, plain ? 0 : cloudTexture(moment, x, y, z, shortestM), shortestM);
}

function excessOf(threshold: number, texture: number, shortestM: number): number {
  if (threshold > ALWAYS) return -1;
  if (shortestM > MIXED_M) return -0.4 * threshold;
  return threshold < -ALWAYS ? 2 + 0.4 * texture : texture - threshold;
}

export function skyOver(block: Block, nodes: NodeLattice, coarse: NodeLattice, view: View): Sky {
  const moment = momentOf(view.timeMs);
  const count = nodes.columns * nodes.rows;
  const excess = new Float32Array(count).fill(-1);
  const shadow = new Float32Array(count).fill(-1);
  const shortest = 2.2 * nodes.spacingM;
  const thresholds = new Float32Array(coarse.columns * coarse.rows);
  let clear = true;
  for (let i = 0; i < thresholds.length; i += 1) {
    thresholds[i] = thresholdAt(moment, coarse.latDeg[i]!, coarse.place, 3 * i);
    if (thresholds[i]! < ALWAYS) clear = false;
  }
  if (clear) return { excess, shadow, anyCloud: false };
  const elevation = (Math.max(12, view.sunElevationDeg) * Math.PI) / 180;
  const runM = CLOUD_M / Math.tan(elevation);
  const azimuth = (view.sunAzimuthDeg * Math.PI) / 180;
  const north = (runM * Math.cos(azimuth)) / METRES_PER_DEGREE;
  const east = (runM * Math.sin(azimuth)) / METRES_PER_DEGREE / Math.cos((block.centreLatDeg * Math.PI) / 180);
  const shadows = block.pixelM < 400;
  const texture = cloudTextures(moment, nodes.place, count, shortest, [0, 0, 0]);
  // One step towards the sun for all of the block: it bends by less than a pixel.
  placeOnSphere(block.centreLonDeg, block.centreLatDeg, scratch);
  const [fromX = 0, fromY = 0, fromZ = 0] = scratch;
  placeOnSphere(block.centreLonDeg + east, block.centreLatDeg + north, scratch);
  const towardsSun = [scratch[0]! - fromX, scratch[1]! - fromY, scratch[2]! - fromZ] as const;
  const shaded = shadows ? cloudTextures(moment, nodes.place, count, shortest, towardsSun) : null;
  let anyCloud = false;
  for (let i = 0; i < count; i += 1) {
    const column = ((i % nodes.columns) - 1) * nodes.stepPx;
    const row = (Math.floor(i / nodes.columns) - 1) * nodes.stepPx;
    const threshold = sampleNodes(coarse, thresholds, column, row);
    const above = excessOf(threshold, texture[i]!, shortest);
    excess[i] = above;
    if (above > -0.6) anyCloud = true;
    if (shaded === null) continue;
    const dark = excessOf(threshold, shaded[i]!, shortest);
    shadow[i] = dark;
    if (dark > -0.6) anyCloud = true;
  }
  return { excess, shadow, anyCloud };
}
