import type { Block, Frame } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { Quarter, QuarterKind } from "./city-block.ts";
import type { ObjectSink } from "./object-sink.ts";
import type { Pen } from "./pen.ts";
import type { Place } from "./places.ts";
import type { View } from "./view.ts";
import { hashUnit, noise } from "../noise.ts";
import { columnAt, frameOf, rowAt } from "./block.ts";
import { COVER, parts, scan, scanConvex, scanRow } from "./canvas.ts";
import { bilinear } from "./node-lattice.ts";
import { fillGround, shape, shapeInPixels, strip, touches } from "./pen.ts";
import { M } from "./spectra.ts";
import { halfOf, pairHash, rowHash } from "./texture.ts";
import { densityAt } from "./town-density.ts";
import { inset } from "./city-block.ts";
import { paintQuarter } from "./quarter.ts";

/** Spacing of streets. */
const ALONG_M = 118;
const ACROSS_M = 84;
/** Coarser pixels show a town as a whole. */
const FINEST_M = 15;
/** Finer pixels show buildings one by one. */
const BUILDINGS_M = 3.2;

const BUILT_FROM = 0.26;

export function paintTown(canvas: Canvas, block: Block, place: Place, view: View, sink: ObjectSink | null): void {
  const frame = frameOf(block, place);
  if (!touches(frame, 0, 0, place.radiusM * 1.3)) return;
  if (block.pixelM > FINEST_M) paintFromAfar(canvas, block, frame, place);
  else paintStreets({ canvas, block, frame }, place, view, sink);
}

/** Greenness of towns seen from afar, in steps. */
const GREENS = 24;

/** A mixture of roofs, streets and gardens, denser towards the middle. */
function paintFromAfar(canvas: Canvas, block: Block, frame: Frame, place: Place): void {
  const { columns, rows, channels, cover, light, pixels, table } = canvas;
  const step = 4;
  const colours = new Float32Array(GREENS * channels);
  for (let green = 0; green < GREENS; green += 1) {
    for (let k = 0; k < channels; k += 1) {
      let colour = table[M.asphalt * channels + k]!;
      for (const [material, share] of [
        [M.roofTile, 0.16],
        [M.roofGrey, 0.2],
        [M.roofWhite, 0.05],
        [M.garden, 0.12 + (0.48 * (green + 0.5)) / GREENS],
      ] as const) {
        colour += (table[material * channels + k]! - colour) * share;
      }
      colours[green * channels + k] = colour;
    }
  }
  const reachX = Math.abs(frame.columnX) + Math.abs(frame.columnY);
  const reachY = Math.abs(frame.rowX) + Math.abs(frame.rowY);
  const middleColumn = columnAt(block, frame, 0, 0);
  const middleRow = rowAt(block, frame, 0, 0);
  const acrossPx = 1.3 * place.radiusM * reachX + step;
  const downPx = 1.3 * place.radiusM * reachY + step;
  const firstRow = Math.max(0, Math.floor((middleRow - downPx) / step) * step);
  const firstColumn = Math.max(0, Math.floor((middleColumn - acrossPx) / step) * step);
  for (let row = firstRow; row < Math.min(rows, middleRow + downPx); row += step) {
    for (let column = firstColumn; column < Math.min(columns, middleColumn + acrossPx); column += step) {
      const u = (column + step / 2) / columns;
      const v = (row + step / 2) / rows;
      const density = densityAt(place, bilinear(frame.x, u, v), bilinear(frame.y, u, v));
      if (density < BUILT_FROM - 0.03) continue;
      const part = Math.min(1, (density - BUILT_FROM + 0.03) / 0.06);
      const green = Math.max(0.12, Math.min(0.6, 0.95 - density));
      const from = Math.min(GREENS - 1, Math.floor(((green - 0.12) / 0.48) * GREENS)) * channels;
      for (let j = row; j < Math.min(rows, row + step); j += 1) {
        for (let i = column; i < Math.min(columns, column + step); i += 1) {
          const pixel = j * columns + i;
          if (cover[pixel] === COVER.water || cover[pixel] === COVER.river) continue;
          if (part > 0.5) cover[pixel] = COVER.built;
          if (channels === 0) continue;
          const lit = light[pixel]! * (0.9 + 0.2 * hashUnit(block.column + i, block.row + j, place.seed)) * part;
          const at = pixel * channels;
          for (let k = 0; k < channels; k += 1) {
            pixels[at + k] = pixels[at + k]! * (1 - part) + colours[from + k]! * lit;
          }
        }
      }
    }
  }
}

/** Places where the streets of a town cross, row by row: x and y of each. */
interface Streets {
  readonly columns: number;
  readonly places: Float64Array;
}

