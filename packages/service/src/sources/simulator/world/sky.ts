import type { NodeLattice } from "./node-lattice.ts";
import type { Block } from "./block.ts";
import type { View } from "./view.ts";
import type { Moment } from "./weather.ts";
import { placeOnSphere } from "./sphere-noise.ts";
import { cloudTexture, meanCloudCover, momentOf, normalExceedance, regionalCover, systemAt } from "./weather.ts";

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
  return excessAt(moment, latDeg, scratch, 0, shortestM);
}

function excessAt(moment: Moment, latDeg: number, place: Float64Array, at: number, shortestM: number): number {
  const x = place[at]!;
  const y = place[at + 1]!;
  const z = place[at + 2]!;
  const cover = regionalCover(systemAt(moment, x, y, z, 0), meanCloudCover(latDeg, moment.dayOfYear));
  if (cover <= 0.001) return -1;
  if (cover >= 0.999) return 1;
  const threshold = normalExceedance(cover);
  // Pixels of many kilometres hold clouds and gaps alike.
  if (shortestM > 30_000) return cover - 0.5;
  return cloudTexture(moment, x, y, z, shortestM) - threshold;
}

export function skyOver(block: Block, nodes: NodeLattice, view: View): Sky {
  const moment = momentOf(view.timeMs);
  const count = nodes.columns * nodes.rows;
  const excess = new Float32Array(count);
  const shadow = new Float32Array(count).fill(-1);
  const shortest = 2.2 * nodes.spacingM;
  const elevation = (Math.max(12, view.sunElevationDeg) * Math.PI) / 180;
  const runM = CLOUD_M / Math.tan(elevation);
  const azimuth = (view.sunAzimuthDeg * Math.PI) / 180;
  const north = (runM * Math.cos(azimuth)) / METRES_PER_DEGREE;
  const east = (runM * Math.sin(azimuth)) / METRES_PER_DEGREE / Math.cos((block.centreLatDeg * Math.PI) / 180);
  let anyCloud = false;
  for (let i = 0; i < count; i += 1) {
    const above = excessAt(moment, nodes.latDeg[i]!, nodes.place, 3 * i, shortest);
    excess[i] = above;
    if (above > -0.6) anyCloud = true;
    if (block.pixelM < 400) {
      const dark = cloudExcess(moment, nodes.lonDeg[i]! + east, nodes.latDeg[i]! + north, shortest);
      shadow[i] = dark;
      if (dark > -0.6) anyCloud = true;
    }
  }
  return { excess, shadow, anyCloud };
}
