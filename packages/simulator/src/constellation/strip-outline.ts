import { groundPointAt, levelFrame, type LevelFrame } from "@swath/kernel/orbits/ground-point";
import type { RepeatOrbit } from "@swath/kernel/orbits/repeat-orbit";
import { referenceTrack, type ReferenceTrack } from "./reference-track.ts";

/*
 * Terminology.
 * - Row: one of equal pieces of a revolution, counted from the ascending node.
 * - Column: a strip of ground beside the track, between two distances from it.
 * - Strip: a row of a column; a satellite images it in one go.
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

/** The ground beside the track of an orbit, divided into strips. */
export interface SwathGround {
  readonly layout: SwathLayout;
  readonly rowMs: number;
  readonly track: ReferenceTrack;
}

export function swathGround(orbit: RepeatOrbit, layout: SwathLayout): SwathGround {
  return { layout, rowMs: orbit.nodalPeriodMs / layout.rows, track: referenceTrack(orbit) };
}

/** Shares of a strip. */
export interface StripPart {
  readonly start: number;
  readonly end: number;
  readonly left: number;
  readonly right: number;
}

export const WHOLE_STRIP: StripPart = { start: 0, end: 1, left: 0, right: 1 };

const EARTH_RADIUS_KM = 6371;
/** Longest straight edge of an outline. */
const EDGE_KM = 60;

/** Length of a revolution on the ground. */
export const REVOLUTION_KM = 2 * Math.PI * EARTH_RADIUS_KM;

interface TrackFrame extends LevelFrame {
  readonly radiusKm: number;
}

/** The satellite over the beginning of a row; fractions lie within the row. */
export function frameAt({ track, rowMs }: SwathGround, row: number): TrackFrame {
  const state = track(row * rowMs);
  return { ...levelFrame(state), radiusKm: Math.hypot(...state.positionM) / 1000 };
}

/** The point at a distance from the ground track. */
export function pointAt(frame: TrackFrame, groundKm: number): readonly [lonDeg: number, latDeg: number] {
  const angle = groundKm / EARTH_RADIUS_KM;
  const roll = Math.atan2(EARTH_RADIUS_KM * Math.sin(angle), frame.radiusKm - EARTH_RADIUS_KM * Math.cos(angle));
  const point = groundPointAt(frame, (roll * 180) / Math.PI);
  if (point === null) throw new RangeError(`${groundKm} km from the ground track is beyond the horizon`);
  return point;
}

/** Ring around a part of a strip, counter-clockwise, reference longitudes. */
export function stripOutline(ground: SwathGround, row: number, column: number, part: StripPart): readonly number[] {
  const { columns, rows } = ground.layout;
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
    const frame = frameAt(ground, row + share);
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
}
