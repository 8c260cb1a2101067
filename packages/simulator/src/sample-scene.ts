import { setImmediate as nextTurn } from "node:timers/promises";
import { createProjection } from "@swath/kernel/crs/projection";
import { epsgOfUtmZone, utmProjString, utmZoneAt } from "@swath/kernel/crs/utm";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sunPosition } from "@swath/kernel/orbits/sun";
import { hashOf, unit } from "./constellation/hash.ts";
import type { Site } from "./constellation/sites.ts";
import type { ModelBand, SceneModel } from "./scene-model.ts";
import { BLOCK_PX, cloudCoverOf, drawRows } from "./world/render.ts";

/** A single scene of the simulated world, as an operator may have one in hand. Equal options give equal scenes. */
export interface SampleOptions {
  /** Any integer; decides where and when. */
  readonly seed: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Metres per pixel, 0.3 to 30. */
  readonly resolutionM: number;
}

/** Names, roles and central wavelengths of the bands, in the order of their pixels. */
const SAMPLE_BANDS = [
  { names: ["Blue", "blue", "b"], role: "B", wavelengthNm: 490 },
  { names: ["Green", "green", "g"], role: "G", wavelengthNm: 560 },
  { names: ["Red", "red", "r"], role: "R", wavelengthNm: 665 },
  { names: ["NIR", "near-ir"], role: "N", wavelengthNm: 842 },
] as const;

/** Coasts with a town, fields and ships within some kilometres; seeds choose among them. */
const PLACES: readonly Site[] = [
  { lonDeg: 153.199, latDeg: -27.379 },
  { lonDeg: -43.08, latDeg: -22.935 },
  { lonDeg: 2.26, latDeg: 41.395 },
  { lonDeg: -122.395, latDeg: 37.815 },
  { lonDeg: 23.62, latDeg: 37.95 },
  { lonDeg: 174.87, latDeg: -36.875 },
];
/** Where the season of growth begins, in the north and in the south. */
const FIRST_DAY_MS = { north: Date.UTC(2024, 3, 20), south: Date.UTC(2024, 9, 20) } as const;
const DAYS = 90;
const DAY_MS = 86_400_000;
/** Local solar time of the acquisition. */
const LOCAL_HOUR = 10.7;
/** A sky that shows what clouds look like without hiding the ground. */
const CLOUDS = 0.03;
const CLOUDS_TOLERANCE = 0.03;
const MAX_TRIES = 40;
const REFLECTANCE_SCALE = 0.0001;
const MIN_SIDE_PX = 16;
const MAX_SIDE_PX = 65_536;

/**
 * Where and when the scene of a seed is taken.
 *
 * @throws {RangeError} if an option is outside its range
 */
export function sampleScene(options: SampleOptions): SceneModel {
  const { seed, widthPx, heightPx, resolutionM } = options;
  for (const side of [widthPx, heightPx]) {
    if (!Number.isInteger(side) || side < MIN_SIDE_PX || side > MAX_SIDE_PX) {
      throw new RangeError(`scene sides must be integers from ${MIN_SIDE_PX} to ${MAX_SIDE_PX} pixels, got ${side}`);
    }
  }
  if (!(resolutionM >= 0.3 && resolutionM <= 30)) {
    throw new RangeError(`resolutionM must be from 0.3 to 30, got ${resolutionM}`);
  }
  const place = PLACES[((seed % PLACES.length) + PLACES.length) % PLACES.length] ?? { lonDeg: 0, latDeg: 0 };
  let model = modelAt(place, options, 0);
  let best = Infinity;
  for (let attempt = 0; attempt < MAX_TRIES && best > CLOUDS_TOLERANCE; attempt += 1) {
    const one = modelAt(place, options, Math.floor(unit(hashOf(seed, attempt)) * DAYS));
    const off = Math.abs(cloudCoverOf(one) - CLOUDS);
    if (off < best) [model, best] = [one, off];
  }
  return model;
}

