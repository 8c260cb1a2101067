import { LRUCache } from "lru-cache";
import type { RepeatOrbit } from "@swath/kernel/orbits/repeat-orbit";
import { boundsOfRing } from "./ring.ts";
import type { SeamShift } from "./seam-shift.ts";
import {
  frameAt,
  pointAt,
  REVOLUTION_KM,
  stripOutline,
  swathGround,
  WHOLE_STRIP,
  type Column,
  type StripPart,
  type SwathGround,
  type SwathLayout,
} from "./strip-outline.ts";

/** Reference longitudes; the east may exceed 180. */
export type ReferenceBox = readonly [west: number, south: number, east: number, north: number];

export interface SwathGrid {
  readonly layout: SwathLayout;
  /** Rows that may have a strip between the latitudes. */
  rowsBetween(southDeg: number, northDeg: number): readonly number[];
  /** Around all strips of a row and a little more. */
  rowBox(row: number): ReferenceBox;
  /** Around a strip; null when it is not imaged. */
  box(row: number, column: number): ReferenceBox | null;
  /** Ring around a cell, counter-clockwise, reference longitudes; `cell` counts across first. */
  cell(row: number, column: number, cell: number, shift: SeamShift): readonly number[];
  /** Middle of a strip after the node, and of a cell. */
  stripMs(row: number): number;
  cellMs(row: number, cell: number, shift: SeamShift): number;
}

const CHUNKS = 400;
const CHUNK_MARGIN_DEG = 0.3;
const ROW_MARGIN_DEG = 0.3;
const CACHED_ROWS = 4000;
const CACHED_STRIPS = 20_000;
/** South of it UTM ends. */
const SOUTHERN_LIMIT_DEG = 79.5;
/** Wider in longitude are only strips next to a pole. */
const MAX_WIDTH_DEG = 90;

export function createSwathGrid(orbit: RepeatOrbit, layout: SwathLayout): SwathGrid {
  const ground = swathGround(orbit, layout);
  const { columns, along, across } = layout;
  const chunks = latitudeChunks(ground);
  const outermost = outermostColumns(columns);
  const rowBoxes = new LRUCache<number, ReferenceBox>({ max: CACHED_ROWS });
  // Strips that are not imaged are kept as empty lists: the cache holds no null.
  const strips = new LRUCache<number, ReferenceBox | readonly []>({ max: CACHED_STRIPS });
  return {
    layout,
    rowsBetween: (southDeg, northDeg) => rowsBetween(chunks, southDeg, northDeg),
    rowBox(row) {
      const box = rowBoxes.get(row) ?? rowBoxOf(ground, outermost, row);
      rowBoxes.set(row, box);
      return box;
    },
    box(row, column) {
      const key = row * columns.length + column;
      const box = strips.get(key) ?? imagedBox(layout, boundsOfRing(stripOutline(ground, row, column, WHOLE_STRIP)));
      strips.set(key, box);
      return box.length === 0 ? null : box;
    },
    cell: (row, column, cell, shift) => stripOutline(ground, row, column, partOf(layout, column, cell, shift)),
    stripMs: (row) => (row + 0.5) * ground.rowMs,
    cellMs: (row, cell, { alongKm }) =>
      (row + (Math.floor(cell / across) + 0.5) / along + (alongKm * layout.rows) / REVOLUTION_KM) * ground.rowMs,
  };
}

/** Rows `[first, last)` and the latitudes of their strips. */
interface Chunk {
  readonly first: number;
  readonly last: number;
  readonly south: number;
  readonly north: number;
}

