import type { Bounds } from "@swath/kernel/geometry/geojson";
import { DEGREE } from "@swath/kernel/geometry/wgs84";
import { nodeLonDeg, nodeMs, passesOver, shortWayDeg } from "./pass.ts";
import type { Satellite } from "./satellites.ts";
import { SITES, type Site } from "./sites.ts";
import { isInsideRing } from "./swath-grid.ts";
import type { SwathPlan } from "./swath-plan.ts";

/** A strip as seen in a pass: ground that a satellite can image once in every cycle, at the same moment of it. */
export interface Slot {
  readonly row: number;
  readonly column: number;
  readonly pass: number;
  /** Middle of the strip since the beginning of the cycle. */
  readonly offsetMs: number;
  /** The cell that holds a site, or -1. */
  readonly siteCell: number;
  /** The cell that holds the middle of the plan's collection area, which is then imaged in its place, or -1. */
  readonly areaCell: number;
}

/** Degrees around a box in which a site may belong to a strip that reaches into it. */
const SITE_REACH_DEG = 2;
/** Beyond this latitude the sun may shine at any hour. */
const POLAR_DEG = 60;
/** Local solar hours outside of which the sun is never high enough elsewhere. */
const DAYLIGHT_HOURS = [4.5, 19.5] as const;
const HOUR_MS = 3_600_000;

type CellsByStrip = ReadonlyMap<number, number>;

/** By plan, satellite and site, the strips of all passes that hold the site and the cell of each. */
const siteStrips = new WeakMap<SwathPlan, Map<Satellite, Map<Site, CellsByStrip>>>();
const NO_CELLS: CellsByStrip = new Map();

function stripKey(plan: SwathPlan, satellite: Satellite, row: number, column: number, pass: number): number {
  const { rows, columns } = plan.gridOf(satellite).layout;
  return (pass * rows + row) * columns.length + column;
}

function cellsOfSite(plan: SwathPlan, satellite: Satellite, site: Site): CellsByStrip {
  let ofPlan = siteStrips.get(plan);
  if (ofPlan === undefined) siteStrips.set(plan, (ofPlan = new Map()));
  let ofSatellite = ofPlan.get(satellite);
  if (ofSatellite === undefined) ofPlan.set(satellite, (ofSatellite = new Map()));
  let cells = ofSatellite.get(site);
  if (cells === undefined) ofSatellite.set(site, (cells = findCells(plan, satellite, site)));
  return cells;
}

function findCells(plan: SwathPlan, satellite: Satellite, site: Site): CellsByStrip {
  const grid = plan.gridOf(satellite);
  const found = new Map<number, number>();
  const { along, across } = grid.layout;
  const point: Bounds = [site.lonDeg, site.latDeg, site.lonDeg, site.latDeg];
  eachStrip(plan, satellite, point, (row, column, pass) => {
    const turn = nodeLonDeg(satellite, pass);
    const strip = grid.strip(row, column);
    if (!holds(strip, site, turn)) return;
    for (let cell = 0; cell < along * across; cell += 1) {
      if (along * across > 1 && !holds(grid.cell(row, column, cell), site, turn)) continue;
      found.set(stripKey(plan, satellite, row, column, pass), cell);
      return;
    }
  });
  return found.size === 0 ? NO_CELLS : found;
}

function holds(ring: readonly number[], site: Site, turnDeg: number): boolean {
  const first = ring[0] ?? 0;
  return isInsideRing(ring, first + shortWayDeg(site.lonDeg - turnDeg - first), site.latDeg);
}

function eachStrip(
  plan: SwathPlan,
  satellite: Satellite,
  box: Bounds,
  visit: (row: number, column: number, pass: number) => void,
): void {
  const grid = plan.gridOf(satellite);
  const columns = grid.layout.columns.length;
  for (const row of grid.rowsBetween(box[1], box[3])) {
    const strips = grid.boxes(row);
    for (let column = 0; column < columns; column += 1) {
      const west = strips[column * 4] ?? Number.NaN;
      const south = strips[column * 4 + 1] ?? 0;
      const east = strips[column * 4 + 2] ?? 0;
      const north = strips[column * 4 + 3] ?? 0;
      if (Number.isNaN(west) || south > box[3] || north < box[1]) continue;
      for (const pass of passesOver(satellite, west, east, box)) visit(row, column, pass);
    }
  }
}