function modelAt(place: Site, { seed, widthPx, heightPx, resolutionM }: SampleOptions, day: number): SceneModel {
  const { lonDeg, latDeg } = place;
  const zone = utmZoneAt(lonDeg, latDeg);
  const { forward, inverse } = createProjection(utmProjString(zone));
  const [x, y] = forward(lonDeg, latDeg);
  const snapped = (metres: number): number => Math.round(metres / resolutionM) * resolutionM;
  const originX = snapped(x - (widthPx * resolutionM) / 2);
  const originY = snapped(y + (heightPx * resolutionM) / 2);
  const acquiredAtMs =
    Math.round(
      (FIRST_DAY_MS[latDeg < 0 ? "south" : "north"] + day * DAY_MS + (LOCAL_HOUR - lonDeg / 15) * 3_600_000) / 1000,
    ) * 1000;
  const sun = sunPosition(acquiredAtMs, lonDeg, latDeg);
  const bands = SAMPLE_BANDS.map(({ names, role, wavelengthNm }): ModelBand => ({
    names,
    role,
    wavelengthNm,
    quantity: "reflectance",
    dataType: "uint16",
    bitDepth: 16,
    gsdM: resolutionM,
    scale: REFLECTANCE_SCALE,
    offset: 0,
    meaning: null,
    irradiance: null,
    widthPx,
    heightPx,
    originX,
    originY,
    pixelSizeX: resolutionM,
    pixelSizeY: -resolutionM,
  }));
  return {
    sceneId: `simulated-${seed}-${widthPx}x${heightPx}-${resolutionM}m`,
    provider: "local",
    dataset: "uploads",
    datasetType: "optical",
    satellite: "Swath Simulator",
    acquiredAtMs,
    crsEpsg: epsgOfUtmZone(zone),
    footprint: around(originX, originY, widthPx * resolutionM, heightPx * resolutionM, inverse),
    sunElevationDeg: sun.elevationDeg,
    sunAzimuthDeg: sun.azimuthDeg,
    offNadirDeg: 0,
    satelliteAzimuthDeg: 0,
    incidenceDeg: null,
    lookSide: null,
    orbitPass: "descending",
    relativeOrbit: 1,
    mode: null,
    sliceNumber: null,
    looks: null,
    stateVectors: [],
    quality: null,
    polarisations: [],
    bands,
  };
}

/** A little more than the grid: its edges are bent in longitude and latitude, and every pixel is to be valid. */
function around(
  west: number,
  north: number,
  widthM: number,
  heightM: number,
  inverse: (x: number, y: number) => readonly [number, number],
): MultiPolygon {
  const margin = 0.01;
  const corners = [
    [-margin, 1 + margin],
    [1 + margin, 1 + margin],
    [1 + margin, -margin],
    [-margin, -margin],
    [-margin, 1 + margin],
  ] as const;
  const ring = corners.map(([right, down]) => {
    const [lon, lat] = inverse(west + right * widthM, north - down * heightM);
    return [lon, lat] as const;
  });
  return { type: "MultiPolygon", coordinates: [[ring]] };
}

/**
 * All rows of a scene from the top, a few hundred at a time; between them other work goes on.
 *
 * @yields row-major pixels of each band and the number of rows
 */
export async function* sampleRows(
  model: SceneModel,
  signal: AbortSignal,
): AsyncGenerator<{ readonly rows: number; readonly bands: readonly Uint16Array[] }, void, undefined> {
  const { widthPx, heightPx } = model.bands[0] ?? { widthPx: 0, heightPx: 0 };
  for (let top = 0; top < heightPx; top += BLOCK_PX) {
    const rows = Math.min(BLOCK_PX, heightPx - top);
    const bands: Uint16Array[] = [];
    for (const index of model.bands.keys()) {
      await nextTurn();
      signal.throwIfAborted();
      bands.push(Uint16Array.from(drawRows(model, index, 0, top, widthPx, rows)));
    }
    yield { rows, bands };
  }
}
