import type { Bounds } from "@swath/kernel/geometry/geojson";
import { sunPosition } from "@swath/kernel/orbits/sun";
import { DEGREE, meridianRadiusM, primeVerticalRadiusM } from "@swath/kernel/geometry/wgs84";
import { hashOf, unit } from "./hash.ts";
import type { Satellite } from "./satellites.ts";
import { SITES, type Site } from "./sites.ts";
import { boundsOfRing, type SwathGrid } from "./swath-grid.ts";
import type { SwathPlan } from "./swath-plan.ts";

/*
 * Terminology.
 * - Pass: one revolution of one satellite or swarm member, counted within its cycle from 0; at members of a swarm all
 *   of them pass before the first passes again.
 * - Slot: a cell as seen in a pass: ground that a satellite can image once in every cycle, at the same moment of it.
 * - Capture: a slot in a cycle in which it is imaged.
 */

export interface Slot {
  readonly frame: number;
  readonly column: number;
  readonly pass: number;
  /** Since the beginning of the cycle. */
  readonly offsetMs: number;
  /** Whether the strip of the cell holds a site. */
  readonly hasSite: boolean;
  /** Whether the cell holds the middle of the plan's collection area, which is then imaged instead of the cell. */
  readonly hasArea: boolean;
}

export interface Capture extends Slot {
  readonly satellite: Satellite;
  readonly cycle: number;
  /** Whole seconds. */
  readonly acquiredAtMs: number;
}

/** All passes of a cycle. */
export function passCount(satellite: Satellite): number {
  return satellite.orbit.revolutions * satellite.members;
}

export function nodeLonDeg(satellite: Satellite, pass: number): number {
  return satellite.nodeLonDeg - (pass * satellite.orbit.nodeSpacingDeg) / satellite.members;
}

function offsetMs(satellite: Satellite, grid: SwathGrid, frame: number, pass: number): number {
  return (pass * satellite.orbit.nodalPeriodMs) / satellite.members + grid.middleMs(frame);
}

/** Moment of a slot in a cycle, cut to the second. */
export function momentOf(satellite: Satellite, cycle: number, offset: number): number {
  return Math.floor((satellite.epochMs + cycle * satellite.orbit.cycleMs + offset) / 1000) * 1000;
}

/** Outline of what is imaged at a slot, unwrapped, not closed, counter-clockwise; null when the cell is not imaged. */
export function outlineOf(plan: SwathPlan, satellite: Satellite, slot: Slot): readonly number[] | null {
  const ring = plan.gridOf(satellite).ring(slot.frame, slot.column);
  if (ring === null) return null;
  if (slot.hasArea && plan.area !== null) return areaOutline(ring, plan.area, plan.area.sideKm);
  const turn = nodeLonDeg(satellite, slot.pass);
  const middle = ((ring[0] ?? 0) + turn) % 360;
  const shift = turn - 360 * Math.round((turn + (ring[0] ?? 0) - shortest(middle)) / 360);
  return ring.map((value, index) => (index % 2 === 0 ? value + shift : value));
}

function shortest(lonDeg: number): number {
  return lonDeg - 360 * Math.round(lonDeg / 360);
}

/** A square along the flight around a place. */
function areaOutline(cell: readonly number[], { lonDeg, latDeg }: Site, sideKm: number): readonly number[] {
  const perLat = (meridianRadiusM(latDeg) * DEGREE) / 1000;
  const perLon = (primeVerticalRadiusM(latDeg) * Math.cos(latDeg * DEGREE) * DEGREE) / 1000;
  // The flight runs along the right edge of the cell, from its second corner to its third.
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = cell.slice(2, 6);
  const angle = Math.atan2((x2 - x1) * perLon, (y2 - y1) * perLat);
  const half = sideKm / 2;
  return [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ].flatMap(([right = 0, ahead = 0]) => [
    lonDeg + (right * Math.cos(angle) + ahead * Math.sin(angle)) / perLon,
    latDeg + (ahead * Math.cos(angle) - right * Math.sin(angle)) / perLat,
  ]);
}

