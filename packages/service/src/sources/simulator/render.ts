import type { Clouds } from "./clouds.ts";
import type { Landscape } from "./landscape.ts";
import type { Paint } from "./materials.ts";
import type { Ship } from "./ships.ts";
import { createCountryPainter } from "./country.ts";
import { coastAxes, riverHalfWidth } from "./landscape.ts";
import { distanceToCurve, sample } from "./lattice.ts";
import { blend, MATERIALS, shade } from "./materials.ts";
import { hashUnit, noise } from "./noise.ts";
import { paintShip, reachOfShip } from "./ships.ts";
import { createTownPainter } from "./town.ts";
import { createWaterPainter } from "./water.ts";

/** Classes of the ground truth; a pixel's value is the index. */
export const TRUTH_CLASSES = ["water", "roads", "urban", "nonurban", "clouds"] as const;

const WATER = 0;
const ROADS = 1;
const URBAN = 2;
const NONURBAN = 3;
const CLOUDS = 4;

/** Light scattered into the sensor by air, in reflectance. */
const HAZE = [0.03, 0.017, 0.009, 0.004] as const;
const NOISE = 0.0016;

/** Writes band values and truth of one row from `column0` on, for as many pixels as `truth` holds. */
export type RowRenderer = (row: number, column0: number, bands: readonly Uint16Array[], truth: Uint8Array) => void;

/** Pixels are pure functions of scene and place, so that any window of any row is the same in every call. */
export function createRowRenderer(landscape: Landscape, clouds: Clouds, ships: readonly Ship[]): RowRenderer {
  const { seed, resolutionM } = landscape.options;
  const paint: Paint = new Float64Array(4);
  const under: Paint = new Float64Array(4);
  const paintGround = createGroundPainter(landscape);
  const sinSun = Math.sin((Math.max(5, landscape.sun.elevationDeg) * Math.PI) / 180);

  return (row, column0, bands, truth) => {
    const y = (row + 0.5) * resolutionM;
    const near = ships.filter((ship) => Math.abs(ship.y - y) < reachOfShip(ship) + resolutionM);
    for (let i = 0; i < truth.length; i += 1) {
      const column = column0 + i;
      const x = (column + 0.5) * resolutionM;
      let kind = paintGround(x, y, paint);
      if (kind === WATER) {
        for (const ship of near) {
          const reach = reachOfShip(ship) + resolutionM;
          if (Math.abs(ship.x - x) > reach) continue;
          under.set(paint);
          paintOverSamples(landscape, ship, x, y, under, paint);
        }
      }
      const dark = clouds.shadow(x, y);
      if (dark > 0) shade(paint, 1 - 0.62 * dark, 1 - 0.66 * dark);
      const cover = clouds.cover(x, y);
      if (cover > 0) {
        blend(paint, MATERIALS.cloud, clouds.light(x, y), cover);
        if (cover > 0.5) kind = CLOUDS;
      }
      truth[i] = kind;
      for (let band = 0; band < 4; band += 1) {
        const grain = hashUnit(column, row, seed + 80 + band) + hashUnit(column, row, seed + 90 + band) - 1;
        const reflectance = (paint[band]! * (1 - HAZE[band]!) + HAZE[band]!) * sinSun + NOISE * grain;
        bands[band]![i] = Math.max(1, Math.round(reflectance * 10_000));
      }
    }
  };
}

/** Averages a ship over four points of the pixel, so that hulls have smooth edges. */
function paintOverSamples(landscape: Landscape, ship: Ship, x: number, y: number, under: Paint, paint: Paint): void {
  const quarter = landscape.options.resolutionM / 4;
  let blue = 0;
  let green = 0;
  let red = 0;
  let nir = 0;
  for (let corner = 0; corner < 4; corner += 1) {
    paint.set(under);
    paintShip(
      landscape,
      ship,
      x + (corner % 2 === 0 ? -quarter : quarter),
      y + (corner < 2 ? -quarter : quarter),
      paint,
    );
    blue += paint[0]!;
    green += paint[1]!;
    red += paint[2]!;
    nir += paint[3]!;
  }
  paint[0] = blue / 4;
  paint[1] = green / 4;
  paint[2] = red / 4;
  paint[3] = nir / 4;
}

