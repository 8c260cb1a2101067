import type { Block, Plane } from "./block.ts";
import type { Anchor } from "./continents.ts";
import { hashUnit } from "../noise.ts";
import { eastM, nearLongitude, northM } from "./block.ts";
import { ANCHORS } from "./continents.ts";
import { climateOf, shoreOf } from "./geography.ts";

/** A town or village; its middle is the origin of its plane. */
export interface Place extends Plane {
  /** Metres to the last houses. */
  readonly radiusM: number;
  readonly seed: number;
  /** Metres from the middle to the sea in `seaRad`; null when the sea is far. */
  readonly anchor: Anchor | null;
}

const ROW_DEG = 0.16;
/** Places farther off than this cannot be seen in a block, except cities. */
const REACH_M = 9000;
const PLACES_KEPT = 60_000;
const METRES_PER_DEGREE = 111_195;

const known = new Map<number, Place | null>();

const CITIES: readonly Place[] = ANCHORS.map((anchor, index) => ({
  lonDeg: anchor.lonDeg,
  latDeg: anchor.latDeg,
  radiusM: anchor.radiusKm * 1000,
  seed: 5000 + index * 17,
  anchor,
}));

/** Metres around a place that belong to it, airport and harbour included. */
function reachOf(place: Place): number {
  return place.radiusM * 1.3 + (place.radiusM > 1800 ? 6500 : 300);
}

/** Places that may show in a block, small ones first. */
export function placesNear(block: Block): readonly Place[] {
  return placesAround(block.centreLonDeg, block.centreLatDeg, block.reachM);
}

function placesAround(lonDeg: number, latDeg: number, radiusM: number): readonly Place[] {
  const found: Place[] = [];
  const within = (place: Place): boolean => {
    const reach = reachOf(place) + radiusM;
    const north = northM(place, latDeg);
    return Math.abs(north) < reach && Math.hypot(north, eastM(place, lonDeg, latDeg)) < reach;
  };
  const reachDeg = (radiusM + REACH_M) / METRES_PER_DEGREE;
  const firstRow = Math.max(0, Math.floor((latDeg - reachDeg + 90) / ROW_DEG));
  const lastRow = Math.min(Math.floor(180 / ROW_DEG) - 1, Math.floor((latDeg + reachDeg + 90) / ROW_DEG));
  for (let row = firstRow; row <= lastRow; row += 1) {
    const cos = Math.cos((((row + 0.5) * ROW_DEG - 90) * Math.PI) / 180);
    const columns = Math.max(1, Math.round((360 * cos) / ROW_DEG));
    const spread = (reachDeg / Math.max(0.02, cos) / 360) * columns;
    const middle = ((nearLongitude(lonDeg, 180) % 360) / 360) * columns;
    for (let column = Math.floor(middle - spread); column <= Math.floor(middle + spread); column += 1) {
      const place = placeIn(row, ((column % columns) + columns) % columns, columns);
      if (place !== null && within(place)) found.push(place);
    }
  }
  for (const city of CITIES) if (within(city)) found.push(city);
  return found;
}

function placeIn(row: number, column: number, columns: number): Place | null {
  const key = row * 4096 + column;
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const lonDeg = nearLongitude(((column + 0.2 + 0.6 * hashUnit(column, row, 501)) / columns) * 360, 0);
  const latDeg = (row + 0.2 + 0.6 * hashUnit(column, row, 502)) * ROW_DEG - 90;
  const place = settle(lonDeg, latDeg, column, row);
  if (known.size >= PLACES_KEPT) known.clear();
  known.set(key, place);
  return place;
}

function settle(lonDeg: number, latDeg: number, column: number, row: number): Place | null {
  const { wet, warm, farmed, region } = climateOf(lonDeg, latDeg);
  const likely = wet < 0.22 || warm < -5 ? 0.05 : farmed > 0 ? 0.85 : 0.42 - 0.2 * Math.max(0, region);
  if (hashUnit(column, row, 503) > likely) return null;
  const size = hashUnit(column, row, 504);
  const radiusM =
    size < 0.75 ? 240 + 900 * size : size < 0.95 ? 900 + 5000 * (size - 0.75) : 1900 + 60_000 * (size - 0.95);
  for (const city of ANCHORS) {
    if (Math.abs(northM(city, latDeg)) > 60_000) continue;
    const distance = Math.hypot(northM(city, latDeg), eastM(city, lonDeg, latDeg));
    if (distance < city.radiusKm * 1200 + radiusM) return null;
  }
  if (shoreOf(lonDeg, latDeg) < 250) return null;
  return { lonDeg, latDeg, radiusM, seed: 10_000 + ((column * 31 + row * 17) % 1_000_000), anchor: null };
}
