import { DEGREE, meridianRadiusM, primeVerticalRadiusM } from "@swath/kernel/geometry/wgs84";
import { sunPosition } from "@swath/kernel/orbits/sun";
import { hashOf, unit } from "./hash.ts";
import { nodeLonDeg, nodeMs, shortWayDeg } from "./pass.ts";
import type { Satellite } from "./satellites.ts";
import { framingOf } from "./framing.ts";
import { NO_SHIFT, seamShift, type SeamShift } from "./seam-shift.ts";
import type { CollectionArea } from "./sites.ts";
import type { Slot } from "./slot.ts";
import type { SwathPlan } from "./swath-plan.ts";

/** One cell imaged in one cycle. */
export interface Capture {
  readonly satellite: Satellite;
  readonly slot: Slot;
  readonly cycle: number;
  readonly column: number;
  readonly cell: number;
  /** Whole seconds. */
  readonly acquiredAtMs: number;
  /** Where the seams between cells lie, see `seamShift`. */
  readonly framing: number;
  /** Whether searches find it; others exist for callers that know their names. */
  readonly isListed: boolean;
}

/** The exact moment of a cell in a cycle. */
export function momentOf(
  plan: SwathPlan,
  satellite: Satellite,
  slot: Slot,
  cycle: number,
  cell: number,
  shift: SeamShift = NO_SHIFT,
): number {
  const { epochMs, orbit } = satellite;
  const cellMs = plan.gridOf(satellite).cellMs(slot.row, cell, shift);
  return epochMs + cycle * orbit.cycleMs + nodeMs(satellite, slot.pass) + cellMs;
}

/** Cells of a strip that are imaged in one go. */
interface Take {
  readonly column: number;
  readonly cells: readonly number[];
  readonly isListed: boolean;
}

/**
 * The captures of a row in a cycle, as the acquisition plan has them; sun and lifetime permitting, see `isPossible`.
 *
 * @param isWanted says by its column whether a strip matters; those that do not are left out
 * @param framing of the cycle, or the nominal one, whose captures exist for callers that know their names
 */
export function capturesOfSlot(
  plan: SwathPlan,
  satellite: Satellite,
  slot: Slot,
  cycle: number,
  isWanted: (column: number) => boolean,
  framing: number = framingOf(plan, satellite, cycle),
): readonly Capture[] {
  const shift = seamShift(satellite, framing);
  const draw = hashOf(plan.seed, satellite.seed, cycle, slot.pass, slot.row);
  const at = (column: number, cell: number, isListed: boolean): Capture => {
    const acquiredAtMs = Math.floor(momentOf(plan, satellite, slot, cycle, cell, shift) / 1000) * 1000;
    return { satellite, slot, cycle, column, cell, acquiredAtMs, framing, isListed };
  };
  const captures = takesOf(plan, satellite, slot, draw)
    .filter(({ column }) => isWanted(column))
    .flatMap(({ column, cells, isListed }) => cells.map((cell) => at(column, cell, isListed)));
  const { area } = slot;
  if (area === null || plan.area === null) return captures;
  // The area reaches beyond its cell, whose strip may not matter.
  const ofArea = at(area.column, area.cell, unit(hashOf(draw, 9)) < plan.area.listedShare);
  const isPromised = plan.area.promisedMs.has(ofArea.acquiredAtMs);
  return [
    ...captures.filter(({ column, cell }) => column !== area.column || cell !== area.cell),
    isPromised ? { ...ofArea, isListed: true } : ofArea,
  ];
}

/** The cells of a row that a satellite images: all of them, or the strips of sites and one more at random. */
function takesOf(plan: SwathPlan, satellite: Satellite, slot: Slot, draw: number): readonly Take[] {
  const { along, across, columns } = plan.gridOf(satellite).layout;
  const count = along * across;
  const whole = cellsUpTo(count);
  if (plan.share === null) return columns.map((_, column) => ({ column, cells: whole, isListed: true }));
  const takes: Take[] = [];
  const isTaken = (column: number): boolean => takes.some((take) => take.column === column);
  for (const { column, cell } of slot.sites) {
    if (isTaken(column) || unit(hashOf(draw, column, 3)) >= plan.siteShare) continue;
    const isListed = unit(hashOf(draw, column, 7)) < plan.listedShare;
    takes.push({ column, cells: plan.isSpot ? [cell] : whole, isListed });
  }
  const column = Math.floor(unit(hashOf(draw, 1)) * columns.length);
  if (unit(draw) < plan.share && !isTaken(column)) {
    const cells = plan.isSpot ? [Math.floor(unit(hashOf(draw, 5)) * count)] : whole;
    takes.push({ column, cells, isListed: true });
  }
  return takes;
}

const cellLists = new Map<number, readonly number[]>();

function cellsUpTo(count: number): readonly number[] {
  let cells = cellLists.get(count);
  if (cells === undefined) {
    cells = Array.from({ length: count }, (_, cell) => cell);
    cellLists.set(count, cells);
  }
  return cells;
}

/** Whether the ground is imaged, the satellite worked then and the sun stood high enough over the strip. */
export function isPossible(plan: SwathPlan, { satellite, slot, column, acquiredAtMs }: Capture): boolean {
  if (acquiredAtMs < satellite.fromMs || (satellite.toMs !== null && acquiredAtMs >= satellite.toMs)) return false;
  const box = plan.gridOf(satellite).box(slot.row, column);
  if (box === null) return false;
  if (plan.minSunElevationDeg === null) return true;
  const [west, south, east, north] = box;
  const lon = (west + east) / 2 + nodeLonDeg(satellite, slot.pass);
  return sunPosition(acquiredAtMs, lon, (south + north) / 2).elevationDeg >= plan.minSunElevationDeg;
}

/** Outline of the ground that a capture images, `[lon, lat, …]`, unwrapped, not closed, counter-clockwise, its west in [-180, 180). */
export function outlineOf(plan: SwathPlan, { satellite, slot, column, cell, framing }: Capture): readonly number[] {
  const ring = plan.gridOf(satellite).cell(slot.row, column, cell, seamShift(satellite, framing));
  const { area } = slot;
  if (area !== null && area.column === column && area.cell === cell && plan.area !== null) {
    return areaOutline(ring, plan.area);
  }
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
