import { LRUCache } from "lru-cache";
import { groundPointAt, levelFrame, type LevelFrame } from "@swath/kernel/orbits/ground-point";
import type { RepeatOrbit } from "@swath/kernel/orbits/repeat-orbit";
import { referenceTrack } from "./reference-track.ts";

/*
 * Terminology.
 * - Row: one of equal pieces of a revolution, counted from the ascending node.
 * - Column: a strip of ground beside the track, between two distances from it.
 * - Strip: a row of a column; what a satellite images in one go.
 * - Cell: one of the equal pieces of a strip, along and across; the ground of one scene. Neighbours share their edges.
 * - Reference longitude: as if the node of the revolution were at longitude 0. Another revolution adds its node's.
 */

/** Distance from the ground track along the earth's surface, kilometres, positive to the right of the flight. */
export interface Column {
  readonly leftKm: number;
  readonly rightKm: number;
}

export interface SwathLayout {
  readonly columns: readonly Column[];
  /** Rows of a revolution. */
  readonly rows: number;
  /** Cells of a strip. */
  readonly along: number;
  readonly across: number;
  /** Strips that reach beyond are not imaged; up to 84. */
  readonly maxLatDeg: number;
}

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
  /** Outline of a strip, `[lon, lat, lon, lat, …]`, counter-clockwise, not closed, reference longitudes. */
  strip(row: number, column: number): readonly number[];
  /** The same of a cell; `cell` counts across first. */
  cell(row: number, column: number, cell: number): readonly number[];
  /** Middle of a strip after the node, and of a cell. */
  stripMs(row: number): number;
  cellMs(row: number, cell: number): number;
}

const EARTH_RADIUS_KM = 6371;
/** Longest straight edge of an outline. */
const EDGE_KM = 60;
const CHUNKS = 400;
const CHUNK_MARGIN_DEG = 0.3;
const ROW_MARGIN_DEG = 0.3;
const CACHED_ROWS = 4000;
const CACHED_STRIPS = 20_000;
/** South of it UTM ends. */
const SOUTHERN_LIMIT_DEG = 79.5;
/** Wider in longitude are only strips next to a pole. */
const MAX_WIDTH_DEG = 90;

/** Length of a revolution on the ground. */
export const REVOLUTION_KM = 2 * Math.PI * EARTH_RADIUS_KM;

interface TrackFrame extends LevelFrame {
  readonly radiusKm: number;
}

/** What lies at a distance from the ground track. */
function pointAt(frame: TrackFrame, groundKm: number): readonly [lonDeg: number, latDeg: number] {
  const angle = groundKm / EARTH_RADIUS_KM;
  const roll = Math.atan2(EARTH_RADIUS_KM * Math.sin(angle), frame.radiusKm - EARTH_RADIUS_KM * Math.cos(angle));
  const point = groundPointAt(frame, (roll * 180) / Math.PI);
  if (point === null) throw new RangeError(`${groundKm} km from the ground track is beyond the horizon`);
  return point;
}

