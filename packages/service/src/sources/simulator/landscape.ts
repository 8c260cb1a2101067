import type { Curve, Field, Lattice } from "./lattice.ts";
import type { CompleteOptions } from "./options.ts";
import type { SunPosition } from "@swath/kernel/orbits/sun";
import { createLattice, distanceToCurve, sample, tabulate, tabulateCurve } from "./lattice.ts";
import { fractalNoise, hashUnit, noise, smoothStep } from "./noise.ts";

/*
 * Terminology. Places are metres east (x) and south (y) of the scene's top-left corner. The coast has an axis: `along`
 * runs with the shore, `inland` away from the sea. `shore` is the signed distance to the sea (land positive) and
 * `rural` roads follow the edges between farming regions.
 */

export interface Town {
  readonly x: number;
  readonly y: number;
  readonly radiusM: number;
}

/** Everything about a scene that is not a pixel. */
export interface Landscape {
  readonly options: CompleteOptions;
  readonly sun: SunPosition;
  /** Unit vector towards the sun on the ground. */
  readonly sunX: number;
  readonly sunY: number;
  /** Ground metres of shadow per metre of height. */
  readonly shadowRun: number;
  readonly dayOfYear: number;
  readonly widthM: number;
  readonly heightM: number;
  readonly sizeM: number;
  readonly inlandX: number;
  readonly inlandY: number;
  readonly lattice: Lattice;
  readonly shore: Field;
  readonly warpX: Field;
  readonly warpY: Field;
  /** Brightness of the terrain by its slope to the sun, around 1. */
  readonly relief: Field;
  readonly woods: Field;
  readonly built: Field;
  readonly cloudBias: Field;
  readonly river: Curve;
  readonly motorway: Curve;
  readonly towns: readonly Town[];
}

/** Distance inland and along the shore from the middle of the scene. */
export function coastAxes(landscape: Landscape, x: number, y: number): { inland: number; along: number } {
  const cx = x - landscape.widthM / 2;
  const cy = y - landscape.heightM / 2;
  return {
    inland: cx * landscape.inlandX + cy * landscape.inlandY,
    along: -cx * landscape.inlandY + cy * landscape.inlandX,
  };
}

/** Half the width of the river: a stream inland, an estuary at the mouth. */
export function riverHalfWidth(landscape: Landscape, inland: number): number {
  const mouth = -0.2 * landscape.sizeM;
  return 13 + 55 * Math.exp(-Math.max(0, inland - mouth) / (0.07 * landscape.sizeM));
}

/** Metres to the nearest sea or river water: positive on land. */
export function landDistance(landscape: Landscape, x: number, y: number): number {
  const { inland, along } = coastAxes(landscape, x, y);
  const river = Math.abs(distanceToCurve(landscape.river, inland, along)) - riverHalfWidth(landscape, inland);
  return Math.min(sample(landscape.lattice, landscape.shore, x, y), river);
}

