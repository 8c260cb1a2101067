import { areaKm2 } from "../geometry/area.ts";
import { intersection, union } from "../geometry/clip.ts";
import type { MultiPolygon } from "../geometry/geojson.ts";
import { km2ToSquareMetres, type MicroCredits } from "./micro.ts";
import { areaCost, type Price } from "./pricing.ts";

/** What a group holds of one scene. */
export interface Coverage {
  readonly geometry: MultiPolygon;
  /** Area of `geometry`, whole square metres. */
  readonly areaM2: number;
  /**
   * Area that was charged or waived, whole square metres. Exceeds the chargeable part of `areaM2` by what a
   * minimum area prepaid; later additions consume that first.
   */
  readonly billedM2: number;
}

export const NO_COVERAGE: Coverage = { geometry: { type: "MultiPolygon", coordinates: [] }, areaM2: 0, billedM2: 0 };

export interface AllocationRequest {
  readonly before: Coverage;
  /** The part of the requested area inside the scene footprint. */
  readonly addition: MultiPolygon;
  /** Coverage grows there without charge. */
  readonly freeAreas: readonly MultiPolygon[];
  readonly price: Price;
  /** The addition is covered at no cost; it counts as billed, so that it is never charged later. */
  readonly costFree: boolean;
}

export interface AllocationPlan {
  readonly after: Coverage;
  /** New area, whole square metres: area of the union minus area before. */
  readonly addedM2: number;
  /** What is paid for, whole square metres: less than `addedM2` in prepaid or free areas, more for a minimum area. */
  readonly chargedM2: number;
  readonly cost: MicroCredits;
}

/** Area of what has to be paid for: everything outside the free areas. */
function chargeableM2(geometry: MultiPolygon, totalM2: number, freeAreas: readonly MultiPolygon[]): number {
  const [first, ...rest] = freeAreas;
  if (first === undefined) return totalM2;
  const free = rest.reduce((whole, area) => union(whole, area), first);
  return Math.max(0, totalM2 - km2ToSquareMetres(areaKm2(intersection(geometry, free))));
}

/**
 * What allocating an area adds to a group's coverage of a scene, and its cost.
 *
 * Costs telescope: the sum over any sequence of additions is the price of `max(minimum, area of their union)`,
 * whatever the order, because the charge is the difference of two totals. Repeats and subsets cost nothing.
 */
export function planAllocation(request: AllocationRequest): AllocationPlan {
  const { before, addition, freeAreas, price, costFree } = request;
  const geometry = before.geometry.coordinates.length === 0 ? addition : union(before.geometry, addition);
  // Overlay noise must not shrink what is held.
  const areaM2 = Math.max(before.areaM2, km2ToSquareMetres(areaKm2(geometry)));
  const addedM2 = areaM2 - before.areaM2;
  if (addedM2 === 0) return { after: before, addedM2: 0, chargedM2: 0, cost: 0n };

  const chargeable = chargeableM2(geometry, areaM2, freeAreas);
  const minimum = costFree || before.billedM2 > 0 || chargeable === 0 ? 0 : price.minAreaM2;
  const billedM2 = Math.max(before.billedM2, chargeable, minimum);
  const cost = costFree ? 0n : areaCost(billedM2, price) - areaCost(before.billedM2, price);
  return {
    after: { geometry, areaM2, billedM2 },
    addedM2,
    chargedM2: costFree ? 0 : billedM2 - before.billedM2,
    cost,
  };
}

/** Relative and absolute tolerance of coverage tests; overlay noise is below 1e-11. */
const COVERAGE_TOLERANCE = 1e-6;

/**
 * How much of an area is neither covered nor free, in km2; 0 within 1e-6 relative or 1e-6 km2, which is overlay noise
 * and the rounding of coordinates to seven decimals.
 */
export function missingKm2(
  area: MultiPolygon,
  covered: MultiPolygon | null,
  freeAreas: readonly MultiPolygon[],
): number {
  const wantedKm2 = areaKm2(area);
  const held = covered === null ? freeAreas : [covered, ...freeAreas];
  const [first, ...rest] = held;
  if (first === undefined || wantedKm2 === 0) return wantedKm2;
  const all = rest.reduce((whole, part) => union(whole, part), first);
  const missing = wantedKm2 - areaKm2(intersection(area, all));
  return missing <= COVERAGE_TOLERANCE * Math.max(1, wantedKm2) ? 0 : missing;
}