export function createSwathGrid(orbit: RepeatOrbit, layout: SwathLayout): SwathGrid {
  const track = referenceTrack(orbit);
  const { columns, rows, along, across } = layout;
  const rowMs = orbit.nodalPeriodMs / rows;
  const rowBoxes = new LRUCache<number, ReferenceBox>({ max: CACHED_ROWS });
  // Those not imaged are kept as empty lists: the cache holds no null.
  const strips = new LRUCache<number, ReferenceBox | readonly []>({ max: CACHED_STRIPS });

  const frameAt = (row: number): TrackFrame => {
    const state = track(row * rowMs);
    return { ...levelFrame(state), radiusKm: Math.hypot(...state.positionM) / 1000 };
  };

  const outline = (row: number, column: number, part: Part): number[] => {
    const { leftKm = 0, rightKm = 0 } = columns[column] ?? {};
    const left = leftKm + (rightKm - leftKm) * part.left;
    const right = leftKm + (rightKm - leftKm) * part.right;
    const lengthKm = (REVOLUTION_KM / rows) * (part.end - part.start);
    const alongSteps = Math.max(1, Math.ceil(lengthKm / EDGE_KM));
    const acrossSteps = Math.max(1, Math.ceil((right - left) / EDGE_KM));
    const ring: number[] = [];
    const back: (readonly [number, number])[] = [];
    for (let step = 0; step <= alongSteps; step += 1) {
      // The same sum for both cells that share an edge, so that it is the same to the last digit.
      const share = step === alongSteps ? part.end : part.start + ((part.end - part.start) * step) / alongSteps;
      const frame = frameAt(row + share);
      if (step !== 0 && step !== alongSteps) {
        ring.push(...pointAt(frame, right));
        back.unshift(pointAt(frame, left));
        continue;
      }
      for (let i = 0; i <= acrossSteps; i += 1) {
        const at = (step === 0 ? i : acrossSteps - i) / acrossSteps;
        ring.push(...pointAt(frame, at === 1 ? right : left + (right - left) * at));
      }
    }
    for (const point of back) ring.push(...point);
    for (let i = 2; i < ring.length; i += 2) {
      const lon = ring[i] ?? 0;
      ring[i] = lon + 360 * Math.round(((ring[0] ?? 0) - lon) / 360);
    }
    return ring;
  };

  const isImaged = ([west, south, east, north]: ReferenceBox): boolean =>
    north <= layout.maxLatDeg &&
    south >= -Math.min(layout.maxLatDeg, SOUTHERN_LIMIT_DEG) &&
    east - west < MAX_WIDTH_DEG;

  // The columns farthest left and right and the one next to the track bound all of them.
  const byDistance = columns.map((_, index) => index).toSorted((a, b) => leftOf(columns, a) - leftOf(columns, b));
  const nearest = columns.map((_, index) => index).toSorted((a, b) => awayOf(columns, a) - awayOf(columns, b));
  const outermost = [byDistance[0] ?? 0, nearest[0] ?? 0, byDistance.at(-1) ?? 0];

  // Latitudes of pieces of the revolution, so that a search looks at few rows.
  const chunkRows = Math.max(1, Math.ceil(rows / CHUNKS));
  const edges = columns.flatMap(({ leftKm, rightKm }) => [leftKm, rightKm]);
  const reach = [Math.min(...edges), 0, Math.max(...edges)];
  const chunks = Array.from({ length: Math.ceil(rows / chunkRows) }, (_, chunk) => {
    const first = chunk * chunkRows;
    const last = Math.min(first + chunkRows, rows);
    const lats = [first, (first + last) / 2, last].flatMap((row) => {
      const frame = frameAt(row);
      return reach.map((groundKm) => pointAt(frame, groundKm)[1]);
    });
    return { first, last, south: Math.min(...lats) - CHUNK_MARGIN_DEG, north: Math.max(...lats) + CHUNK_MARGIN_DEG };
  });

  return {
    layout,
    rowsBetween(southDeg, northDeg) {
      const found: number[] = [];
      for (const { first, last, south, north } of chunks) {
        if (south > northDeg || north < southDeg) continue;
        for (let row = first; row < last; row += 1) found.push(row);
      }
      return found;
    },
    rowBox(row) {
      const known = rowBoxes.get(row);
      if (known !== undefined) return known;
      const first = outline(row, 0, WHOLE)[0] ?? 0;
      const points = outermost.flatMap((column) => {
        const ring = outline(row, column, WHOLE);
        const turn = 360 * Math.round((first - (ring[0] ?? 0)) / 360);
        return ring.map((value, index) => (index % 2 === 0 ? value + turn : value));
      });
      const [west, south, east, north] = boundsOfRing(points);
      // Next to a pole a row goes around it.
      const isAround = east - west > 180;
      const box: ReferenceBox = [
        isAround ? -180 : west - ROW_MARGIN_DEG,
        south - ROW_MARGIN_DEG,
        isAround ? 180 : east + ROW_MARGIN_DEG,
        north + ROW_MARGIN_DEG,
      ];
      rowBoxes.set(row, box);
      return box;
    },
    box(row, column) {
      const key = row * columns.length + column;
      let box = strips.get(key);
      if (box === undefined) {
        const bounds = boundsOfRing(outline(row, column, WHOLE));
        box = isImaged(bounds) ? bounds : [];
        strips.set(key, box);
      }
      return box.length === 0 ? null : box;
    },
    strip: (row, column) => outline(row, column, WHOLE),
    cell(row, column, cell) {
      const step = Math.floor(cell / across);
      const beside = cell % across;
      return outline(row, column, {
        start: step / along,
        end: (step + 1) / along,
        left: beside / across,
        right: (beside + 1) / across,
      });
    },
    stripMs: (row) => (row + 0.5) * rowMs,
    cellMs: (row, cell) => (row + (Math.floor(cell / across) + 0.5) / along) * rowMs,
  };
}

function leftOf(columns: readonly Column[], index: number): number {
  return columns[index]?.leftKm ?? 0;
}

function awayOf(columns: readonly Column[], index: number): number {
  const { leftKm = 0, rightKm = 0 } = columns[index] ?? {};
  return Math.abs(leftKm + rightKm);
}

/** Shares of a strip. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly left: number;
  readonly right: number;
}

const WHOLE: Part = { start: 0, end: 1, left: 0, right: 1 };

/** `[west, south, east, north]` */
export function boundsOfRing(ring: readonly number[]): [number, number, number, number] {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    const lon = ring[i] ?? 0;
    const lat = ring[i + 1] ?? 0;
    bounds[0] = Math.min(bounds[0], lon);
    bounds[1] = Math.min(bounds[1], lat);
    bounds[2] = Math.max(bounds[2], lon);
    bounds[3] = Math.max(bounds[3], lat);
  }
  return bounds;
}

/** Half-open, so that a place on a shared edge is in one cell. */
export function isInsideRing(ring: readonly number[], lonDeg: number, latDeg: number): boolean {
  let inside = false;
  let x1 = ring.at(-2) ?? 0;
  let y1 = ring.at(-1) ?? 0;
  for (let i = 0; i < ring.length; i += 2) {
    const x2 = ring[i] ?? 0;
    const y2 = ring[i + 1] ?? 0;
    if (y1 > latDeg !== y2 > latDeg && lonDeg < x1 + ((latDeg - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
    x1 = x2;
    y1 = y2;
  }
  return inside;
}
