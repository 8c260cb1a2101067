import type { OpticalBands } from "../optical/optical-block.ts";
import { planeOf } from "../optical/optical-block.ts";
import { eroded, opened } from "../texture/mask-morphology.ts";
import { FINEST_ROADS_GSD_M, NONURBAN, ROADS, URBAN, WATER } from "./classes.ts";
import type { LandCoverFeatures } from "./features.ts";

/** Widest road, metres. */
const WIDEST_ROAD_M = 30;

/**
 * Pixels whose class rules can tell by themselves, 0 elsewhere. Water: dark in the near infrared, without vegetation and
 * with a high NDWI. Land at more than 3.2 m: urban where edges are dense around, nonurban where they are few; at finer
 * pixels urban where the ground is besides bare or is grey, nonurban where it is green or brown; roads grey, coherent and narrow.
 *
 * @param mask pixels that may be seeds: 1
 * @param noise contrast that the plainest ground has, see `noiseLevel`
 */
export function seedsOf(
  bands: OpticalBands,
  features: LandCoverFeatures,
  mask: Uint8Array,
  { gsdM, noise }: { readonly gsdM: number; readonly noise: number },
): Uint8Array {
  const nir = planeOf(bands, "N");
  const { ndwi, density } = features;
  const seeds = new Uint8Array(mask.length);
  const isFine = gsdM <= FINEST_ROADS_GSD_M;
  const roads = isFine ? roadSeeds(bands, features, gsdM) : null;
  for (let i = 0; i < seeds.length; i++) {
    if (mask[i] !== 1) continue;
    if (isSureWater(features, nir, i) || isLikelyWater(features, nir, i)) seeds[i] = WATER;
    else if (isPossibleWater(ndwi[i]!, nir[i]!)) continue;
    else if (roads !== null && roads[i] === 1) seeds[i] = ROADS;
    else seeds[i] = isFine ? fineLandSeed(features, i) : coarseLandSeed(density[i]! - noise);
  }
  return seeds;
}

/** Mean change of brightness per pixel: what towns have at least, and fields at most. */
const DENSE = 135;
const SPARSE = 110;
/** Mean contrast of roofs: the same at more than 3.2 m. Measured at 10 m. */
const DENSE_COARSE = 28;
const SPARSE_COARSE = 22;
const URBAN_NDVI_FINE = 2500;
const DENSE_VEGETATION = 5000;
/** Concrete and asphalt are grey and bare; soil is brown: its blue is at most three quarters of its red. */
const BARE_NDVI = 1500;
const GREY_SATURATION = 2000;
const BROWN_SATURATION = 2500;
const LEAST_GREY_BRIGHTNESS = 1000;

/** Coarse pixels of gardens and streets are urban as well. */
function coarseLandSeed(density: number): number {
  if (density >= DENSE_COARSE) return URBAN;
  return density <= SPARSE_COARSE ? NONURBAN : 0;
}

/** Fine pixels show gardens, yards and roofs for themselves. */
function fineLandSeed({ ndvi, density, saturation, brightness }: LandCoverFeatures, i: number): number {
  const green = ndvi[i]!;
  if (green > DENSE_VEGETATION) return NONURBAN;
  const isGrey = green < BARE_NDVI && saturation[i]! < GREY_SATURATION && brightness[i]! > LEAST_GREY_BRIGHTNESS;
  if (isGrey || (density[i]! >= DENSE && green < URBAN_NDVI_FINE)) return URBAN;
  const isSoilOrGrass = green >= URBAN_NDVI_FINE || saturation[i]! >= BROWN_SATURATION;
  return density[i]! <= SPARSE && isSoilOrGrass ? NONURBAN : 0;
}

const SURE_NDWI = 500;

/** Water that needs no forest. */
export function isSureWater(
  { ndvi, ndwi, mndwi }: Pick<LandCoverFeatures, "ndvi" | "ndwi" | "mndwi">,
  nir: Int16Array,
  i: number,
): boolean {
  if (ndvi[i]! >= 1000 || nir[i]! >= 1200) return false;
  return ndwi[i]! > SURE_NDWI || (mndwi !== null && mndwi[i]! > 3000 && ndwi[i]! > 0);
}

/** Narrow, shallow or turbid water, sure enough to learn from. */
function isLikelyWater({ ndvi, ndwi, mndwi }: LandCoverFeatures, nir: Int16Array, i: number): boolean {
  return ndvi[i]! < 2000 && nir[i]! < 1200 && ndwi[i]! > -1000 && (mndwi === null || mndwi[i]! > -500);
}

/** What may be water and so teaches nothing of land. */
function isPossibleWater(ndwi: number, nir: number): boolean {
  return ndwi > -1500 && nir < 1500;
}

function roadSeeds(bands: OpticalBands, features: LandCoverFeatures, gsdM: number): Uint8Array {
  const { columns, rows, valid } = bands;
  const { ndvi, saturation, brightness, coherence } = features;
  const grey = new Uint8Array(valid.length);
  for (let i = 0; i < grey.length; i++) {
    const bright = brightness[i]!;
    grey[i] = valid[i] === 1 && ndvi[i]! < 2000 && saturation[i]! < 2500 && bright > 400 && bright < 3000 ? 1 : 0;
  }
  const narrow = opened(grey, columns, rows, Math.max(1, Math.round(WIDEST_ROAD_M / 2 / gsdM)));
  const seeds = new Uint8Array(grey.length);
  const inner = gsdM < 1.5 ? eroded(grey, columns, rows, 1) : grey;
  for (let i = 0; i < seeds.length; i++) {
    seeds[i] = inner[i] === 1 && narrow[i] === 0 && coherence[i]! > 5000 ? 1 : 0;
  }
  return seeds;
}
