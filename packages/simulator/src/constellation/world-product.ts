import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import type { ModelBand, SceneModel } from "../scene-model.ts";
import { measured, type ProductBand } from "./band-tables.ts";
import { METEOROLOGICAL } from "./satellites.ts";

/** A dataset whose scenes are grids of the whole world at regular times. */
export interface WorldProduct {
  readonly provider: string;
  readonly dataset: string;
  readonly satellite: string;
  readonly cadence: "hour" | "day" | "month";
  readonly fromMs: number;
  /** After the end of the time that a scene covers. */
  readonly latencyMs: number;
  readonly southDeg: number;
  readonly northDeg: number;
  /** Pixels in 360 degrees. */
  readonly columns: number;
  readonly bands: readonly ProductBand[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const WORLD_PRODUCTS: readonly WorldProduct[] = [
  {
    provider: "ee",
    dataset: "COPERNICUS/S5P/OFFL/L3_CH4",
    satellite: METEOROLOGICAL.methane,
    cadence: "day",
    fromMs: Date.UTC(2019, 1, 8),
    latencyMs: 3 * DAY_MS,
    southDeg: -80,
    northDeg: 80,
    columns: 36_000,
    bands: [measured(["CH4_column_volume_mixing_ratio_dry_air", "ch4"], "methane-ppb", 1113.2)],
  },
  {
    provider: "ee",
    dataset: "JAXA/GPM_L3/GSMaP/v6/operational",
    satellite: METEOROLOGICAL.precipitation,
    cadence: "hour",
    fromMs: Date.UTC(2014, 2, 1),
    latencyMs: 4 * HOUR_MS,
    southDeg: -60,
    northDeg: 60,
    columns: 3600,
    bands: [
      measured(["hourlyPrecipRate", "precipitation"], "precipitation-mm-per-h", 11_132),
      measured(["hourlyPrecipRateGC", "precipitation-gauge-adjusted"], "precipitation-mm-per-h", 11_132),
    ],
  },
  {
    provider: "noaa",
    dataset: "VIIRS/Monthly",
    satellite: METEOROLOGICAL.nightLights,
    cadence: "month",
    fromMs: Date.UTC(2014, 0, 1),
    latencyMs: 15 * DAY_MS,
    southDeg: -65,
    northDeg: 75,
    columns: 86_400,
    bands: [
      measured(["avg_rad", "radiance"], "night-lights-nw-per-cm2-sr", 463.83),
      { ...measured(["cf_cvg", "coverage"], "cloud-free-observations", 463.83), dataType: "uint8", bitDepth: 8 },
    ],
  },
];

/** The number of the period that a moment is in, counted from 1970. */
function periodOf(product: WorldProduct, ms: number): number {
  if (product.cadence === "hour") return Math.floor(ms / HOUR_MS);
  if (product.cadence === "day") return Math.floor(ms / DAY_MS);
  const date = new Date(ms);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

function startOf(product: WorldProduct, period: number): number {
  if (product.cadence === "hour") return period * HOUR_MS;
  if (product.cadence === "day") return period * DAY_MS;
  return Date.UTC(1970, period, 1);
}

/** Moments of the scenes that begin in the half-open interval and are published by `nowMs`, newest first. */
export function* worldMoments(
  product: WorldProduct,
  fromMs: number,
  toMs: number,
  nowMs: number,
): Generator<number, void, undefined> {
  const first = Math.max(fromMs, product.fromMs);
  let period = periodOf(product, Math.min(toMs - 1, nowMs));
  while (startOf(product, period + 1) + product.latencyMs > nowMs) period -= 1;
  for (; startOf(product, period) >= first; period -= 1) yield startOf(product, period);
}

/** When a scene is published that begins at that moment. */
export function publishedAtMs(product: WorldProduct, startMs: number): number {
  return startOf(product, periodOf(product, startMs) + 1) + product.latencyMs;
}

/** The moment a scene name says, or null when no scene of the product begins then. @example "20180112T060000" */
export function worldMomentOf(product: WorldProduct, name: string): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})T(\d{2})0000$/.exec(name);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0] = match.slice(1).map(Number);
  const startMs = Date.UTC(year, month - 1, day, hour);
  const exact = startOf(product, periodOf(product, startMs)) === startMs && worldSceneName(startMs) === name;
  return exact && startMs >= product.fromMs ? startMs : null;
}

function worldSceneName(startMs: number): string {
  return new Date(startMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}

const footprints = new Map<WorldProduct, { readonly footprint: MultiPolygon; readonly bands: readonly ModelBand[] }>();

function groundOf(product: WorldProduct): { readonly footprint: MultiPolygon; readonly bands: readonly ModelBand[] } {
  const known = footprints.get(product);
  if (known !== undefined) return known;
  const { southDeg, northDeg, columns } = product;
  const pixelDeg = 360 / columns;
  const ring = [
    [-180, southDeg],
    [0, southDeg],
    [180, southDeg],
    [180, northDeg],
    [0, northDeg],
    [-180, northDeg],
    [-180, southDeg],
  ] as const;
  const bands = product.bands.map(({ encoding, ...band }): ModelBand => ({
    ...band,
    scale: encoding.scale,
    offset: encoding.offset,
    widthPx: columns,
    heightPx: Math.round((northDeg - southDeg) / pixelDeg),
    originX: -180,
    originY: northDeg,
    pixelSizeX: pixelDeg,
    pixelSizeY: -pixelDeg,
  }));
  const ground = { footprint: { type: "MultiPolygon", coordinates: [[ring]] }, bands } as const;
  footprints.set(product, ground);
  return ground;
}

export function worldModel(product: WorldProduct, startMs: number): SceneModel {
  return {
    sceneId: sceneId(product.provider, product.dataset, worldSceneName(startMs)),
    provider: product.provider,
    dataset: product.dataset,
    datasetType: "environmental",
    satellite: product.satellite,
    acquiredAtMs: startMs,
    crsEpsg: 4326,
    ...groundOf(product),
    sunElevationDeg: 90,
    sunAzimuthDeg: 0,
    offNadirDeg: 0,
    satelliteAzimuthDeg: 0,
    incidenceDeg: null,
    lookSide: null,
    orbitPass: "ascending",
    relativeOrbit: 0,
    mode: null,
    sliceNumber: null,
    looks: null,
    stateVectors: [],
    quality: null,
    polarisations: [],
  };
}
