import type { OpticalBands } from "../optical/optical-block.ts";
import { planeOf } from "../optical/optical-block.ts";
import { eroded, opened } from "../texture/mask-morphology.ts";
import { TextureCall } from "../texture/texture-kernel.ts";
import { FINEST_ROADS_GSD_M, NONURBAN, ROADS, URBAN, WATER } from "./classes.ts";
import type { LandCoverFeatures } from "./features.ts";

/** Widest road, metres. */
const WIDEST_ROAD_M = 30;

/**
 * Pixels whose class rules can tell by themselves, 0 elsewhere. Water: dark in the near infrared, without vegetation and
 * with a high NDWI. Land at more than 3.2 m: urban where edges are dense around, nonurban where they are few; at finer
 * pixels urban where the ground is besides bare or is grey, nonurban where it is green or brown; roads grey, coherent and narrow.
 *
 * @param mask pixels that may be seeds: 1, as clear ones of `cloudMask` are
 * @param noise contrast that the plainest ground has, see `noiseLevel`
 */
export function seedsOf(
  bands: OpticalBands,
  features: LandCoverFeatures,
  mask: Uint8Array,
  { gsdM, noise }: { readonly gsdM: number; readonly noise: number },
): Uint8Array {
  return gsdM <= FINEST_ROADS_GSD_M
    ? fineSeeds(bands, features, mask, gsdM)
    : coarseSeeds(bands, features, mask, noise);
}

function fineSeeds(bands: OpticalBands, features: LandCoverFeatures, mask: Uint8Array, gsdM: number): Uint8Array {
  const nir = planeOf(bands, "N");
  const sure = sureWater(features, nir);
  const roads = roadSeeds(bands, features, gsdM);
  const seeds = new Uint8Array(mask.length);
  for (let i = 0; i < seeds.length; i++) {
    if (mask[i] !== 1) continue;
    if (sure[i] === 1 || isLikelyWater(features, nir, i)) seeds[i] = WATER;
    else if (isPossibleWater(features.ndwi[i]!, nir[i]!)) continue;
    else seeds[i] = roads[i] === 1 ? ROADS : fineLandSeed(features, i);
  }
  return seeds;
}

/** Rules of water as of fine pixels; coarse pixels of gardens and streets are urban as well. */
function coarseSeeds(bands: OpticalBands, features: LandCoverFeatures, mask: Uint8Array, noise: number): Uint8Array {
  const { ndvi, ndwi, mndwi, density } = features;
  const call = new TextureCall();
  const to = call.plane(mask.length);
  call.kernel.coarseSeeds(
    call.put(mask),
    call.put(ndvi),
    call.put(ndwi),
    mndwi === null ? 0 : call.put(mndwi),
    call.put(planeOf(bands, "N")),
    call.put(density),
    to,
    mask.length,
    Math.min(MOST_DENSITY, Math.ceil(DENSE_COARSE + noise)),
    Math.min(MOST_DENSITY, Math.floor(SPARSE_COARSE + noise)),
    WATER,
    URBAN,
    NONURBAN,
  );
  return call.bytes(to, mask.length);
}

/** Mean change of brightness per pixel: what towns have at least, and fields at most. */
const DENSE = 135;
const SPARSE = 110;
/** Mean contrast of roofs: the same at more than 3.2 m. Measured at 10 m. */
const DENSE_COARSE = 28;
const SPARSE_COARSE = 22;
/** Of a plane of 16 bits. */
const MOST_DENSITY = 32_767;
const URBAN_NDVI_FINE = 2500;
const DENSE_VEGETATION = 5000;
/** Concrete and asphalt are grey and bare; soil is brown: its blue is at most three quarters of its red. */
const BARE_NDVI = 1500;
const GREY_SATURATION = 2000;
const BROWN_SATURATION = 2500;
const LEAST_GREY_BRIGHTNESS = 1000;

/** Fine pixels show gardens, yards and roofs for themselves. */
function fineLandSeed({ ndvi, density, saturation, brightness }: LandCoverFeatures, i: number): number {
  const green = ndvi[i]!;
  if (green > DENSE_VEGETATION) return NONURBAN;
  const isGrey = green < BARE_NDVI && saturation[i]! < GREY_SATURATION && brightness[i]! > LEAST_GREY_BRIGHTNESS;
  if (isGrey || (density[i]! >= DENSE && green < URBAN_NDVI_FINE)) return URBAN;
  const isSoilOrGrass = green >= URBAN_NDVI_FINE || saturation[i]! >= BROWN_SATURATION;
  return density[i]! <= SPARSE && isSoilOrGrass ? NONURBAN : 0;
}

/** 1 for water that needs no forest: bare, dark in near infrared, NDWI above 0.05, or above 0 with MNDWI above 0.3. */
export function sureWater(
  { ndvi, ndwi, mndwi }: Pick<LandCoverFeatures, "ndvi" | "ndwi" | "mndwi">,
  nir: Int16Array,
): Uint8Array {
  const call = new TextureCall();
  const to = call.plane(nir.length);
  const wet = mndwi === null ? 0 : call.put(mndwi);
  call.kernel.sureWater(call.put(ndvi), call.put(ndwi), wet, call.put(nir), to, nir.length);
  return call.bytes(to, nir.length);
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
