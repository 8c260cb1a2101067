import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { Areas } from "../../platform/geometry/areas.ts";

/** The part of a released area that has data. */
export interface ReleasedPart {
  /** The released area; decides the zoom of the tiles. */
  readonly area: MultiPolygon;
  /** Its part inside the scenes; decides which tiles remain. */
  readonly inside: MultiPolygon;
}

/** Half a square metre: rounding leaves slivers between neighbours that only touch. */
const MIN_AREA_KM2 = 5e-7;

/** The part that all of the scenes cover. Clipping detailed outlines is the slowest step of a release. */
export async function releasedPart(
  areas: Pick<Areas, "intersection">,
  scenes: readonly Pick<Scene, "footprint">[],
  area: MultiPolygon,
  signal: AbortSignal,
): Promise<ReleasedPart> {
  return await partInside(areas, { area, inside: area }, scenes, signal);
}

/** The part of a part that further scenes cover too. */
export async function partInside(
  areas: Pick<Areas, "intersection">,
  { area, inside: before }: ReleasedPart,
  scenes: readonly Pick<Scene, "footprint">[],
  signal: AbortSignal,
): Promise<ReleasedPart> {
  let inside = before;
  for (const { footprint } of scenes) inside = await areas.intersection(inside, footprint, signal);
  return { area, inside: areaKm2(inside) < MIN_AREA_KM2 ? { type: "MultiPolygon", coordinates: [] } : inside };
}

export function isEmptyPart({ inside }: ReleasedPart): boolean {
  return inside.coordinates.length === 0;
}
