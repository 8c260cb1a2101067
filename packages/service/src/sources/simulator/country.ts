import { CROPS } from "./crops.ts";
import type { Landscape } from "./landscape.ts";
import type { Paint, Spectrum } from "./materials.ts";
import type { Piece } from "./subdivision.ts";
import { sample } from "./lattice.ts";
import { blend, fill, MATERIALS } from "./materials.ts";
import { hashUnit, noise, smoothStep } from "./noise.ts";
import { distanceToSide, subdivide } from "./subdivision.ts";

const REGION_M = 820;

/** What the countryside is at one place; reused between calls. */
export interface Country {
  /** Cover of a paved rural road, 0 to 1. */
  road: number;
}

interface Region {
  u: number;
  v: number;
  key: number;
}

/**
 * Paints farmland and woods. Regions are the cells around jittered sites; their edges carry the rural roads; inside,
 * each region is parcelled out at its own angle and every parcel grows one crop at its own pace.
 */
export function createCountryPainter(landscape: Landscape): (x: number, y: number, paint: Paint) => Country {
  const { seed, resolutionM } = landscape.options;
  const piece: Piece = { u0: 0, u1: 0, v0: 0, v1: 0, key: 0 };
  const nearest: Region = { u: 0, v: 0, key: 0 };
  const second: Region = { u: 0, v: 0, key: 0 };
  const country: Country = { road: 0 };

  function findRegions(u: number, v: number): void {
    const column = Math.floor(u / REGION_M);
    const row = Math.floor(v / REGION_M);
    let best = Infinity;
    let runnerUp = Infinity;
    for (let j = row - 1; j <= row + 1; j += 1) {
      for (let i = column - 1; i <= column + 1; i += 1) {
        const siteU = (i + 0.1 + 0.8 * hashUnit(i, j, seed + 30)) * REGION_M;
        const siteV = (j + 0.1 + 0.8 * hashUnit(i, j, seed + 31)) * REGION_M;
        const distance = (u - siteU) * (u - siteU) + (v - siteV) * (v - siteV);
        if (distance < best) {
          runnerUp = best;
          second.u = nearest.u;
          second.v = nearest.v;
          second.key = nearest.key;
          best = distance;
          nearest.u = siteU;
          nearest.v = siteV;
          nearest.key = Math.imul(i, 7919) + j;
        } else if (distance < runnerUp) {
          runnerUp = distance;
          second.u = siteU;
          second.v = siteV;
          second.key = Math.imul(i, 7919) + j;
        }
      }
    }
  }

  return (x, y, paint) => {
    const u = x + sample(landscape.lattice, landscape.warpX, x, y);
    const v = y + sample(landscape.lattice, landscape.warpY, x, y);
    findRegions(u, v);
    const du = u - nearest.u;
    const dv = v - nearest.v;
    const angle = hashUnit(nearest.key, 1, seed + 32) * Math.PI;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const p = du * cos + dv * sin;
    const q = -du * sin + dv * cos;
    piece.u0 = -1.5 * REGION_M;
    piece.u1 = 1.5 * REGION_M;
    piece.v0 = -1.5 * REGION_M;
    piece.v1 = 1.5 * REGION_M;
    piece.key = nearest.key;
    subdivide(piece, p, q, 150, 1.9, seed + 33);
    const key = piece.key;
    const side = distanceToSide(piece, p, q);
    const grain = noise(x / 9, y / 9, seed + 34);
    const woods = sample(landscape.lattice, landscape.woods, x, y);
    const wooded = woods + 0.5 * (hashUnit(key, 2, seed) - 0.5) > 0.3;
    if (wooded || woods > 0.52 + 0.05 * grain) paintWoods(landscape, x, y, key, grain, paint);
    else paintParcel(landscape, x, y, p, q, key, grain, paint);
    if (!wooded && hashUnit(key, 3, seed) < 0.42) {
      const hedge = Math.min(1, Math.max(0, (3.2 + 1.5 * grain - side) / resolutionM + 0.5));
      blend(paint, MATERIALS.forest, 0.9 + 0.35 * grain, hedge * 0.85);
    } else if (side < 3.5) {
      blend(paint, MATERIALS.grass, 1.12, 0.5);
    }

    const gapU = second.u - nearest.u;
    const gapV = second.v - nearest.v;
    const gap = Math.sqrt(gapU * gapU + gapV * gapV);
    // Distance to the line halfway between the two sites.
    const edge = (gap * gap - 2 * (du * gapU + dv * gapV)) / (2 * gap);
    const grade = hashUnit(Math.min(nearest.key, second.key), Math.max(nearest.key, second.key), seed + 35);
    const halfM = grade < 0.3 ? 4.6 : 3.1;
    const verge = Math.min(1, Math.max(0, (halfM + 3 - edge) / resolutionM + 0.5));
    const cover = Math.min(1, Math.max(0, (halfM - edge) / resolutionM + 0.5));
    if (verge > 0) blend(paint, MATERIALS.grass, 1.2, verge * 0.6);
    if (grade < 0.8) {
      blend(paint, MATERIALS.asphalt, 1.25 + 0.1 * grain, cover);
      country.road = cover;
    } else {
      blend(paint, MATERIALS.gravel, 1 + 0.1 * grain, cover * 0.8);
      country.road = 0;
    }
    return country;
  };
}