/** Lays out coast, river, motorway, towns and the fields that everything else is drawn from. */
export function planLandscape(options: CompleteOptions, sun: SunPosition): Landscape {
  const { seed, resolutionM } = options;
  const widthM = options.widthPx * resolutionM;
  const heightM = options.heightPx * resolutionM;
  // Features keep the size of a 6 km scene; a larger scene holds more of them instead of larger ones.
  const sizeM = Math.min(6000, Math.max(1200, Math.min(widthM, heightM)));
  const heading = (hashUnit(1, 0, seed) - 0.5) * 1.1;
  const inlandX = Math.cos(heading);
  const inlandY = Math.sin(heading);
  const reachM = Math.hypot(widthM, heightM) / 2;
  const lattice = createLattice(options.widthPx, options.heightPx, resolutionM);
  const field = (value: (x: number, y: number) => number): Field => tabulate(lattice, value);
  const axes = (x: number, y: number): readonly [number, number] => {
    const cx = x - widthM / 2;
    const cy = y - heightM / 2;
    return [cx * inlandX + cy * inlandY, -cx * inlandY + cy * inlandX];
  };

  const coastAt = -0.27 * Math.min(widthM, heightM);
  const shore = field((x, y) => {
    const [inland] = axes(x, y);
    const bays = fractalNoise(x / (0.42 * sizeM), y / (0.42 * sizeM), 3, seed + 11);
    const coves = 0.045 * sizeM * noise(x / 560, y / 560, seed + 12) + 22 * noise(x / 150, y / 150, seed + 10);
    return inland - coastAt + 0.2 * sizeM * bays + coves;
  });
  const river = tabulateCurve(-reachM, reachM, 2 * resolutionM, (place) => {
    // Straight from the mouth on: a bend there would run along the shore instead of into the sea.
    const t = Math.max(place, coastAt + 0.1 * sizeM);
    const s = (t - coastAt) / sizeM;
    return (
      sizeM * ((hashUnit(2, 0, seed) - 0.5) * 0.3 + 0.1 * Math.sin(5 * s + 6 * hashUnit(3, 0, seed))) +
      0.1 * sizeM * noise(t / (0.16 * sizeM), 0.5, seed + 13) +
      0.02 * sizeM * noise(t / (0.05 * sizeM), 0.5, seed + 14)
    );
  });
  const motorway = tabulateCurve(-reachM, reachM, 2 * resolutionM, (t) => {
    const bends = 0.07 * sizeM * noise(t / (0.35 * sizeM), 3.5, seed + 15);
    return coastAt + 0.52 * sizeM + bends + 0.1 * t * (hashUnit(4, 0, seed) - 0.5);
  });
  const towns = placeTowns({ seed, sizeM, widthM, heightM, inlandX, inlandY, coastAt, river });
  const built = field((x, y) => 0.4 * fractalNoise(x / 420, y / 420, 2, seed + 16) - 1);
  for (const town of towns) raiseTown(lattice, built, town);
  const height = (x: number, y: number): number => {
    const [inland] = axes(x, y);
    const hilly = smoothStep(0.1 * sizeM, 0.7 * sizeM, inland - coastAt);
    return (12 + 85 * hilly) * fractalNoise(x / (0.22 * sizeM), y / (0.22 * sizeM), 4, seed + 17);
  };
  const azimuth = (sun.azimuthDeg * Math.PI) / 180;
  const sunX = Math.sin(azimuth);
  const sunY = -Math.cos(azimuth);
  const elevation = (Math.max(5, sun.elevationDeg) * Math.PI) / 180;
  const stepM = Math.max(20, lattice.spacingM);
  const relief = field((x, y) => {
    const rise =
      (height(x + sunX * stepM, y + sunY * stepM) - height(x - sunX * stepM, y - sunY * stepM)) / (2 * stepM);
    return Math.min(1.3, Math.max(0.6, 1 - rise / Math.tan(elevation)));
  });
  const yearStart = Date.UTC(options.time.getUTCFullYear(), 0, 0);
  return {
    options,
    sun,
    sunX,
    sunY,
    shadowRun: 1 / Math.tan(elevation),
    dayOfYear: (options.time.getTime() - yearStart) / 86_400_000,
    widthM,
    heightM,
    sizeM,
    inlandX,
    inlandY,
    lattice,
    shore,
    warpX: field((x, y) => 90 * fractalNoise(x / 700, y / 700, 3, seed + 18)),
    warpY: field((x, y) => 90 * fractalNoise(x / 700, y / 700, 3, seed + 19)),
    relief,
    woods: field((x, y) => {
      const [inland] = axes(x, y);
      const hills = 0.25 * smoothStep(0.35 * sizeM, 0.9 * sizeM, inland - coastAt);
      return fractalNoise(x / 800, y / 800, 3, seed + 20) + hills;
    }),
    built,
    cloudBias: field((x, y) => fractalNoise(x / (0.5 * sizeM), y / (0.5 * sizeM), 2, seed + 21)),
    river,
    motorway,
    towns,
  };
}

/** Adds a cone of building density that reaches two radii far. */
function raiseTown(lattice: Lattice, built: Field, town: Town): void {
  const { columns, rows, spacingM } = lattice;
  const reachM = 2 * town.radiusM;
  const first = (centre: number): number => Math.max(0, Math.ceil((centre - reachM) / spacingM));
  const last = (centre: number, count: number): number => Math.min(count - 1, Math.floor((centre + reachM) / spacingM));
  for (let row = first(town.y); row <= last(town.y, rows); row += 1) {
    for (let column = first(town.x); column <= last(town.x, columns); column += 1) {
      const distance = Math.hypot(column * spacingM - town.x, row * spacingM - town.y);
      const at = row * columns + column;
      built[at] = built[at]! + Math.max(0, 2 - distance / town.radiusM);
    }
  }
}

function placeTowns(ground: {
  seed: number;
  sizeM: number;
  widthM: number;
  heightM: number;
  inlandX: number;
  inlandY: number;
  coastAt: number;
  river: Curve;
}): readonly Town[] {
  const { seed, sizeM, widthM, heightM, inlandX, inlandY, coastAt, river } = ground;
  const place = (inland: number, along: number, radiusM: number): Town => ({
    x: widthM / 2 + inland * inlandX - along * inlandY,
    y: heightM / 2 + inland * inlandY + along * inlandX,
    radiusM,
  });
  // The port lies on one bank of the estuary; a coordinate across a straight axis is minus the curve's distance.
  const inland = coastAt + 0.19 * sizeM;
  const mouth = -distanceToCurve(river, inland, 0);
  const bank = hashUnit(5, 0, seed) < 0.5 ? -1 : 1;
  const towns = [place(inland, mouth + bank * 0.13 * sizeM, 0.24 * sizeM)];
  const villages = Math.min(400, Math.round((widthM * heightM) / 7e6));
  for (let i = 0; i < villages * 4 && towns.length <= villages; i += 1) {
    const x = hashUnit(i, 1, seed + 22) * widthM;
    const y = hashUnit(i, 2, seed + 22) * heightM;
    const depth = (x - widthM / 2) * inlandX + (y - heightM / 2) * inlandY - coastAt;
    const apart = towns.every((town) => Math.hypot(town.x - x, town.y - y) > town.radiusM + 1100);
    if (depth > 0.25 * sizeM && apart) towns.push({ x, y, radiusM: 230 + 260 * hashUnit(i, 3, seed + 22) });
  }
  return towns;
}
