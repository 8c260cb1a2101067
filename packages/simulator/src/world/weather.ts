import { hashUnit } from "../noise.ts";
import { addOctaves, octaves } from "./sphere-noise.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Weather systems grow and fade within this time. */
const SYSTEM_MS = 9 * HOUR_MS;
/** Standard deviation of the noise that the weather is made of, so that it can be read as a normal deviate. */
const SYSTEM_SIGMA = 0.475;

/** Mean cloud cover by zones of 15 degrees from 90 south, after zonal means of satellite climatologies. */
const ZONE_COVER = [0.75, 0.75, 0.85, 0.7, 0.55, 0.62, 0.65, 0.5, 0.6, 0.7, 0.72, 0.72] as const;

/** Mean cloud cover at a latitude in a month: the zonal mean, higher in the rainy summer of the tropics. */
export function meanCloudCover(latDeg: number, dayOfYear: number): number {
  const position = Math.max(0, Math.min(10.999, (latDeg + 90) / 15 - 0.5));
  const zone = Math.floor(position);
  const mean = ZONE_COVER[zone]! + (ZONE_COVER[zone + 1]! - ZONE_COVER[zone]!) * (position - zone);
  const summer = Math.cos(((dayOfYear - 202) / 365.25) * 2 * Math.PI) * Math.sign(latDeg);
  const tropical = Math.exp(-(((Math.abs(latDeg) - 14) / 12) ** 2));
  const temperate = Math.exp(-(((Math.abs(latDeg) - 50) / 10) ** 2));
  return Math.max(0.08, Math.min(0.92, mean - 0.08 + 0.14 * tropical * summer - 0.09 * temperate * summer));
}

/** The normal distribution function. */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    0.3989423 *
    Math.exp((-z * z) / 2) *
    t *
    (0.3193815 + t * (-0.3565638 + t * (1.781478 + t * (-1.821256 + t * 1.330274))));
  return z > 0 ? 1 - tail : tail;
}

/** The deviate that a normal variable exceeds with a probability, accurate to 0.005. */
export function normalExceedance(probability: number): number {
  const p = Math.max(1e-5, Math.min(1 - 1e-5, probability));
  const tail = p < 0.5 ? p : 1 - p;
  const t = Math.sqrt(-2 * Math.log(tail));
  const z = t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t);
  return p < 0.5 ? z : -z;
}

/** A moment of the weather: how far the air has moved and which systems are alive. */
export interface Moment {
  readonly dayOfYear: number;
  readonly driftX: number;
  readonly driftY: number;
  readonly driftZ: number;
  readonly system: number;
  /** How much the coming system weighs, 0 to 1. */
  readonly blend: number;
  /** Seed of the small clouds, one for every day. */
  readonly daySeed: number;
}

export function momentOf(timeMs: number): Moment {
  const system = Math.floor(timeMs / SYSTEM_MS);
  const day = Math.floor(timeMs / DAY_MS);
  const seconds = (timeMs - day * DAY_MS) / 1000;
  // The wind blows another way every day; clouds of one day share it, whatever the satellite.
  const speed = 5 + 7 * hashUnit(day, 1, 611);
  const towards = 2 * Math.PI * hashUnit(day, 2, 611);
  return {
    dayOfYear: (timeMs / DAY_MS - 0.25) % 365.2425,
    driftX: seconds * speed * Math.cos(towards),
    driftY: seconds * speed * Math.sin(towards),
    driftZ: seconds * speed * (hashUnit(day, 3, 611) - 0.5),
    system,
    blend: timeMs / SYSTEM_MS - system,
    daySeed: 20_000 + (day % 400_000),
  };
}

/**
 * Strength of the weather system over a place as a normal deviate: low under high pressure, high under rain. Continuous
 * in place and time.
 */
export function systemAt(moment: Moment, x: number, y: number, z: number, shortestM: number): number {
  const { system } = moment;
  return blended(moment, systemField(system, x, y, z, shortestM), systemField(system + 1, x, y, z, shortestM));
}

/** The part of one system alone, the same as long as it lives. */
function systemField(system: number, x: number, y: number, z: number, shortestM: number): number {
  const finest = Math.max(shortestM, 120_000);
  return octaves(x, y, z, 1_100_000, finest, 0.5, 30_000 + system * 7) / SYSTEM_SIGMA;
}

/** The strength of a leaving and a coming system at a moment. */
export function blended({ blend }: Moment, leaving: number, coming: number): number {
  // Keeps the spread of the sum the same while one system gives way to the next.
  const spread = Math.sqrt(blend * blend + (1 - blend) * (1 - blend));
  return (leaving * (1 - blend) + coming * blend) / spread;
}

/** Expected cloud cover over a place, 0 to 1: mostly clear or mostly overcast, the climatology on average. */
export function regionalCover(system: number, mean: number): number {
  const cover = 1 / (1 + Math.exp(-13 * (normalCdf(system) - (1 - mean))));
  return Math.max(0, Math.min(1, (cover - 0.035) / 0.93));
}

const CLOUD_SIGMA = 0.485;

/** Texture of the clouds as a normal deviate; clouds are where it exceeds `normalExceedance` of the cover. */
export function cloudTexture(moment: Moment, x: number, y: number, z: number, shortestM: number): number {
  const shiftedX = x + moment.driftX;
  const shiftedY = y + moment.driftY;
  const shiftedZ = z + moment.driftZ;
  return (
    octaves(shiftedX, shiftedY, shiftedZ, 30_000, Math.max(40, shortestM), 0.56, moment.daySeed * 13) / CLOUD_SIGMA
  );
}

/** As `cloudTexture` at many places, three coordinates each, all moved by `shift`. */
export function cloudTextures(
  moment: Moment,
  places: Float64Array,
  count: number,
  shortestM: number,
  shift: readonly [number, number, number],
): Float64Array {
  const out = new Float64Array(count);
  const drift = [shift[0] + moment.driftX, shift[1] + moment.driftY, shift[2] + moment.driftZ] as const;
  addOctaves(out, places, drift, 30_000, Math.max(40, shortestM), 0.56, moment.daySeed * 13, 1 / CLOUD_SIGMA);
  return out;
}

/** As `systemField` at many places. */
export function systemFields(system: number, places: Float64Array, count: number): Float64Array {
  const out = new Float64Array(count);
  addOctaves(out, places, STILL, 1_100_000, 120_000, 0.5, 30_000 + system * 7, 1 / SYSTEM_SIGMA);
  return out;
}

/** Texture of the rain of one system at many places as normal deviates, the same as long as it lives. */
export function rainFields(system: number, places: Float64Array, count: number): Float64Array {
  const out = new Float64Array(count);
  addOctaves(out, places, STILL, 260_000, 55_000, 0.62, 31_000 + system * 5, 1 / 0.49);
  return out;
}

const STILL = [0, 0, 0] as const;