/** Crossings from `i0`, `j0` to one beyond `i1`, `j1`. */
function crossings(place: Place, cos: number, sin: number, i0: number, i1: number, j0: number, j1: number): Streets {
  const columns = i1 - i0 + 2;
  const places = new Float64Array(2 * columns * (j1 - j0 + 2));
  let at = 0;
  for (let j = j0; j <= j1 + 1; j += 1) {
    const alongJ = j + 0.3 * (hashUnit(j, 2, place.seed + 2) - 0.5);
    for (let i = i0; i <= i1 + 1; i += 1) {
      const u =
        (i + 0.3 * (hashUnit(i, 1, place.seed + 2) - 0.5) + 0.1 * (hashUnit(i, j, place.seed + 3) - 0.5)) * ALONG_M;
      const v = (alongJ + 0.1 * (hashUnit(i, j, place.seed + 4) - 0.5)) * ACROSS_M;
      const x = u * cos - v * sin;
      const y = u * sin + v * cos;
      // Streets bend where the land made them.
      places[at] = x + 130 * noise(x / 1100, y / 1100, place.seed + 5);
      places[at + 1] = y + 130 * noise(x / 1100, y / 1100, place.seed + 6);
      at += 2;
    }
  }
  return { columns, places };
}

function paintStreets(pen: Pen, place: Place, view: View, sink: ObjectSink | null): void {
  const { frame, canvas, block } = pen;
  const angle = hashUnit(1, 1, place.seed + 7) * 1.5;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  let i0 = Infinity;
  let i1 = -Infinity;
  let j0 = Infinity;
  let j1 = -Infinity;
  const margin = 320;
  for (let k = 0; k < 4; k += 1) {
    const x = Math.max(
      -1.35 * place.radiusM,
      Math.min(1.35 * place.radiusM, k % 2 === 0 ? frame.minX - margin : frame.maxX + margin),
    );
    const y = Math.max(
      -1.35 * place.radiusM,
      Math.min(1.35 * place.radiusM, k < 2 ? frame.minY - margin : frame.maxY + margin),
    );
    const u = (x * cos + y * sin) / ALONG_M;
    const v = (-x * sin + y * cos) / ACROSS_M;
    i0 = Math.min(i0, Math.floor(u));
    i1 = Math.max(i1, Math.ceil(u));
    j0 = Math.min(j0, Math.floor(v));
    j1 = Math.max(j1, Math.ceil(v));
  }
  canvas.over = "land";
  const streets = crossings(place, cos, sin, i0, i1, j0, j1);
  const quarters: Quarter[] = [];
  for (let j = j0; j <= j1; j += 1) {
    for (let i = i0; i <= i1; i += 1) {
      const a = ((j - j0) * streets.columns + i - i0) * 2;
      const c = a + streets.columns * 2;
      const { places } = streets;
      const x = (places[a]! + places[a + 2]! + places[c]! + places[c + 2]!) / 4;
      const y = (places[a + 1]! + places[a + 3]! + places[c + 1]! + places[c + 3]!) / 4;
      if (!touches(frame, x, y, 140)) continue;
      const density = densityAt(place, x, y);
      if (density < BUILT_FROM) continue;
      const corners = [
        places[a]!,
        places[a + 1]!,
        places[a + 2]!,
        places[a + 3]!,
        places[c + 2]!,
        places[c + 3]!,
        places[c]!,
        places[c + 1]!,
      ];
      const key = Math.imul(i, 10_007) ^ Math.imul(j, 7919) ^ place.seed;
      const avenue = i % 6 === 0 || j % 7 === 0;
      quarters.push({ kind: kindOf(density, key), key, corners, halfStreetM: avenue ? 7 : 4.6 });
    }
  }
  for (const quarter of quarters) {
    shape.set(quarter.corners);
    fillGround(pen, 4, M.asphalt, 1.05, 1, COVER.road);
  }
  for (const quarter of quarters) {
    if (block.pixelM > BUILDINGS_M) paintMixture(pen, quarter);
    else paintQuarter(pen, place, quarter, view, sink, "ground");
  }
  if (block.pixelM <= BUILDINGS_M) {
    for (const quarter of quarters) paintQuarter(pen, place, quarter, view, sink, "upright");
  }
  paintAvenues(pen, place, streets, i0, i1, j0, j1);
  canvas.over = "all";
}

/** Avenues cross rivers on bridges and have lane markings. */
function paintAvenues(
  pen: Pen,
  place: Place,
  { columns, places }: Streets,
  i0: number,
  i1: number,
  j0: number,
  j1: number,
): void {
  pen.canvas.over = "rivers";
  for (let j = j0; j <= j1; j += 1) {
    for (let i = i0; i <= i1; i += 1) {
      for (let side = 0; side < 2; side += 1) {
        if (side === 0 ? j % 7 !== 0 : i % 6 !== 0) continue;
        const at = ((j - j0) * columns + i - i0) * 2;
        const x = places[at]!;
        const y = places[at + 1]!;
        if (!touches(pen.frame, x, y, 220) || densityAt(place, x, y) < BUILT_FROM) continue;
        const next = side === 0 ? at + 2 : at + columns * 2;
        const toX = places[next]!;
        const toY = places[next + 1]!;
        strip(x, y, toX, toY, 6.5);
        fillGround(pen, 4, M.asphalt, 0.98, 1, COVER.road);
        if (pen.block.pixelM < 1.5) {
          strip(x, y, toX, toY, 0.14);
          fillGround(pen, 4, M.paint, 1, 0.85, COVER.none);
        }
      }
    }
  }
  pen.canvas.over = "land";
}