function paintWoods(landscape: Landscape, x: number, y: number, key: number, grain: number, paint: Paint): void {
  const { seed } = landscape.options;
  const tree = key % 5 === 0 ? MATERIALS.conifer : MATERIALS.forest;
  // A crown is bright towards the sun: the difference of the canopy along the sun's direction.
  const lit =
    noise((x + landscape.sunX * 3) / 8, (y + landscape.sunY * 3) / 8, seed + 36) - noise(x / 8, y / 8, seed + 36);
  const stand = noise(x / 110, y / 110, seed + 37);
  fill(paint, tree, 1.02 - 0.55 * lit + 0.14 * grain + 0.12 * stand);
}

const SOILS: readonly Spectrum[] = [MATERIALS.soilBrown, MATERIALS.soilLight, MATERIALS.soilBrown, MATERIALS.soilWet];

function paintParcel(
  landscape: Landscape,
  x: number,
  y: number,
  p: number,
  q: number,
  key: number,
  grain: number,
  paint: Paint,
): void {
  const { seed } = landscape.options;
  const crop = CROPS[Math.floor(hashUnit(key, 4, seed) * CROPS.length)]!;
  const soil = SOILS[Math.floor(hashUnit(key, 5, seed) * SOILS.length)]!;
  const pace = 26 * (hashUnit(key, 6, seed) - 0.5);
  const day = landscape.dayOfYear + pace - crop.peakDay;
  const vigour = 0.5 + 0.5 * noise(x / 75, y / 75, seed + 38);
  const growth = Math.exp(-((day / crop.spreadDays) ** 2));
  const cover = crop.cover * growth * (0.82 + 0.18 * vigour);
  const rows = 1 + 0.035 * Math.sin((q * 2 * Math.PI) / 11 + 2 * vigour);
  const tint = 0.86 + 0.28 * hashUnit(key, 7, seed);
  const light = tint * rows * (1 + 0.06 * grain);
  fill(paint, soil, light * (0.92 + 0.16 * vigour));
  if (crop.ripens && day > 0) blend(paint, MATERIALS.straw, light, smoothStep(5, crop.spreadDays * 0.9, day) * 0.95);
  blend(paint, hashUnit(key, 8, seed) < 0.45 ? MATERIALS.grass : MATERIALS.cropDense, light, cover);
  if (crop.flowers && Math.abs(day) < 24) blend(paint, MATERIALS.cropFlowering, light, 0.75 * vigour);
  // Tramlines: pairs of wheel tracks the width of a sprayer apart.
  const track = Math.abs(((((p + 400) % 27) + 27) % 27) - 13.5);
  if (track < 1.1 && cover > 0.3) blend(paint, soil, light, 0.28);
}
