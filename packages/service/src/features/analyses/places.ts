import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { Areas } from "../../platform/geometry/areas.ts";
import { releasedArea } from "../maps/released-area.ts";
import type { AddRequest } from "./make-maps.ts";
import type { AnalysisDocument } from "./saved-document.ts";

/** The area of the maps, or an inner polygon. */
export interface Place {
  /** Null for the area. */
  readonly innerPolygonId: string | null;
  /** Null for an inner polygon that has nothing in common with the area. */
  readonly extent: GeoJson | null;
}

/** The area of a request, then the part of each inner polygon within it: other parts are not paid. */
export async function* placesOf(
  areas: Pick<Areas, "intersection" | "read">,
  { geometry, sceneIds }: AddRequest,
  { innerPolygons }: Pick<AnalysisDocument, "innerPolygons">,
  signal: AbortSignal,
): AsyncGenerator<Place> {
  yield { innerPolygonId: null, extent: geometry };
  if (innerPolygons.length === 0) return;
  const area = await releasedArea(areas, geometry, { path: "/geometry", sceneIds }, signal);
  for (const { id: innerPolygonId, geometry: inner } of innerPolygons) {
    const own = await releasedArea(areas, inner, { path: `/innerPolygons/${innerPolygonId}`, sceneIds }, signal);
    const extent = await areas.intersection(own, area, signal);
    yield { innerPolygonId, extent: extent.coordinates.length === 0 ? null : extent };
  }
}
