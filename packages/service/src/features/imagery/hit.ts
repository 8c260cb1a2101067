import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { prepareArea, type PreparedArea } from "@swath/kernel/geometry/intersection-ratio";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { SceneKey } from "@swath/kernel/scenes/scene-key";
import type { SearchPlan } from "./search-plan.ts";

/** A scene that overlaps the extent of a search enough, from the table or straight from a source. */
export interface Hit {
  readonly key: SceneKey;
  /** Normal form. */
  readonly footprint: MultiPolygon;
  readonly ingested: boolean;
  /** Whether it is cut from a bigger scene. */
  readonly clipped: boolean;
  readonly origin:
    | { readonly kind: "table"; readonly sceneKey: number }
    | { readonly kind: "source"; readonly scene: Scene };
}

/** A search with what all its streams need, computed once. */
export interface SearchFrame {
  readonly plan: SearchPlan;
  readonly extent: PreparedArea;
  /** Unwrapped boxes of the extent: a scene that shares ground with it meets one of them. */
  readonly boxes: readonly Bounds[];
  /** Scenes smaller than this cannot reach the threshold. */
  readonly minAreaKm2: number;
  /** Only scenes that come after this one. */
  readonly after: SceneKey | null;
}

/** Area given away to rounding when scenes are left out for being too small. */
const AREA_SLACK = 1e-6;

/** The box of an extent and its copies a turn away, as far as the unwrapped boxes of scenes reach. */
export function searchBoxes(extent: MultiPolygon): readonly Bounds[] {
  const [west, south, east, north] = mbr(extent);
  return [0, -360, 360]
    .map((turn): Bounds => [west + turn, south, east + turn, north])
    .filter((box) => box[2] > -180 && box[0] < 540);
}

export function searchFrame(plan: SearchPlan, after: SceneKey | null): SearchFrame {
  const extent = prepareArea(plan.extent);
  const { of, ratio } = plan.threshold;
  const minAreaKm2 = of === "extent" ? extent.areaKm2 * ratio * (1 - AREA_SLACK) : 0;
  return { plan, extent, boxes: searchBoxes(plan.extent), minAreaKm2, after };
}