/** Paints land or water of a place and returns its truth class. */
function createGroundPainter(landscape: Landscape): (x: number, y: number, paint: Paint) => number {
  const { seed, resolutionM } = landscape.options;
  const paintCountry = createCountryPainter(landscape);
  const paintTown = createTownPainter(landscape);
  const paintWater = createWaterPainter(landscape);
  const mixed: Paint = new Float64Array(4);

  function paintLand(x: number, y: number, shore: number, paint: Paint): number {
    const builtHere = sample(landscape.lattice, landscape.built, x, y);
    const town = builtHere > 0.05 ? paintTown(x, y, paint) : "none";
    let kind: number;
    if (town === "none") {
      const country = paintCountry(x, y, paint);
      kind = country.road > 0.5 ? ROADS : NONURBAN;
    } else kind = town === "street" ? ROADS : town === "urban" ? URBAN : NONURBAN;
    const light = sample(landscape.lattice, landscape.relief, x, y);
    for (let band = 0; band < 4; band += 1) paint[band] = paint[band]! * light;
    const beachM = 20 + 26 * noise(x / 210, y / 210, seed + 81);
    if (shore < beachM) {
      const quay = town !== "none";
      blend(
        paint,
        quay ? MATERIALS.concrete : MATERIALS.sand,
        quay ? 0.95 : 1,
        Math.min(1, (beachM - shore) / 9 + 0.3),
      );
      kind = quay ? URBAN : NONURBAN;
    }
    return kind;
  }

  return (x, y, paint) => {
    const { inland, along } = coastAxes(landscape, x, y);
    const shore = sample(landscape.lattice, landscape.shore, x, y) + 3 * noise(x / 24, y / 24, seed + 82);
    const river =
      Math.abs(distanceToCurve(landscape.river, inland, along)) -
      riverHalfWidth(landscape, inland) +
      2 * noise(x / 18, y / 18, seed + 83);
    const dry = Math.min(shore, river);
    const land = Math.min(1, Math.max(0, dry / resolutionM + 0.5));
    let kind: number;
    if (land === 0) {
      paintWater(x, y, paint);
      kind = WATER;
    } else {
      kind = paintLand(x, y, shore, paint);
      // Wet banks are darker and greener than what lies behind them.
      if (river < 14) blend(paint, MATERIALS.forest, 1.1, 0.75 * Math.min(1, (14 - river) / 6));
      if (land < 1) {
        paintWater(x, y, mixed);
        for (let band = 0; band < 4; band += 1) paint[band] = mixed[band]! + (paint[band]! - mixed[band]!) * land;
        if (land < 0.5) kind = WATER;
      }
    }
    const off = Math.abs(distanceToCurve(landscape.motorway, along, inland));
    if (off < 40 && shore > 0) return paintMotorway(x, y, off, land, paint, kind);
    return kind;
  };

  function paintMotorway(x: number, y: number, off: number, land: number, paint: Paint, kind: number): number {
    const halfM = 12.5;
    const cover = Math.min(1, Math.max(0, (halfM - off) / resolutionM + 0.5));
    if (land > 0.5) {
      const slope = Math.min(1, Math.max(0, (halfM + 9 - off) / resolutionM + 0.5));
      blend(paint, MATERIALS.grass, 1.05, 0.7 * slope);
    }
    blend(paint, land > 0.5 ? MATERIALS.asphalt : MATERIALS.concrete, land > 0.5 ? 1.05 : 0.85, cover);
    const median = Math.min(1, Math.max(0, (1.8 - off) / resolutionM + 0.5));
    blend(paint, MATERIALS.grass, 0.95, 0.75 * median * (land > 0.5 ? 1 : 0));
    const traffic = hashUnit(Math.floor(x / 9), Math.floor(y / 9), seed + 84);
    if (traffic < 0.05 && cover > 0.9 && off > 3) blend(paint, MATERIALS.roofWhite, 0.6 + traffic * 12, 0.5);
    return cover > 0.5 ? ROADS : kind;
  }
}
