import { LRUCache } from "lru-cache";
import { groundPointAt, levelFrame, type LevelFrame } from "@swath/kernel/orbits/ground-point";
import type { RepeatOrbit } from "@swath/kernel/orbits/repeat-orbit";
import { referenceTrack } from "./reference-track.ts";

/*
 * Terminology.
 * - Frame: one of equal pieces of a revolution, counted from the ascending node.
 * - Column: a strip beside the ground track, between two distances from it.
 * - Cell: a frame of a column; the ground of one scene. Cells of neighbouring frames and columns share their edges.
 * - Reference longitude: as if the node of the revolution were at longitude 0. Another revolution adds its node's.
 */

/** Distance from the ground track along the earth's surface, kilometres, positive to the right of the flight. */
export interface Column {
  readonly nearKm: number;
  readonly farKm: number;
}

export interface SwathLayout {
  readonly columns: readonly Column[];
  /** Frames of a revolution. */
  readonly frames: number;
  /** Cells that reach beyond are not imaged; up to 84. */
  readonly maxLatDeg: number;
}

/** `[west, south, east, north]` of each column of a frame, reference longitudes; NaN for cells not imaged. */
export type FrameBoxes = Float64Array;

export interface SwathGrid {
  readonly layout: SwathLayout;
  readonly orbit: RepeatOrbit;
  /** Frames that may have a cell between the latitudes. */
  framesBetween(southDeg: number, northDeg: number): readonly number[];
  boxes(frame: number): FrameBoxes;
  /** Outline of a range of cells, `[lon, lat, lon, lat, …]`, counter-clockwise, not closed, reference longitudes; null when not imaged. */
  ring(frame: number, column: number, frameCount?: number, columnCount?: number): readonly number[] | null;
  /** Middle of a cell, reference longitude. */
  centre(frame: number, column: number): readonly [lonDeg: number, latDeg: number];
  /** After the node. */
  middleMs(frame: number): number;
}

const EARTH_RADIUS_KM = 6371;
/** Longest straight edge of an outline. */
const EDGE_KM = 60;
const CHUNKS = 400;
const CHUNK_MARGIN_DEG = 0.3;
const CACHED_FRAMES = 1500;
/** South of it UTM ends. */
const SOUTHERN_LIMIT_DEG = 79.5;

/** Length of a revolution on the ground. */
export const REVOLUTION_KM = 2 * Math.PI * EARTH_RADIUS_KM;

/** Roll angle that looks at a distance from the ground track, from the satellite's distance to the earth's centre. */
function rollDeg(groundKm: number, radiusKm: number): number {
  const angle = groundKm / EARTH_RADIUS_KM;
  return (Math.atan2(EARTH_RADIUS_KM * Math.sin(angle), radiusKm - EARTH_RADIUS_KM * Math.cos(angle)) * 180) / Math.PI;
}