const inverses = new Map<number, number>();

/** The number that turns steps between neighbouring nodes into passes. */
function stepInverse(satellite: Satellite): number {
  const { orbit } = satellite;
  const modulus = passCount(satellite);
  const key = modulus * 1000 + orbit.nodalDays;
  let inverse = inverses.get(key);
  if (inverse === undefined) {
    inverse = 1;
    while ((inverse * orbit.nodalDays) % modulus !== 1) inverse += 1;
    inverses.set(key, inverse);
  }
  return inverse;
}

/** Passes whose reference longitudes from west to east come to lie within a box, any number of turns away. */
function passesOver(satellite: Satellite, west: number, east: number, box: Bounds): readonly number[] {
  const modulus = passCount(satellite);
  const stepDeg = 360 / modulus;
  const first = Math.ceil((satellite.nodeLonDeg - (box[2] - west)) / stepDeg);
  const last = Math.min(Math.floor((satellite.nodeLonDeg - (box[0] - east)) / stepDeg), first + modulus - 1);
  const inverse = stepInverse(satellite);
  const passes: number[] = [];
  for (let node = first; node <= last; node += 1) {
    const place = ((node % modulus) + modulus) % modulus;
    passes.push((place * inverse) % modulus);
  }
  return passes;
}

/** Degrees around a box in which a site may belong to a strip that reaches into it. */
const SITE_REACH_DEG = 3;

/** Slots whose outline may overlap one of the boxes, each once, by their moment in the cycle. */
export function slotsOver(plan: SwathPlan, satellite: Satellite, boxes: readonly Bounds[]): readonly Slot[] {
  const grid = plan.gridOf(satellite);
  const slots = new Map<number, Slot>();
  const sites = plan.share === null ? [] : SITES.filter((site) => isNear(site, boxes, SITE_REACH_DEG));
  const searched: Bounds[] = [...boxes];
  const { area } = plan;
  if (area !== null && isNear(area, boxes, area.sideKm / 100)) {
    searched.push([area.lonDeg, area.latDeg, area.lonDeg, area.latDeg]);
  }
  const columns = grid.layout.columns.length;
  for (const box of searched) {
    for (const frame of grid.framesBetween(box[1], box[3])) {
      const cells = grid.boxes(frame);
      for (let column = 0; column < columns; column += 1) {
        const west = cells[column * 4] ?? Number.NaN;
        const south = cells[column * 4 + 1] ?? 0;
        const east = cells[column * 4 + 2] ?? 0;
        const north = cells[column * 4 + 3] ?? 0;
        if (Number.isNaN(west) || south > box[3] || north < box[1]) continue;
        for (const pass of passesOver(satellite, west, east, box)) {
          const key = (pass * grid.layout.frames + frame) * columns + column;
          if (!slots.has(key)) slots.set(key, slotAt(plan, satellite, frame, column, pass, sites));
        }
      }
    }
  }
  return [...slots.values()].toSorted((a, b) => a.offsetMs - b.offsetMs);
}

/** A slot with what it holds; sites other than the given are not looked for. */
export function slotAt(
  plan: SwathPlan,
  satellite: Satellite,
  frame: number,
  column: number,
  pass: number,
  sites: readonly Site[] = plan.share === null ? [] : SITES,
): Slot {
  const grid = plan.gridOf(satellite);
  const turn = nodeLonDeg(satellite, pass);
  const { blockFrames, blockColumns, area } = plan;
  const hasArea = area !== null && holds(() => grid.ring(frame, column), area, turn, boxOf(grid, frame, column));
  let hasSite = false;
  if (sites.length > 0) {
    const first = Math.floor(frame / blockFrames) * blockFrames;
    const left = Math.floor(column / blockColumns) * blockColumns;
    const near = boxOf(grid, frame, column);
    const reach = SITE_REACH_DEG / 2;
    hasSite = sites.some((site) =>
      holds(() => grid.ring(first, left, blockFrames, blockColumns), site, turn, [
        near[0] - 2 * reach,
        near[1] - reach,
        near[2] + 2 * reach,
        near[3] + reach,
      ]),
    );
  }
  return { frame, column, pass, offsetMs: offsetMs(satellite, grid, frame, pass), hasSite, hasArea };
}

