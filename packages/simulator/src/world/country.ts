import { CROPS } from "../crops.ts";
import type { Block, Frame, Plane } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { Pen } from "./pen.ts";
import type { Place } from "./places.ts";
import type { View } from "./view.ts";
import { hashUnit, smoothStep } from "../noise.ts";
import { eastM, frameOf, northM, onGlobe } from "./block.ts";
import { COVER, parts, scan, scanConvex, scanRow } from "./canvas.ts";
import { climateOf, seasonOf } from "./geography.ts";
import { bilinear } from "./node-lattice.ts";
import { fillShape, shape, shapeInPixels, strip } from "./pen.ts";
import { M } from "./spectra.ts";
import { densityAt } from "./town-density.ts";

/** Side of the cells that country roads surround. */
const CELL_M = 860;
/** Main roads follow every so many lines, motorways every so many main roads. */
const MAIN_EVERY = 6;
const MOTORWAY_EVERY = 24;
/** Coarser pixels show farmland as a whole. */
const FINEST_M = 70;

/** Density of a town that stays above the density of streets whatever the noise between the sampled places. */
const SURELY_BUILT = 0.5;

const GORE_DEG = 6;

/** Middles of the gores that a block lies in: one, or two at a seam. */
function goresOf(block: Block): readonly number[] {
  const first = Math.floor(Math.min(...block.lonDeg) / GORE_DEG);
  const last = Math.floor(Math.max(...block.lonDeg) / GORE_DEG);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index + 0.5) * GORE_DEG);
}

/** Paints fields and country roads, gore by gore; where two meet, each keeps to its side. */
export function paintCountry(canvas: Canvas, block: Block, places: readonly Place[], view: View): void {
  if (block.pixelM > FINEST_M) return;
  const gores = goresOf(block);
  if (gores.length > 1) {
    canvas.zones = new Uint8Array(block.columns * block.rows);
    for (let row = 0; row < block.rows; row += 1) {
      for (let column = 0; column < block.columns; column += 1) {
        const lonDeg = bilinear(block.lonDeg, (column + 0.5) / block.columns, (row + 0.5) / block.rows);
        const gore = gores.findIndex((middle) => lonDeg < middle + GORE_DEG / 2);
        canvas.zones[row * block.columns + column] = gore;
      }
    }
  }
  for (const [index, lonDeg] of gores.entries()) {
    canvas.zone = index;
    paintGore(canvas, block, { lonDeg, latDeg: 0 }, places, view);
  }
  canvas.zones = null;
  canvas.over = "all";
}

/** Whether a cell is farmed, 0 no, 1 yes, 2 too wild even for roads. */
const cells = new Map<number, number>();
const CELLS_KEPT = 200_000;

function cellKind(plane: Plane, i: number, j: number): number {
  const key = (((plane.lonDeg + 720) / 3) * 4096 + (i + 2048)) * 65_536 + (j + 32_768);
  const known = cells.get(key);
  if (known !== undefined) return known;
  const [lonDeg, latDeg] = onGlobe(plane, (i + 0.5) * CELL_M, (j + 0.5) * CELL_M);
  const { farmed, wet, warm, region } = climateOf(lonDeg, latDeg);
  const wild = wet < 0.24 || warm < -4 || region > 1;
  const kind = farmed + 0.25 * (hashUnit(i, j, 400) - 0.5) > 0 ? 1 : wild ? 2 : 0;
  if (cells.size >= CELLS_KEPT) cells.clear();
  cells.set(key, kind);
  return kind;
}

const corner = { x: 0, y: 0 };

function node(i: number, j: number, gore: number): void {
  corner.x = (i + 0.62 * (hashUnit(i, j, 401 + gore) - 0.5)) * CELL_M;
  corner.y = (j + 0.62 * (hashUnit(i, j, 402 + gore) - 0.5)) * CELL_M;
}

const quad = new Float64Array(8);

function paintGore(canvas: Canvas, block: Block, plane: Plane, places: readonly Place[], view: View): void {
  const frame = frameOf(block, plane);
  const pen: Pen = { canvas, block, frame };
  const salt = Math.round(plane.lonDeg) * 11;
  const [i0, i1, j0, j1] = cellRange(frame);
  canvas.over = "land";
  const towns = places.filter(({ radiusM }) => radiusM > 2 * CELL_M);
  for (let j = j0; j <= j1; j += 1) {
    for (let i = i0; i <= i1; i += 1) {
      if (cellKind(plane, i, j) !== 1 || isBuiltOver(plane, i, j, towns)) continue;
      for (let k = 0; k < 4; k += 1) {
        // Around the cell: north-west, north-east, south-west, south-east.
        node(i + (k % 2), j + 1 - (k >> 1), salt);
        quad[2 * k] = corner.x;
        quad[2 * k + 1] = corner.y;
      }
      const latDeg = plane.latDeg + (j * CELL_M) / 111_195;
      paintParcels(pen, view, latDeg, Math.imul(i, 7919) ^ Math.imul(j, 104_729) ^ salt, 0, 1, 0, 1, 0);
    }
  }
  paintRoads(pen, plane, salt, i0, i1, j0, j1);
}