function kindOf(density: number, key: number): QuarterKind {
  const chance = hashUnit(key, 3, 601);
  if (chance < 0.055) return "park";
  if (chance < 0.1) return "carpark";
  if (chance < 0.18) return "industry";
  if (chance < 0.205) return "construction";
  return density > 0.72 + 0.2 * (hashUnit(key, 4, 601) - 0.5) ? "dense" : "houses";
}

type Mixture = readonly (readonly [material: number, part: number])[];

/** The materials of each kind of quarter, whose mean equals the mean of its buildings. */
const MIXTURES: Readonly<Record<QuarterKind, Mixture>> = {
  carpark: [
    [M.asphalt, 1],
    [M.carWhite, 0.1],
    [M.carDark, 0.14],
  ],
  construction: [
    [M.construction, 1],
    [M.roofGrey, 0.15],
  ],
  dense: [
    [M.concrete, 1],
    [M.roofGrey, 0.4],
    [M.roofTile, 0.2],
    [M.garden, 0.16],
  ],
  houses: [
    [M.garden, 1],
    [M.roofTile, 0.17],
    [M.roofGrey, 0.1],
    [M.forest, 0.14],
  ],
  industry: [
    [M.concrete, 1],
    [M.roofWhite, 0.32],
    [M.roofGrey, 0.28],
  ],
  park: [
    [M.grass, 1],
    [M.forest, 0.45],
  ],
};

/** Shades of a mixture: one roof or another shows more in each pixel, while the mean of the quarter stays. */
const SHADES = 16;
const mixed = new WeakMap<Canvas, Map<QuarterKind, Float32Array>>();

/** The shades of a kind of quarter, `channels` numbers each. */
function shadesOf(canvas: Canvas, kind: QuarterKind, pixelM: number): Float32Array {
  let kinds = mixed.get(canvas);
  if (kinds === undefined) {
    kinds = new Map();
    mixed.set(canvas, kinds);
  }
  const known = kinds.get(kind);
  if (known !== undefined) return known;
  const { channels, table } = canvas;
  const mixture = MIXTURES[kind];
  const uneven = Math.min(0.8, 5 / pixelM);
  const shades = new Float32Array(SHADES * channels);
  for (let shade = 0; shade < SHADES; shade += 1) {
    const chance = (shade + 0.5) / SHADES;
    for (let k = 0; k < channels; k += 1) {
      let colour = 0;
      for (const [layer, [material, share]] of mixture.entries()) {
        const part = layer === 0 ? 1 : share * (1 + uneven * (((chance * 7.31 * layer) % 1) * 2 - 1));
        colour += (table[material * channels + k]! - colour) * Math.min(1, part);
      }
      shades[shade * channels + k] = colour;
    }
  }
  kinds.set(kind, shades);
  return shades;
}

function paintMixture(pen: Pen, quarter: Quarter): void {
  const { canvas, block } = pen;
  const count = inset(quarter, quarter.halfStreetM + 2);
  if (!scanConvex(canvas, shapeInPixels(pen, count), count)) return;
  const shades = shadesOf(canvas, quarter.kind, block.pixelM);
  const cover = quarter.kind === "park" ? COVER.grass : COVER.built;
  const { channels, columns, cover: covers, light: lights, pixels } = canvas;
  const { firstRow, lastRow } = scan;
  for (let row = firstRow; row <= lastRow; row += 1) {
    if (!scanRow(canvas, row)) continue;
    const { low, high } = scan;
    const hash = rowHash(block.row + row, quarter.key);
    for (let i = low; i <= high; i += 1) {
      const part = parts[i]!;
      if (part === 0) continue;
      const pixel = row * columns + i;
      if (part > 0.5) covers[pixel] = cover;
      if (channels === 0) continue;
      const shade = Math.floor(halfOf(pairHash(hash, block.column + i), i) * SHADES);
      const keep = 1 - part;
      const lay = lights[pixel]! * part;
      if (channels === 1) {
        pixels[pixel] = pixels[pixel]! * keep + shades[shade]! * lay;
        continue;
      }
      const from = shade * channels;
      const at = pixel * channels;
      for (let k = 0; k < channels; k += 1) pixels[at + k] = pixels[at + k]! * keep + shades[from + k]! * lay;
    }
  }
}
