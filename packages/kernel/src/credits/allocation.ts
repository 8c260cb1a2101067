import { areaKm2 } from "../geometry/area.ts";
import { intersection, union } from "../geometry/clip.ts";
import type { MultiPolygon } from "../geometry/geojson.ts";
import { boundsOf, growCoverage, overlap, wholeSquareMetres, type Coverage } from "./coverage.ts";
import type { MicroCredits } from "./micro.ts";
import { areaCost, type Price } from "./pricing.ts";

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

/** The held parts and free areas that the plan of an allocation overlays with the addition: their boxes meet its box. */
export function geometriesNear({ before, addition, freeAreas }: AllocationRequest): readonly MultiPolygon[] {
  const bounds = boundsOf(addition.coordinates);
  const parts = before.parts.filter((part) => overlap(part.bounds, bounds)).map(({ geometry }) => geometry);
  return [...parts, ...freeAreas.filter(({ coordinates }) => overlap(boundsOf(coordinates), bounds))];
}

/**
 * What allocating an area adds to a group's coverage of a scene, and its cost.
 *
 * Costs telescope: the sum over any sequence of additions is the price of `max(minimum, area of their union)`,
 * whatever the order, because the charge is the difference of two totals. Repeats and subsets cost nothing.
 */
export function planAllocation(request: AllocationRequest): AllocationPlan {
  const { before, addition, freeAreas, price, costFree } = request;
  const growth = growCoverage(before.parts, addition, freeAreas);
  const areaCm2 = before.areaCm2 + growth.addedCm2;
  const addedM2 = wholeSquareMetres(areaCm2) - wholeSquareMetres(before.areaCm2);
  if (addedM2 === 0) return { after: before, addedM2: 0, chargedM2: 0, cost: 0n };

  const chargeableCm2 = before.chargeableCm2 + growth.chargeableCm2;
  const chargeableM2 = wholeSquareMetres(chargeableCm2);
  const minimum = costFree || before.billedM2 > 0 || chargeableM2 === 0 ? 0 : price.minAreaM2;
  const billedM2 = Math.max(before.billedM2, chargeableM2, minimum);
  const cost = costFree ? 0n : areaCost(billedM2, price) - areaCost(before.billedM2, price);
  return {
    after: { parts: growth.parts, areaCm2, chargeableCm2, billedM2 },
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
