import type { AreaResult } from "@swath/kernel/geometry/read-area";
import type { PackedPolygons } from "@swath/kernel/geometry/packed-polygons";
import type { GeometryFault } from "@swath/kernel/geometry/validate-geometry";
import type { QueryNode } from "@swath/kernel/query/ast";
import type { StoreTile } from "@swath/kernel/tiles/store-tile";
import type { PassAnswer, PassQuery } from "./pass-query.ts";
import type { PackedAllocation, PackedPlan } from "./packed-allocation.ts";

/** A feature as the exact test of a query reads it. */
export interface TestedFeature {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** JSON text of its geometry; null without one. */
  readonly geometry: string | null;
}

/** Work on polygons that can take seconds, under the name of its kind. */
export interface GeometryTasks {
  /** The area of polygons whose outlines meet. */
  readonly untangle: {
    readonly input: { readonly polygons: PackedPolygons; readonly path: string };
    readonly output:
      | Exclude<AreaResult, { readonly kind: "area" }>
      | { readonly kind: "area"; readonly polygons: PackedPolygons; readonly isRepaired: boolean };
  };
  /** The fault of polygons that meet too often; null when there is none. */
  readonly entanglement: {
    readonly input: { readonly polygons: PackedPolygons; readonly path: string };
    readonly output: GeometryFault | null;
  };
  readonly intersection: {
    readonly input: { readonly a: PackedPolygons; readonly b: PackedPolygons };
    readonly output: PackedPolygons;
  };
  /** `tilesCrsEpsg`: the CRS of a scene that is sold by store tiles. */
  readonly sold: {
    readonly input: {
      readonly area: PackedPolygons;
      readonly footprint: PackedPolygons;
      readonly tilesCrsEpsg: number;
    };
    readonly output: { readonly polygons: PackedPolygons; readonly tiles: readonly StoreTile[] | null };
  };
  /** The ground of store tiles, and the part of an area within it. */
  readonly storeTiles: {
    readonly input: {
      readonly area: PackedPolygons;
      readonly tiles: readonly StoreTile[];
      readonly crsEpsg: number;
      readonly divisor: number;
    };
    readonly output: { readonly ground: PackedPolygons; readonly part: PackedPolygons };
  };
  readonly allocation: { readonly input: PackedAllocation; readonly output: PackedPlan };
  /** The part of an area that is neither covered nor free, km². */
  readonly missing: {
    readonly input: {
      readonly area: PackedPolygons;
      readonly covered: PackedPolygons | null;
      readonly freeAreas: readonly PackedPolygons[];
    };
    readonly output: number;
  };
  /** The longer side of the bounding rectangle of an area, metres. */
  readonly longestSide: { readonly input: PackedPolygons; readonly output: number };
  /** Windows of satellites over one area, satellite by satellite. */
  readonly passes: {
    readonly input: PassQuery;
    readonly output: PassAnswer;
  };
  /** Which features match a query, 1 for yes, and the milliseconds that it took. */
  readonly test: {
    readonly input: { readonly node: QueryNode; readonly features: readonly TestedFeature[] };
    readonly output: { readonly matches: Uint8Array; readonly ms: number };
  };
}

export type GeometryKind = keyof GeometryTasks;

/** A task by its kind. */
export type GeometryTask<K extends GeometryKind = GeometryKind> = {
  readonly [Kind in K]: { readonly kind: Kind; readonly input: GeometryTasks[Kind]["input"] };
}[K];

/** How a thread starts: in the background unless it is to take a processor from others. */
export interface GeometryThreadData {
  readonly isForeground: boolean;
}

/** Why a task failed: no engine can compute its overlay, another value beyond a range, or a fault of the service. */
export type Fault = "overlay" | "range" | "other";

/** `started` begins the time of the task: a thread that starts reads its modules first. */
export type FromGeometryThread =
  | { readonly kind: "started" }
  | { readonly kind: "done"; readonly output: unknown }
  | { readonly kind: "failed"; readonly fault: Fault; readonly message: string };