/** Latitudes of pieces of the revolution, so that a search looks at few rows. */
function latitudeChunks(ground: SwathGround): readonly Chunk[] {
  const { columns, rows } = ground.layout;
  const chunkRows = Math.max(1, Math.ceil(rows / CHUNKS));
  const edges = columns.flatMap(({ leftKm, rightKm }) => [leftKm, rightKm]);
  const reach = [Math.min(...edges), 0, Math.max(...edges)];
  return Array.from({ length: Math.ceil(rows / chunkRows) }, (_, chunk) => {
    const first = chunk * chunkRows;
    const last = Math.min(first + chunkRows, rows);
    const lats = [first, (first + last) / 2, last].flatMap((row) => {
      const frame = frameAt(ground, row);
      return reach.map((groundKm) => pointAt(frame, groundKm)[1]);
    });
    return { first, last, south: Math.min(...lats) - CHUNK_MARGIN_DEG, north: Math.max(...lats) + CHUNK_MARGIN_DEG };
  });
}

function rowsBetween(chunks: readonly Chunk[], southDeg: number, northDeg: number): readonly number[] {
  const found: number[] = [];
  for (const { first, last, south, north } of chunks) {
    if (south > northDeg || north < southDeg) continue;
    for (let row = first; row < last; row += 1) found.push(row);
  }
  return found;
}

/** The columns farthest left and right and the column next to the track: they bound all others. */
function outermostColumns(columns: readonly Column[]): readonly number[] {
  const indexes = columns.map((_, index) => index);
  const byDistance = indexes.toSorted((a, b) => leftOf(columns, a) - leftOf(columns, b));
  const nearest = indexes.toSorted((a, b) => awayOf(columns, a) - awayOf(columns, b));
  return [byDistance[0] ?? 0, nearest[0] ?? 0, byDistance.at(-1) ?? 0];
}

function leftOf(columns: readonly Column[], index: number): number {
  return columns[index]?.leftKm ?? 0;
}

function awayOf(columns: readonly Column[], index: number): number {
  const { leftKm = 0, rightKm = 0 } = columns[index] ?? {};
  return Math.abs(leftKm + rightKm);
}

function rowBoxOf(ground: SwathGround, outermost: readonly number[], row: number): ReferenceBox {
  const first = stripOutline(ground, row, 0, WHOLE_STRIP)[0] ?? 0;
  const points = outermost.flatMap((column) => {
    const ring = stripOutline(ground, row, column, WHOLE_STRIP);
    const turn = 360 * Math.round((first - (ring[0] ?? 0)) / 360);
    return ring.map((value, index) => (index % 2 === 0 ? value + turn : value));
  });
  const [west, south, east, north] = boundsOfRing(points);
  // Next to a pole a row goes around it.
  const isAround = east - west > 180;
  return [
    isAround ? -180 : west - ROW_MARGIN_DEG,
    south - ROW_MARGIN_DEG,
    isAround ? 180 : east + ROW_MARGIN_DEG,
    north + ROW_MARGIN_DEG,
  ];
}

/** The box of a strip, or an empty list when the strip is not imaged. */
function imagedBox({ maxLatDeg }: SwathLayout, box: ReferenceBox): ReferenceBox | readonly [] {
  const [west, south, east, north] = box;
  const isImaged =
    north <= maxLatDeg && south >= -Math.min(maxLatDeg, SOUTHERN_LIMIT_DEG) && east - west < MAX_WIDTH_DEG;
  return isImaged ? box : [];
}

function partOf(
  { along, across, columns, rows }: SwathLayout,
  column: number,
  cell: number,
  { alongKm, acrossKm, movesSwath }: SeamShift,
): StripPart {
  const { leftKm = 0, rightKm = 1 } = columns[column] ?? {};
  const ahead = (alongKm * rows) / REVOLUTION_KM;
  const aside = acrossKm / (rightKm - leftKm);
  const step = Math.floor(cell / across);
  const beside = cell % across;
  // One expression for both cells that share a seam, so that it is the same to the last digit.
  const alongSeam = (index: number): number => index / along + ahead;
  const acrossSeam = (index: number): number =>
    index / across + (movesSwath || (index > 0 && index < across) ? aside : 0);
  return {
    start: alongSeam(step),
    end: alongSeam(step + 1),
    left: acrossSeam(beside),
    right: acrossSeam(beside + 1),
  };
}