/** Whether the streets of a town hide all fields of a cell. */
function isBuiltOver(plane: Plane, i: number, j: number, towns: readonly Place[]): boolean {
  return towns.some((town) => {
    for (let k = 0; k < 9; k += 1) {
      // Corners of cells stray by a third of their side.
      const east = (i + 0.5 + 0.8 * ((k % 3) - 1)) * CELL_M;
      const north = (j + 0.5 + 0.8 * (Math.floor(k / 3) - 1)) * CELL_M;
      const [lonDeg, latDeg] = onGlobe(plane, east, north);
      if (densityAt(town, eastM(town, lonDeg, latDeg), northM(town, latDeg)) < SURELY_BUILT) return false;
    }
    return true;
  });
}

function cellRange(frame: Frame): readonly [number, number, number, number] {
  return [
    Math.floor(frame.minX / CELL_M) - 1,
    Math.ceil(frame.maxX / CELL_M) + 1,
    Math.floor(frame.minY / CELL_M) - 1,
    Math.ceil(frame.maxY / CELL_M) + 1,
  ];
}

/** Cuts the cell in `quad` into parcels of a few hectares and paints them. */
function paintParcels(
  pen: Pen,
  view: View,
  latDeg: number,
  key: number,
  u0: number,
  u1: number,
  v0: number,
  v1: number,
  depth: number,
): void {
  const width = u1 - u0;
  const height = v1 - v0;
  const longer = Math.max(width, height);
  if (depth < 7 && longer > 0.2 + 0.25 * hashUnit(key, 1, 403)) {
    const cut = 0.34 + 0.32 * hashUnit(key, 2, 403);
    const left = Math.imul(key, 0x01000193) + depth * 2 + 1;
    const right = Math.imul(key, 0x01000193) + depth * 2 + 2;
    const across = width * (0.8 + 0.4 * hashUnit(key, 3, 403)) >= height;
    if (across) {
      paintParcels(pen, view, latDeg, left, u0, u0 + width * cut, v0, v1, depth + 1);
      paintParcels(pen, view, latDeg, right, u0 + width * cut, u1, v0, v1, depth + 1);
    } else {
      paintParcels(pen, view, latDeg, left, u0, u1, v0, v0 + height * cut, depth + 1);
      paintParcels(pen, view, latDeg, right, u0, u1, v0 + height * cut, v1, depth + 1);
    }
    return;
  }
  // Some parcels were never cleared.
  if (hashUnit(key, 4, 403) < 0.2) return;
  place(u0, v0, 0);
  place(u1, v0, 1);
  place(u1, v1, 2);
  place(u0, v1, 3);
  paintParcel(pen, view, latDeg, key);
}

function place(u: number, v: number, at: number): void {
  const topX = quad[0]! + (quad[2]! - quad[0]!) * u;
  const topY = quad[1]! + (quad[3]! - quad[1]!) * u;
  const bottomX = quad[4]! + (quad[6]! - quad[4]!) * u;
  const bottomY = quad[5]! + (quad[7]! - quad[5]!) * u;
  shape[2 * at] = topX + (bottomX - topX) * v;
  shape[2 * at + 1] = topY + (bottomY - topY) * v;
}

const SOILS = [M.soilBrown, M.soilLight, M.soilBrown, M.soilRed] as const;

function paintParcel(pen: Pen, view: View, latDeg: number, key: number): void {
  const year = Math.floor(view.day / 365.25);
  // Arable land grows another crop every year; meadows stay meadows.
  const meadow = hashUnit(key, 5, 403) < 0.3;
  const crop = CROPS[meadow ? 5 + (key & 1) : Math.floor(hashUnit(key, year, 404) * CROPS.length)]!;
  const soil = SOILS[Math.floor(hashUnit(key, 6, 403) * SOILS.length)]!;
  const tint = 0.84 + 0.32 * hashUnit(key, 7, 403);
  const pace = 30 * (hashUnit(key, 8, 403) - 0.5);
  const northern = (view.dayOfYear + (latDeg < 0 ? 182.6 : 0)) % 365.25;
  let late = northern - crop.peakDay - pace;
  if (late > 182) late -= 365.25;
  if (late < -182) late += 365.25;
  // Near the equator there is always something growing.
  const spread = crop.spreadDays * (1 + 1.5 * (1 - smoothStep(12, 32, Math.abs(latDeg))));
  const growth = Math.exp(-((late / spread) ** 2)) * (seasonOf(latDeg, view.dayOfYear) < -12 ? 0.6 : 1);
  const ripe = crop.ripens && late > 0 ? smoothStep(5, crop.spreadDays * 0.9, late) * 0.9 : 0;
  const green = crop.cover * growth * (meadow ? 0.6 : 1) + (meadow ? 0.35 : 0);
  const leaf = meadow || hashUnit(key, 9, 403) < 0.4 ? M.grass : M.crop;
  const bloom = crop.flowers && Math.abs(late) < 22 ? 0.75 : 0;
  const winter = seasonOf(latDeg, view.dayOfYear - 18);
  layParcel(pen, [soil, M.straw, leaf, M.flower], [tint, ripe, green > 0.03 ? green : 0, bloom], {
    cover: meadow ? COVER.grass : COVER.crops,
    snow: winter < -2,
  });
}