export function createSwathGrid(orbit: RepeatOrbit, layout: SwathLayout): SwathGrid {
  const track = referenceTrack(orbit);
  const { columns, frames } = layout;
  const frameMs = orbit.nodalPeriodMs / frames;
  const cache = new LRUCache<number, FrameBoxes>({ max: CACHED_FRAMES });
  const alongSteps = Math.max(1, Math.ceil(REVOLUTION_KM / frames / EDGE_KM));

  const level = (frame: number): LevelFrame & { readonly radiusKm: number } => {
    const state = track(frame * frameMs);
    return { ...levelFrame(state), radiusKm: Math.hypot(...state.positionM) / 1000 };
  };
  const pointAt = (at: LevelFrame & { readonly radiusKm: number }, groundKm: number): readonly [number, number] => {
    const point = groundPointAt(at, rollDeg(groundKm, at.radiusKm));
    if (point === null) throw new RangeError(`${groundKm} km from the ground track is beyond the horizon`);
    return point;
  };

  const outline = (frame: number, column: number, frameCount: number, columnCount: number): number[] => {
    const first = columns[column];
    const last = columns[column + columnCount - 1];
    if (first === undefined || last === undefined) throw new RangeError(`there is no column ${column}`);
    const left = Math.min(first.nearKm, first.farKm, last.nearKm, last.farKm);
    const right = Math.max(first.nearKm, first.farKm, last.nearKm, last.farKm);
    const acrossSteps = Math.max(1, Math.ceil((right - left) / EDGE_KM));
    const steps = alongSteps * frameCount;
    const rows = Array.from({ length: steps + 1 }, (_, step) => level(frame + step / alongSteps));
    const ring: number[] = [];
    // Start edge left to right, right edge along the flight, end edge right to left, left edge back.
    for (const [step, row] of rows.entries()) {
      if (step !== 0 && step !== steps) {
        ring.push(...pointAt(row, right));
        continue;
      }
      for (let across = 0; across <= acrossSteps; across += 1) {
        const part = step === 0 ? across / acrossSteps : 1 - across / acrossSteps;
        ring.push(...pointAt(row, left + (right - left) * part));
      }
    }
    for (let step = steps - 1; step > 0; step -= 1) {
      const row = rows[step];
      if (row !== undefined) ring.push(...pointAt(row, left));
    }
    for (let i = 2; i < ring.length; i += 2) {
      const lon = ring[i] ?? 0;
      ring[i] = lon + 360 * Math.round(((ring[0] ?? 0) - lon) / 360);
    }
    return ring;
  };

  const isImaged = (ring: readonly number[]): boolean => {
    let west = Infinity;
    let east = -Infinity;
    for (let i = 0; i < ring.length; i += 2) {
      const lat = ring[i + 1] ?? 0;
      if (lat > layout.maxLatDeg || lat < -Math.min(layout.maxLatDeg, SOUTHERN_LIMIT_DEG)) return false;
      west = Math.min(west, ring[i] ?? 0);
      east = Math.max(east, ring[i] ?? 0);
    }
    return east - west < 90;
  };

  // Latitudes of pieces of the revolution, so that a search looks at few frames.
  const chunkFrames = Math.max(1, Math.ceil(frames / CHUNKS));
  const chunks = Array.from({ length: Math.ceil(frames / chunkFrames) }, (_, chunk) => {
    const first = chunk * chunkFrames;
    const last = Math.min(first + chunkFrames, frames);
    let south = Infinity;
    let north = -Infinity;
    const reach = columns.flatMap(({ nearKm, farKm }) => [nearKm, farKm]);
    for (const frame of [first, (first + last) / 2, last]) {
      const row = level(frame);
      for (const groundKm of [Math.min(...reach), 0, Math.max(...reach)]) {
        const [, lat] = pointAt(row, groundKm);
        south = Math.min(south, lat);
        north = Math.max(north, lat);
      }
    }
    return { first, last, south: south - CHUNK_MARGIN_DEG, north: north + CHUNK_MARGIN_DEG };
  });

  return {
    layout,
    orbit,
    framesBetween(southDeg, northDeg) {
      const found: number[] = [];
      for (const { first, last, south, north } of chunks) {
        if (south > northDeg || north < southDeg) continue;
        for (let frame = first; frame < last; frame += 1) found.push(frame);
      }
      return found;
    },
    boxes(frame) {
      const known = cache.get(frame);
      if (known !== undefined) return known;
      const boxes = new Float64Array(columns.length * 4).fill(Number.NaN);
      for (let column = 0; column < columns.length; column += 1) {
        const ring = outline(frame, column, 1, 1);
        if (isImaged(ring)) boxes.set(boundsOfRing(ring), column * 4);
      }
      cache.set(frame, boxes);
      return boxes;
    },
    ring(frame, column, frameCount = 1, columnCount = 1) {
      const ring = outline(frame, column, frameCount, columnCount);
      return isImaged(ring) ? ring : null;
    },
    centre(frame, column) {
      const { nearKm, farKm } = columns[column] ?? { nearKm: 0, farKm: 0 };
      return pointAt(level(frame + 0.5), (nearKm + farKm) / 2);
    },
    middleMs: (frame) => (frame + 0.5) * frameMs,
  };
}

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