function boxOf(grid: SwathGrid, frame: number, column: number): Bounds {
  const [west = 0, south = 0, east = 0, north = 0] = grid.boxes(frame).subarray(column * 4, column * 4 + 4);
  return [west, south, east, north];
}

function isNear({ lonDeg, latDeg }: Site, boxes: readonly Bounds[], reachDeg: number): boolean {
  const wide = reachDeg / Math.max(Math.cos(latDeg * DEGREE), 0.2);
  return boxes.some(([west, south, east, north]) => {
    if (latDeg < south - reachDeg || latDeg > north + reachDeg) return false;
    const lon = lonDeg + 360 * Math.ceil((west - wide - lonDeg) / 360);
    return lon <= east + wide;
  });
}

/** Whether a ring of reference longitudes holds a place; the box spares most rings. */
function holds(ringOf: () => readonly number[] | null, site: Site, turnDeg: number, near: Bounds): boolean {
  if (!(site.latDeg >= near[1] && site.latDeg <= near[3])) return false;
  const middle = (near[0] + near[2]) / 2;
  const lon = middle + shortest(site.lonDeg - turnDeg - middle);
  if (!(lon >= near[0] && lon <= near[2])) return false;
  const ring = ringOf();
  if (ring === null) return false;
  const [west, , east] = boundsOfRing(ring);
  return isInside(ring, (west + east) / 2 + shortest(lon - (west + east) / 2), site.latDeg);
}

/** Half-open, so that a place on a shared edge is in one cell. */
function isInside(ring: readonly number[], x: number, y: number): boolean {
  let inside = false;
  let x1 = ring.at(-2) ?? 0;
  let y1 = ring.at(-1) ?? 0;
  for (let i = 0; i < ring.length; i += 2) {
    const x2 = ring[i] ?? 0;
    const y2 = ring[i + 1] ?? 0;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
    x1 = x2;
    y1 = y2;
  }
  return inside;
}

/** Whether a tasked satellite images the slot in that cycle; one that scans always does. */
export function isTaken(plan: SwathPlan, satellite: Satellite, cycle: number, slot: Slot): boolean {
  if (plan.share === null || slot.hasArea) return true;
  const row = Math.floor(slot.frame / plan.blockFrames);
  const column = Math.floor(slot.column / plan.blockColumns);
  const draw = hashOf(plan.seed, satellite.seed, cycle, slot.pass, row);
  if (slot.hasSite && unit(hashOf(draw, column, 3)) < plan.siteShare) return true;
  const columns = plan.gridOf(satellite).layout.columns.length / plan.blockColumns;
  return unit(draw) < plan.share && Math.floor(unit(hashOf(draw, 1)) * columns) === column;
}

/** Whether the satellite worked then and the sun stood high enough over the slot. */
export function isPossible(plan: SwathPlan, satellite: Satellite, slot: Slot, acquiredAtMs: number): boolean {
  if (acquiredAtMs < satellite.fromMs || (satellite.toMs !== null && acquiredAtMs >= satellite.toMs)) return false;
  if (plan.minSunElevationDeg === null) return true;
  const grid = plan.gridOf(satellite);
  const [west, south, east, north] = boxOf(grid, slot.frame, slot.column);
  const lon = (west + east) / 2 + nodeLonDeg(satellite, slot.pass);
  return sunPosition(acquiredAtMs, lon, (south + north) / 2).elevationDeg >= plan.minSunElevationDeg;
}
