import type { CompleteOptions, SimulationOptions } from "./options.ts";
import type { Landscape } from "./landscape.ts";
import type { Position } from "@swath/kernel/geometry/geojson";
import type { RowRenderer } from "./render.ts";
import type { Ship } from "./ships.ts";
import type { SunPosition } from "@swath/kernel/orbits/sun";
import { createProjection } from "@swath/kernel/crs/projection";
import { utmProjString, utmZoneOfEpsg } from "@swath/kernel/crs/utm";
import { createClouds } from "./clouds.ts";
import { planLandscape } from "./landscape.ts";
import { completeOptions } from "./options.ts";
import { createRowRenderer, TRUTH_CLASSES } from "./render.ts";
import { hullHalfWidth, placeShips } from "./ships.ts";
import { sunPosition } from "@swath/kernel/orbits/sun";

/** A ship of the ground truth. */
export interface TrueShip {
  /** Middle of the hull in pixel corners, `[column, row]`. */
  readonly centrePx: readonly [column: number, row: number];
  readonly centre: Position;
  /** Outline of the hull in pixel corners, closed. */
  readonly outlinePx: readonly (readonly [column: number, row: number])[];
  /** The same outline in longitude and latitude, closed, counter-clockwise. */
  readonly outline: readonly Position[];
  readonly lengthM: number;
  readonly beamM: number;
  /** Degrees clockwise from grid north, 0 to 360. */
  readonly headingDeg: number;
  /** 0 at anchor. */
  readonly speedMs: number;
}

/** A scene laid out but not drawn. */
export interface PlannedScene {
  readonly options: CompleteOptions;
  readonly sun: SunPosition;
  readonly ships: readonly TrueShip[];
  readonly renderRow: RowRenderer;
}

export interface SceneWindow {
  readonly column: number;
  readonly row: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Pixels of a window, row-major, `widthPx * heightPx` values each. */
export interface SimulatedPixels {
  /** Blue, green, red, near infrared: top-of-atmosphere reflectance * 10000, not corrected for the sun's angle. */
  readonly bands: readonly [blue: Uint16Array, green: Uint16Array, red: Uint16Array, nir: Uint16Array];
  /** Index into TRUTH_CLASSES; ships count as water. */
  readonly truth: Uint8Array;
}

export interface SimulatedScene extends PlannedScene, SimulatedPixels {
  /** Ratio of cloudy pixels, 0 to 1. */
  readonly cloudCover: number;
}

/** @throws {RangeError} if an option is outside its range */
export function planScene(options: SimulationOptions): PlannedScene {
  const complete = completeOptions(options);
  const zone = utmZoneOfEpsg(complete.epsg);
  if (zone === null) throw new RangeError(`epsg must be a WGS84 UTM zone, got ${complete.epsg}`);
  const projection = createProjection(utmProjString(zone));
  const { originX, originY, resolutionM } = complete;
  const place = (x: number, y: number): Position => projection.inverse(originX + x, originY - y);
  const [lonDeg, latDeg] = place((complete.widthPx * resolutionM) / 2, (complete.heightPx * resolutionM) / 2);
  const sun = sunPosition(complete.time.getTime(), lonDeg, latDeg);
  const landscape = planLandscape(complete, sun);
  const clouds = createClouds(landscape);
  const ships = placeShips(landscape, clouds);
  return {
    options: complete,
    sun,
    ships: ships.map((ship) => describeShip(landscape, ship, place)),
    renderRow: createRowRenderer(landscape, clouds, ships),
  };
}

/**
 * The pixels of any window of a planned scene; the same pixel has the same value in every window.
 *
 * @throws {RangeError} if the window leaves the scene
 */
export function renderWindow(scene: PlannedScene, window: SceneWindow): SimulatedPixels {
  const { column, row, widthPx, heightPx } = window;
  const inside =
    column >= 0 &&
    row >= 0 &&
    widthPx > 0 &&
    heightPx > 0 &&
    column + widthPx <= scene.options.widthPx &&
    row + heightPx <= scene.options.heightPx;
  if (!inside) {
    throw new RangeError(
      `window ${column},${row} ${widthPx}x${heightPx} leaves the scene of ${scene.options.widthPx}x${scene.options.heightPx}`,
    );
  }
  const size = widthPx * heightPx;
  const bands = [new Uint16Array(size), new Uint16Array(size), new Uint16Array(size), new Uint16Array(size)] as const;
  const truth = new Uint8Array(size);
  for (let line = 0; line < heightPx; line += 1) {
    const from = line * widthPx;
    scene.renderRow(
      row + line,
      column,
      bands.map((band) => band.subarray(from, from + widthPx)),
      truth.subarray(from, from + widthPx),
    );
  }
  return { bands, truth };
}

/**
 * A made-up but plausible satellite scene with its ground truth: a coast with a river mouth and a port town, farmland
 * in the growth of the season, woods, villages, roads, ships with wakes, clouds with shadows. Deterministic by seed.
 *
 * @throws {RangeError} if an option is outside its range
 */
export function simulateScene(options: SimulationOptions): SimulatedScene {
  const scene = planScene(options);
  const { widthPx, heightPx } = scene.options;
  const pixels = renderWindow(scene, { column: 0, row: 0, widthPx, heightPx });
  const cloudy = TRUTH_CLASSES.indexOf("clouds");
  let clouds = 0;
  for (const value of pixels.truth) if (value === cloudy) clouds += 1;
  return { ...scene, ...pixels, cloudCover: clouds / pixels.truth.length };
}

function describeShip(landscape: Landscape, ship: Ship, place: (x: number, y: number) => Position): TrueShip {
  const { resolutionM } = landscape.options;
  const heading = (ship.headingDeg * Math.PI) / 180;
  const stations = [-0.5, -0.425, 0, 0.225, 0.35, 0.44, 0.5].map((part) => part * ship.lengthM);
  const hull = [
    ...stations.map((ahead) => ({ ahead, abeam: hullHalfWidth(ship, ahead) })),
    ...stations.toReversed().map((ahead) => ({ ahead, abeam: -hullHalfWidth(ship, ahead) })),
  ].map(({ ahead, abeam }) => ({
    x: ship.x + ahead * Math.sin(heading) + abeam * Math.cos(heading),
    y: ship.y - ahead * Math.cos(heading) + abeam * Math.sin(heading),
  }));
  const closed = [...hull, ...hull.slice(0, 1)];
  return {
    centrePx: [ship.x / resolutionM, ship.y / resolutionM],
    centre: place(ship.x, ship.y),
    outlinePx: closed.map(({ x, y }) => [x / resolutionM, y / resolutionM] as const),
    outline: closed.map(({ x, y }) => place(x, y)),
    lengthM: ship.lengthM,
    beamM: ship.beamM,
    headingDeg: ship.headingDeg,
    speedMs: ship.speedMs,
  };
}
