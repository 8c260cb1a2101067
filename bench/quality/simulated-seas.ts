import type { GroundTruth, TrueObject } from "../../packages/simulator/src/world/ground-truth.ts";
import { WORLD_CLASSES } from "../../packages/simulator/src/world/land-cover.ts";
import { groundTruth } from "../../packages/simulator/src/world/render.ts";
import type { SceneModel } from "../../packages/simulator/src/scene-model.ts";
import { createProjection } from "@swath/kernel/crs/projection";
import { utmProjString, utmZoneOfEpsg } from "@swath/kernel/crs/utm";
import { wishedScenes, type Place } from "./simulated-scenes.ts";

/** Anchorages, roads and open water of the simulated world. */
const SEAS = [
  { lonDeg: 174.88, latDeg: -36.8 },
  { lonDeg: 18.38, latDeg: -33.85 },
  { lonDeg: 139.83, latDeg: 35.5 },
  { lonDeg: 28.9, latDeg: 40.93 },
  { lonDeg: -122.55, latDeg: 37.75 },
  { lonDeg: 23.58, latDeg: 37.88 },
  { lonDeg: -73.98, latDeg: 40.5 },
  { lonDeg: 103.86, latDeg: 1.2 },
  { lonDeg: -43.12, latDeg: -23.05 },
  { lonDeg: 114.24, latDeg: 22.18 },
  { lonDeg: 2.28, latDeg: 41.3 },
  { lonDeg: -118.2, latDeg: 33.68 },
] as const;
const WATER = WORLD_CLASSES.indexOf("water");
/** Pixels that a sea is searched for ships with. */
const SEARCH_PIXEL_M = 20;
/** Ships whose middle is closer to the edge of the picture than this, beside half their length, may be cut. */
export const EDGE_M = 150;
/** Water on all sides at this distance from the middle makes a ship one at sea. */
const OPEN_SEA_M = 200;

export interface SeaWish {
  readonly provider: string;
  readonly dataset: string;
  /** Side of the sea around each place that is searched for ships. */
  readonly seaM: number;
  /** Side of the squares it is divided into; only some of them are drawn. */
  readonly squareM: number;
  /** Dates at each place. */
  readonly dates: number;
  /** Ships shorter than this are no misses. */
  readonly shortestM: number;
}

/** A square with ships or, for false alarms, one without. */
export interface SeaSquare {
  readonly model: SceneModel;
  readonly place: Place;
}

export function isAtSea(ship: TrueObject, classes: Uint8Array, widthPx: number, pixelM: number): boolean {
  const heightPx = classes.length / widthPx;
  for (let step = 0; step < 16; step += 1) {
    const angle = (step * Math.PI) / 8;
    const column = Math.floor(ship.centrePx[0] + (Math.cos(angle) * OPEN_SEA_M) / pixelM);
    const row = Math.floor(ship.centrePx[1] + (Math.sin(angle) * OPEN_SEA_M) / pixelM);
    if (column < 0 || row < 0 || column >= widthPx || row >= heightPx) continue;
    if (classes[row * widthPx + column] !== WATER) return false;
  }
  return true;
}

/** Squares that hold ships long enough to count, and the same number of squares of the same scenes that hold none. */
export function shipSquares(wish: SeaWish): readonly SeaSquare[] {
  const squares: SeaSquare[] = [];
  const { provider, dataset, seaM, squareM } = wish;
  const side = Math.max(1, Math.round(seaM / squareM));
  for (const sea of SEAS) {
    const scenes = wishedScenes(
      { ...sea, provider, dataset, sideM: seaM, fromMs: Date.UTC(2021, 2, 1), days: 700 },
      wish.dates,
    );
    for (const model of scenes) {
      const { truth, placeOf } = seaTruth(model, sea, seaM, side);
      const widthPx = Math.round(seaM / SEARCH_PIXEL_M);
      const counting = truth.ships.filter(
        (ship) =>
          !ship.hidden && ship.lengthM >= wish.shortestM && isAtSea(ship, truth.classes, widthPx, SEARCH_PIXEL_M),
      );
      const cellOf = ({ centrePx: [column, row] }: TrueObject): number =>
        Math.floor((row / widthPx) * side) * side + Math.floor((column / widthPx) * side);
      const isInside = ({ centrePx, lengthM }: TrueObject): boolean =>
        centrePx.every((place) => {
          const within = (place * SEARCH_PIXEL_M) % (seaM / side);
          return Math.min(within, seaM / side - within) > EDGE_M + lengthM / 2;
        });
      const full = [...new Set(counting.filter(isInside).map(cellOf))].toSorted((a, b) => a - b);
      const all = new Set(truth.ships.map(cellOf));
      const empty = [...Array(side * side).keys()].filter((cell) => !all.has(cell) && isWater(truth, cell, side));
      for (const cell of [...full, ...empty.slice(0, full.length)]) {
        squares.push({ model, place: { ...placeOf(cell), sideM: seaM / side } });
      }
    }
  }
  return squares;
}

/** What is in the sea around a place, on coarse pixels, and the middles of its squares. */
function seaTruth(
  model: SceneModel,
  sea: { readonly lonDeg: number; readonly latDeg: number },
  seaM: number,
  side: number,
): {
  readonly truth: GroundTruth;
  readonly placeOf: (cell: number) => { readonly lonDeg: number; readonly latDeg: number };
} {
  const zone = utmZoneOfEpsg(model.crsEpsg);
  if (zone === null) throw new RangeError(`scene ${model.sceneId} is not on a UTM grid`);
  const { forward, inverse } = createProjection(utmProjString(zone));
  const [x, y] = forward(sea.lonDeg, sea.latDeg);
  const [originX, originY] = [x - seaM / 2, y + seaM / 2];
  const widthPx = Math.round(seaM / SEARCH_PIXEL_M);
  const band = {
    ...model.bands[0]!,
    originX,
    originY,
    pixelSizeX: SEARCH_PIXEL_M,
    pixelSizeY: -SEARCH_PIXEL_M,
    widthPx,
    heightPx: widthPx,
  };
  const truth = groundTruth(
    { ...model, sceneId: `${model.sceneId}#sea`, bands: [band] },
    { column: 0, row: 0, columns: widthPx, rows: widthPx },
  );
  return {
    truth,
    placeOf: (cell) => {
      const step = seaM / side;
      const [lonDeg, latDeg] = inverse(
        originX + ((cell % side) + 0.5) * step,
        originY - (Math.floor(cell / side) + 0.5) * step,
      );
      return { lonDeg, latDeg };
    },
  };
}

/** Whether all of a square is water without clouds. */
function isWater({ classes }: GroundTruth, cell: number, side: number): boolean {
  const width = Math.sqrt(classes.length);
  const edge = Math.floor(width / side);
  const [left, top] = [(cell % side) * edge, Math.floor(cell / side) * edge];
  for (let row = top; row < top + edge; row += 1) {
    for (let column = left; column < left + edge; column += 1) {
      if (classes[row * width + column] !== WATER) return false;
    }
  }
  return true;
}
