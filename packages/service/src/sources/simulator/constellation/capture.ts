import { DEGREE, meridianRadiusM, primeVerticalRadiusM } from "@swath/kernel/geometry/wgs84";
import { sunPosition } from "@swath/kernel/orbits/sun";
import { hashOf, unit } from "./hash.ts";
import { nodeLonDeg, nodeMs, shortWayDeg } from "./pass.ts";
import type { Satellite } from "./satellites.ts";
import type { CollectionArea } from "./sites.ts";
import type { Slot } from "./slot.ts";
import type { SwathPlan } from "./swath-plan.ts";

/** One cell imaged in one cycle. */
export interface Capture {
  readonly satellite: Satellite;
  readonly slot: Slot;
  readonly cycle: number;
  readonly cell: number;
  /** Whole seconds. */
  readonly acquiredAtMs: number;
}

/** The exact moment of a cell in a cycle. */
export function momentOf(plan: SwathPlan, satellite: Satellite, slot: Slot, cycle: number, cell: number): number {
  const { epochMs, orbit } = satellite;
  return epochMs + cycle * orbit.cycleMs + nodeMs(satellite, slot.pass) + plan.gridOf(satellite).cellMs(slot.row, cell);
}

/** The captures of a strip in a cycle, none when it is not imaged then. Sun and lifetime permitting: see `isPossible`. */
export function capturesOfStrip(plan: SwathPlan, satellite: Satellite, slot: Slot, cycle: number): readonly Capture[] {
  const { along, across } = plan.gridOf(satellite).layout;
  return cellsImaged(plan, satellite, slot, cycle, along * across).map((cell) => ({
    satellite,
    slot,
    cycle,
    cell,
    acquiredAtMs: Math.floor(momentOf(plan, satellite, slot, cycle, cell) / 1000) * 1000,
  }));
}

const ALL = Array.from({ length: 64 }, (_, cell) => cell);

function cellsImaged(
  plan: SwathPlan,
  satellite: Satellite,
  slot: Slot,
  cycle: number,
  count: number,
): readonly number[] {
  if (plan.share === null) return ALL.slice(0, count);
  const draw = hashOf(plan.seed, satellite.seed, cycle, slot.pass, slot.row);
  const columns = plan.gridOf(satellite).layout.columns.length;
  const isTasked = unit(draw) < plan.share && Math.floor(unit(hashOf(draw, 1)) * columns) === slot.column;
  const isSite = slot.siteCell >= 0 && unit(hashOf(draw, slot.column, 3)) < plan.siteShare;
  if (plan.isSpot) {
    if (isSite) return [slot.siteCell];
    return isTasked ? [Math.floor(unit(hashOf(draw, 5)) * count)] : [];
  }
  if (isTasked || isSite) return ALL.slice(0, count);
  return slot.areaCell >= 0 ? [slot.areaCell] : [];
}

/** Whether the satellite worked then and the sun stood high enough over the strip. */
export function isPossible(plan: SwathPlan, { satellite, slot, acquiredAtMs }: Capture): boolean {
  if (acquiredAtMs < satellite.fromMs || (satellite.toMs !== null && acquiredAtMs >= satellite.toMs)) return false;
  if (plan.minSunElevationDeg === null) return true;
  const [west = 0, south = 0, east = 0, north = 0] = plan
    .gridOf(satellite)
    .boxes(slot.row)
    .subarray(slot.column * 4, slot.column * 4 + 4);
  const lon = (west + east) / 2 + nodeLonDeg(satellite, slot.pass);
  return sunPosition(acquiredAtMs, lon, (south + north) / 2).elevationDeg >= plan.minSunElevationDeg;
}

/** Outline of what a capture images, `[lon, lat, …]`, unwrapped, not closed, counter-clockwise, its west in [-180, 180). */
export function outlineOf(plan: SwathPlan, { satellite, slot, cell }: Capture): readonly number[] {
  const grid = plan.gridOf(satellite);
  const ring = grid.cell(slot.row, slot.column, cell);
  if (cell === slot.areaCell && plan.area !== null) return areaOutline(ring, plan.area);
  const turn = nodeLonDeg(satellite, slot.pass);
  let west = Infinity;
  for (let i = 0; i < ring.length; i += 2) west = Math.min(west, ring[i] ?? 0);
  const shift = shortWayDeg(west + turn) - west;
  return ring.map((value, index) => (index % 2 === 0 ? value + shift : value));
}

/** A square along the flight around a place. */
function areaOutline(cell: readonly number[], { lonDeg, latDeg, sideKm }: CollectionArea): readonly number[] {
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
