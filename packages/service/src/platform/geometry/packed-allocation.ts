import type { AllocationPlan, AllocationRequest } from "@swath/kernel/credits/allocation";
import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { Coverage, CoveragePart } from "@swath/kernel/credits/coverage";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { packPolygons, unpackPolygons, type PackedPolygons } from "@swath/kernel/geometry/packed-polygons";

/** A coverage whose parts cross to a thread in a few arrays. */
interface PackedCoverage extends Omit<Coverage, "parts"> {
  readonly parts: readonly Omit<CoveragePart, "geometry">[];
  /** Of all parts, one after the other. */
  readonly polygons: PackedPolygons;
  /** Polygons of each part. */
  readonly polygonCounts: readonly number[];
}

export interface PackedAllocation extends Omit<AllocationRequest, "before" | "addition" | "freeAreas"> {
  readonly before: PackedCoverage;
  readonly addition: PackedPolygons;
  readonly freeAreas: readonly PackedPolygons[];
}

export interface PackedPlan extends Omit<AllocationPlan, "after"> {
  readonly after: PackedCoverage;
}

function packCoverage({ parts, ...sums }: Coverage): PackedCoverage {
  return {
    ...sums,
    parts: parts.map(({ geometry: _geometry, ...part }) => part),
    polygons: packPolygons(parts.flatMap(({ geometry }) => geometry.coordinates)),
    polygonCounts: parts.map(({ geometry }) => geometry.coordinates.length),
  };
}

function unpackCoverage({ parts, polygons, polygonCounts, ...sums }: PackedCoverage): Coverage {
  const coordinates = unpackPolygons(polygons);
  let first = 0;
  return {
    ...sums,
    parts: parts.map((part, index) => {
      const end = first + (polygonCounts[index] ?? 0);
      const geometry: MultiPolygon = { type: "MultiPolygon", coordinates: coordinates.slice(first, end) };
      first = end;
      return { ...part, geometry };
    }),
  };
}

export function packAllocation({ before, addition, freeAreas, ...rest }: AllocationRequest): PackedAllocation {
  return {
    ...rest,
    before: packCoverage(before),
    addition: packPolygons(addition.coordinates),
    freeAreas: freeAreas.map(({ coordinates }) => packPolygons(coordinates)),
  };
}

export function unpackAllocation({ before, addition, freeAreas, ...rest }: PackedAllocation): AllocationRequest {
  return {
    ...rest,
    before: unpackCoverage(before),
    addition: { type: "MultiPolygon", coordinates: unpackPolygons(addition) },
    freeAreas: freeAreas.map((area) => ({ type: "MultiPolygon", coordinates: unpackPolygons(area) })),
  };
}

export function packPlan({ after, ...rest }: AllocationPlan): PackedPlan {
  return { ...rest, after: packCoverage(after) };
}

/**
 * Unpacks the coverage when it is first asked for: it takes 20 ms for two stars, and a mere check of costs never asks. The getter
 * is one of a class: those of object literals keep what they use until a collection of everything.
 */
class UnpackedPlan implements AllocationPlan {
  readonly addedM2: number;
  readonly chargedM2: number;
  readonly cost: MicroCredits;
  readonly #packed: PackedCoverage;
  #after: Coverage | null = null;

  constructor({ addedM2, after, chargedM2, cost }: PackedPlan) {
    this.addedM2 = addedM2;
    this.chargedM2 = chargedM2;
    this.cost = cost;
    this.#packed = after;
  }

  get after(): Coverage {
    this.#after ??= unpackCoverage(this.#packed);
    return this.#after;
  }
}

export function unpackPlan(plan: PackedPlan): AllocationPlan {
  return new UnpackedPlan(plan);
}
