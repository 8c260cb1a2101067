import type { Bounds } from "@swath/kernel/geometry/geojson";
import { DEGREE } from "@swath/kernel/geometry/wgs84";
import { nodeLonDeg, nodeMs, passesOver, shortWayDeg } from "./pass.ts";
import type { Satellite } from "./satellites.ts";
import { NO_SHIFT } from "./seam-shift.ts";
import { SITES, type Site } from "./sites.ts";
import { isInsideRing } from "./ring.ts";
import type { SwathPlan } from "./swath-plan.ts";

/** A cell of a row, by the column of its strip and its number within. */
export interface CellPlace {
  readonly column: number;
  readonly cell: number;
}

/** A row in a pass: ground that a satellite flies over once in every cycle, at the same moment of the cycle. */
export interface Slot {
  readonly row: number;
  readonly pass: number;
  /** Middle of the row since the beginning of the cycle. */
  readonly offsetMs: number;
  /** The cells that hold sites. */
  readonly sites: readonly CellPlace[];
  /** The cell that holds the middle of the plan's collection area, which is then imaged in its place. */
  readonly area: CellPlace | null;
}

/** Degrees around a box in which a site may belong to a strip that reaches into it. */
const SITE_REACH_DEG = 2;
/** Beyond this latitude the sun may shine at any hour. */
const POLAR_DEG = 60;
/** Local solar hours outside of which the sun is never high enough elsewhere. */
const DAYLIGHT_HOURS = [4.5, 19.5] as const;
const HOUR_MS = 3_600_000;

type PlacesBySlot = ReadonlyMap<number, CellPlace>;

/** By plan, satellite and site, the rows of all passes with a cell that holds the site. */
const sitePlaces = new WeakMap<SwathPlan, Map<Satellite, Map<Site, PlacesBySlot>>>();

function slotKey(plan: SwathPlan, satellite: Satellite, row: number, pass: number): number {
  return pass * plan.gridOf(satellite).layout.rows + row;
}

function placesOfSite(plan: SwathPlan, satellite: Satellite, site: Site): PlacesBySlot {
  let ofPlan = sitePlaces.get(plan);
  if (ofPlan === undefined) sitePlaces.set(plan, (ofPlan = new Map()));
  let ofSatellite = ofPlan.get(satellite);
  if (ofSatellite === undefined) ofPlan.set(satellite, (ofSatellite = new Map()));
  let places = ofSatellite.get(site);
  if (places === undefined) ofSatellite.set(site, (places = findPlaces(plan, satellite, site)));
  return places;
}

function findPlaces(plan: SwathPlan, satellite: Satellite, site: Site): PlacesBySlot {
  const grid = plan.gridOf(satellite);
  const { along, across, columns } = grid.layout;
  const found = new Map<number, CellPlace>();
  eachRow(plan, satellite, [site.lonDeg, site.latDeg, site.lonDeg, site.latDeg], (row, pass) => {
    const turn = nodeLonDeg(satellite, pass);
    for (let column = 0; column < columns.length; column += 1) {
      const box = grid.box(row, column);
      if (box === null || site.latDeg < box[1] || site.latDeg > box[3]) continue;
      const lon = box[0] + ((((site.lonDeg - turn - box[0]) % 360) + 360) % 360);
      if (lon > box[2]) continue;
      for (let cell = 0; cell < along * across; cell += 1) {
        if (!holds(grid.cell(row, column, cell, NO_SHIFT), site, turn)) continue;
        found.set(slotKey(plan, satellite, row, pass), { column, cell });
        return;
      }
    }
  });
  return found;
}

function holds(ring: readonly number[], site: Site, turnDeg: number): boolean {
  const first = ring[0] ?? 0;
  return isInsideRing(ring, first + shortWayDeg(site.lonDeg - turnDeg - first), site.latDeg);
}

function eachRow(plan: SwathPlan, satellite: Satellite, box: Bounds, visit: (row: number, pass: number) => void): void {
  const grid = plan.gridOf(satellite);
  for (const row of grid.rowsBetween(box[1], box[3])) {
    const [west, south, east, north] = grid.rowBox(row);
    if (south > box[3] || north < box[1]) continue;
    for (const pass of passesOver(satellite, west, east, box)) visit(row, pass);
  }
}

/** Slots with ground near one of the boxes, each once, by their moment in the cycle. Those at night are left out. */
export function slotsOver(plan: SwathPlan, satellite: Satellite, boxes: readonly Bounds[]): readonly Slot[] {
  const slots = new Map<number, Slot>();
  const sites = plan.share === null ? [] : SITES.filter((site) => isNear(site, boxes, SITE_REACH_DEG));
  const searched: Bounds[] = [...boxes];
  const { area } = plan;
  if (area !== null && isNear(area, boxes, area.sideKm / 100)) {
    searched.push([area.lonDeg, area.latDeg, area.lonDeg, area.latDeg]);
  }
  for (const box of searched) {
    eachRow(plan, satellite, box, (row, pass) => {
      const key = slotKey(plan, satellite, row, pass);
      if (slots.has(key) || isAlwaysNight(plan, satellite, row, pass)) return;
      slots.set(key, slotWith(plan, satellite, row, pass, sites));
    });
  }
  return [...slots.values()].toSorted((a, b) => a.offsetMs - b.offsetMs);
}

/** A slot with the sites it holds. */
export function slotAt(plan: SwathPlan, satellite: Satellite, row: number, pass: number): Slot {
  const turn = nodeLonDeg(satellite, pass);
  const [west, south, east, north] = plan.gridOf(satellite).rowBox(row);
  const sites =
    plan.share === null ? [] : SITES.filter((site) => isNear(site, [[west + turn, south, east + turn, north]], 0));
  return slotWith(plan, satellite, row, pass, sites);
}

function slotWith(plan: SwathPlan, satellite: Satellite, row: number, pass: number, sites: readonly Site[]): Slot {
  const key = slotKey(plan, satellite, row, pass);
  const { area } = plan;
  return {
    row,
    pass,
    offsetMs: nodeMs(satellite, pass) + plan.gridOf(satellite).stripMs(row),
    sites: sites.flatMap((site) => placesOfSite(plan, satellite, site).get(key) ?? []),
    area: area === null ? null : (placesOfSite(plan, satellite, area).get(key) ?? null),
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
function isAlwaysNight(plan: SwathPlan, satellite: Satellite, row: number, pass: number): boolean {
  if (plan.minSunElevationDeg === null || satellite.orbit.cycleMs % (24 * HOUR_MS) !== 0) return false;
  const grid = plan.gridOf(satellite);
  const [west, south, east, north] = grid.rowBox(row);
  if (south < -POLAR_DEG || north > POLAR_DEG) return false;
  const lon = (west + east) / 2 + nodeLonDeg(satellite, pass);
  const utcMs = satellite.epochMs + nodeMs(satellite, pass) + grid.stripMs(row);
  const hour = (((utcMs / HOUR_MS + lon / 15) % 24) + 24) % 24;
  return hour < DAYLIGHT_HOURS[0] || hour > DAYLIGHT_HOURS[1];
}