const dull = new Float32Array(32);
const lively = new Float32Array(32);

/** Lays soil, what has ripened, leaves and blossoms over each other on the four points of `shape`. */
function layParcel(
  pen: Pen,
  [soil, straw, leaf, flower]: readonly [number, number, number, number],
  [tint, ripe, green, bloom]: readonly [number, number, number, number],
  { cover, snow }: { readonly cover: number; readonly snow: boolean },
): void {
  const { canvas } = pen;
  if (!scanConvex(canvas, shapeInPixels(pen, 4), 4)) return;
  const { channels, columns, cover: covers, light: lights, pixels, table } = canvas;
  // Leaves cover a part of the ground that depends on the light of the pixel: two colours and a weight between them.
  for (let k = 0; k < channels; k += 1) {
    const bare = table[soil * channels + k]! * (1 - ripe) + table[straw * channels + k]! * ripe;
    const blossom = table[flower * channels + k]! * bloom;
    dull[k] = tint * (bare * (1 - bloom) + blossom);
    lively[k] = tint * (table[leaf * channels + k]! - bare) * (1 - bloom);
  }
  const dullOne = dull[0]!;
  const livelyOne = lively[0]!;
  const { firstRow, lastRow } = scan;
  for (let row = firstRow; row <= lastRow; row += 1) {
    if (!scanRow(canvas, row)) continue;
    const { low, high } = scan;
    for (let i = low; i <= high; i += 1) {
      const part = parts[i]!;
      if (part === 0) continue;
      const pixel = row * columns + i;
      if (snow && covers[pixel] === COVER.snow) continue;
      if (part > 0.5) covers[pixel] = cover;
      if (channels === 0) continue;
      const light = lights[pixel]!;
      const leaves = Math.min(1, green * (1.5 - 0.5 * light));
      const keep = 1 - part;
      const lay = light * part;
      if (channels === 1) {
        pixels[pixel] = pixels[pixel]! * keep + (dullOne + livelyOne * leaves) * lay;
        continue;
      }
      const at = pixel * channels;
      for (let k = 0; k < channels; k += 1) {
        pixels[at + k] = pixels[at + k]! * keep + (dull[k]! + lively[k]! * leaves) * lay;
      }
    }
  }
}

/** Roads run between the corners of cells: tracks and lanes around farmed ones, main roads and motorways anywhere. */
function paintRoads(pen: Pen, plane: Plane, salt: number, i0: number, i1: number, j0: number, j1: number): void {
  for (let j = j0; j <= j1; j += 1) {
    for (let i = i0; i <= i1; i += 1) {
      node(i, j, salt);
      const x = corner.x;
      const y = corner.y;
      const here = cellKind(plane, i, j);
      for (let side = 0; side < 2; side += 1) {
        const line = side === 0 ? j : i;
        const motorway = line % MOTORWAY_EVERY === 0;
        const main = line % MAIN_EVERY === 0;
        const other = cellKind(plane, side === 0 ? i : i - 1, side === 0 ? j - 1 : j);
        if (here === 2 && other === 2) continue;
        if (!main && here !== 1 && other !== 1) continue;
        const grade = hashUnit(i * 2 + side, j, 405);
        if (!main && grade < 0.18) continue;
        node(i + 1 - side, j + side, salt);
        paintRoad(pen, x, y, corner.x, corner.y, motorway ? 2 : main ? 1 : grade < 0.55 ? -1 : 0);
      }
    }
  }
}

function paintRoad(pen: Pen, x0: number, y0: number, x1: number, y1: number, grade: number): void {
  const { canvas } = pen;
  canvas.over = grade > 0 ? "rivers" : "land";
  const half = grade === 2 ? 12.5 : grade === 1 ? 5 : grade === 0 ? 3 : 2.2;
  if (half < 3.5 && pen.block.pixelM > 24) return;
  if (grade === 2 && pen.block.pixelM < 12) {
    strip(x0, y0, x1, y1, 20);
    fillShape(pen, 4, M.grass, 1.05, 0.7, COVER.grass);
  }
  strip(x0, y0, x1, y1, half);
  fillShape(pen, 4, grade < 0 ? M.gravel : M.asphalt, grade < 0 ? 1 : 1.12, 0.95, grade < 0 ? COVER.none : COVER.road);
  if (grade >= 1 && pen.block.pixelM < 2.5) {
    strip(x0, y0, x1, y1, grade === 2 ? 1.6 : 0.15);
    fillShape(pen, 4, grade === 2 ? M.grass : M.paint, 0.9, 0.8, COVER.none);
  }
}