/** Slots whose ground may overlap one of the boxes, each once, by their moment in the cycle. Those at night are left out. */
export function slotsOver(plan: SwathPlan, satellite: Satellite, boxes: readonly Bounds[]): readonly Slot[] {
  const slots = new Map<number, Slot>();
  const sites = plan.share === null ? [] : SITES.filter((site) => isNear(site, boxes, SITE_REACH_DEG));
  const searched: Bounds[] = [...boxes];
  const { area } = plan;
  if (area !== null && isNear(area, boxes, area.sideKm / 100)) {
    searched.push([area.lonDeg, area.latDeg, area.lonDeg, area.latDeg]);
  }
  for (const box of searched) {
    eachStrip(plan, satellite, box, (row, column, pass) => {
      if (isAlwaysNight(plan, satellite, row, column, pass)) return;
      const key = stripKey(plan, satellite, row, column, pass);
      if (!slots.has(key)) slots.set(key, slotWith(plan, satellite, row, column, pass, sites));
    });
  }
  return [...slots.values()].toSorted((a, b) => a.offsetMs - b.offsetMs);
}

/** A slot with the sites it holds. */
export function slotAt(plan: SwathPlan, satellite: Satellite, row: number, column: number, pass: number): Slot {
  const turn = nodeLonDeg(satellite, pass);
  const [west = 0, south = 0, east = 0, north = 0] = plan
    .gridOf(satellite)
    .boxes(row)
    .subarray(column * 4, column * 4 + 4);
  const box: Bounds = [west + turn, south, east + turn, north];
  const sites = plan.share === null ? [] : SITES.filter((site) => isNear(site, [box], 0));
  return slotWith(plan, satellite, row, column, pass, sites);
}

function slotWith(
  plan: SwathPlan,
  satellite: Satellite,
  row: number,
  column: number,
  pass: number,
  sites: readonly Site[],
): Slot {
  const key = stripKey(plan, satellite, row, column, pass);
  const { area } = plan;
  let siteCell = -1;
  for (const site of sites) siteCell = cellsOfSite(plan, satellite, site).get(key) ?? siteCell;
  return {
    row,
    column,
    pass,
    offsetMs: nodeMs(satellite, pass) + plan.gridOf(satellite).stripMs(row),
    siteCell,
    areaCell: area === null ? -1 : (cellsOfSite(plan, satellite, area).get(key) ?? -1),
  };
}

function isNear({ lonDeg, latDeg }: Site, boxes: readonly Bounds[], reachDeg: number): boolean {
  const wide = reachDeg / Math.max(Math.cos(latDeg * DEGREE), 0.2);
  return boxes.some(([west, south, east, north]) => {
    if (latDeg < south - reachDeg || latDeg > north + reachDeg) return false;
    const lon = lonDeg + 360 * Math.ceil((west - wide - lonDeg) / 360);
    return lon <= east + wide;
  });
}

/** A sun-synchronous satellite passes a place at the same solar hour all year. */
function isAlwaysNight(plan: SwathPlan, satellite: Satellite, row: number, column: number, pass: number): boolean {
  if (plan.minSunElevationDeg === null || !Number.isInteger(satellite.orbit.cycleMs)) return false;
  const grid = plan.gridOf(satellite);
  const [west = 0, south = 0, east = 0, north = 0] = grid.boxes(row).subarray(column * 4, column * 4 + 4);
  if (south < -POLAR_DEG || north > POLAR_DEG) return false;
  const lon = (west + east) / 2 + nodeLonDeg(satellite, pass);
  const utcMs = satellite.epochMs + nodeMs(satellite, pass) + grid.stripMs(row);
  const hour = (((utcMs / HOUR_MS + lon / 15) % 24) + 24) % 24;
  return hour < DAYLIGHT_HOURS[0] || hour > DAYLIGHT_HOURS[1];
}
