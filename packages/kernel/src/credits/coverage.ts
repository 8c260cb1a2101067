import { multiPolygonAreaKm2 } from "../geometry/area.ts";
import { difference, intersection, union } from "../geometry/clip.ts";
import { convexExterior, isWithinConvex, onlyPolygon } from "../geometry/convex-exterior.ts";
import type { Bounds, MultiPolygon, PolygonCoordinates } from "../geometry/geojson.ts";
import { ringBounds } from "../geometry/ring-bounds.ts";

/** One of the pieces that a coverage consists of; no two of them have an area in common. */
export interface CoveragePart {
  /** Of a stored part; null while it is only planned. */
  readonly id: string | null;
  readonly bounds: Bounds;
  readonly geometry: MultiPolygon;
  /** Whole square centimetres, so that sums are exact. */
  readonly areaCm2: bigint;
}

/** What a group holds of one scene. */
export interface Coverage {
  /** At least the parts whose bounds meet those of an addition: the others cannot change what it adds. */
  readonly parts: readonly CoveragePart[];
  /** Area of all parts, whole square centimetres. */
  readonly areaCm2: bigint;
  /** What of it lay outside the free areas when it was added, whole square centimetres. */
  readonly chargeableCm2: bigint;
  /**
   * Area that was charged or waived, whole square metres. Exceeds the chargeable area by what a minimum area
   * prepaid; later additions consume that first.
   */
  readonly billedM2: number;
}

export const NO_COVERAGE: Coverage = { parts: [], areaCm2: 0n, chargeableCm2: 0n, billedM2: 0 };

const SQUARE_CENTIMETRES_PER_M2 = 10_000n;
const SQUARE_CENTIMETRES_PER_KM2 = 1e10;

/** Whole square metres of whole square centimetres, rounded half up. */
export function wholeSquareMetres(cm2: bigint): number {
  return Number((cm2 + SQUARE_CENTIMETRES_PER_M2 / 2n) / SQUARE_CENTIMETRES_PER_M2);
}

/** Area of a geometry in whole square centimetres. */
export function areaCm2(geometry: MultiPolygon): bigint {
  return BigInt(Math.round(multiPolygonAreaKm2(geometry.coordinates) * SQUARE_CENTIMETRES_PER_KM2));
}

/** Smallest box around all positions; longitudes are taken literally. */
export function boundsOf(coordinates: MultiPolygon["coordinates"]): Bounds {
  return ringBounds(coordinates.flatMap((polygon) => polygon.slice(0, 1)));
}

/** Whether two boxes have an area in common. */
export function overlap(a: Bounds, b: Bounds): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

function newPart(polygon: PolygonCoordinates): CoveragePart {
  const geometry: MultiPolygon = { type: "MultiPolygon", coordinates: [polygon] };
  return { id: null, bounds: boundsOf(geometry.coordinates), geometry, areaCm2: areaCm2(geometry) };
}

function sumCm2(parts: readonly CoveragePart[]): bigint {
  return parts.reduce((sum, part) => sum + part.areaCm2, 0n);
}

export interface Growth {
  readonly parts: readonly CoveragePart[];
  /** How much the union has grown, whole square centimetres. */
  readonly addedCm2: bigint;
  /** What of that lies outside the free areas. */
  readonly chargeableCm2: bigint;
}

/**
 * The parts of a coverage after an area was added. Parts that lie within the addition give way to it; of the addition,
 * what other parts have is left out. So parts never overlap, the union's growth is exact, and the cost depends on the
 * parts near the addition only, however many others there are.
 */
export function growCoverage(
  parts: readonly CoveragePart[],
  addition: MultiPolygon,
  freeAreas: readonly MultiPolygon[],
): Growth {
  const nothing: Growth = { parts, addedCm2: 0n, chargeableCm2: 0n };
  const bounds = boundsOf(addition.coordinates);
  const within = convexExterior(onlyPolygon(addition));
  const swallowed = new Set<CoveragePart>();
  const others: CoveragePart[] = [];
  for (const part of parts) {
    if (!overlap(part.bounds, bounds)) continue;
    if (within !== null && isWithinConvex(part.geometry, within)) {
      swallowed.add(part);
      continue;
    }
    const convex = convexExterior(onlyPolygon(part.geometry));
    if (convex !== null && isWithinConvex(addition, convex)) return nothing;
    others.push(part);
  }
  const rest =
    others.length === 0
      ? addition
      : difference(addition, {
          type: "MultiPolygon",
          coordinates: others.flatMap((part) => part.geometry.coordinates),
        });
  const planned = rest.coordinates.map(newPart).filter((part) => part.areaCm2 > 0n);
  const addedCm2 = sumCm2(planned) - sumCm2([...swallowed]);
  // Overlay noise must not shrink what is held.
  if (addedCm2 <= 0n) return nothing;
  const free = freeCm2(planned, freeAreas, bounds) - freeCm2([...swallowed], freeAreas, bounds);
  const chargeable = addedCm2 - (free > 0n ? free : 0n);
  return {
    parts: [...parts.filter((part) => !swallowed.has(part)), ...planned],
    addedCm2,
    chargeableCm2: chargeable > 0n ? chargeable : 0n,
  };
}

/** How much of the parts lies inside the free areas, which may overlap each other. */
function freeCm2(parts: readonly CoveragePart[], freeAreas: readonly MultiPolygon[], within: Bounds): bigint {
  const [first, ...rest] = freeAreas.filter((area) => overlap(boundsOf(area.coordinates), within));
  if (first === undefined || parts.length === 0) return 0n;
  const free = rest.reduce((whole, area) => union(whole, area), first);
  return parts.reduce((sum, part) => sum + areaCm2(intersection(part.geometry, free)), 0n);
}
