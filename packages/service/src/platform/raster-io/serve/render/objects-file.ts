import { createHash } from "node:crypto";
import type { PlacedObject } from "@swath/kernel/analysis/placed-object";
import type { GridRequest } from "../../grid-renderer.ts";

const FEATURE_ID_LENGTH = 24;

/** 24 hexadecimal digits from map type, map, class and geometry. */
export function featureIdOf({ mapType, mapId }: GridRequest, { ring, properties }: PlacedObject): string {
  return createHash("sha256")
    .update(JSON.stringify([mapType, mapId, properties["class"], ring]))
    .digest("hex")
    .slice(0, FEATURE_ID_LENGTH);
}

/** The objects of a window as GeoJSON; an empty list is a file too. */
export function objectsGeoJson(request: GridRequest): Uint8Array {
  const features = (request.result?.objects ?? []).map((object) => ({
    type: "Feature",
    geometry: { type: "Polygon", coordinates: [object.ring] },
    properties: { ...object.properties, featureId: featureIdOf(request, object) },
  }));
  return new TextEncoder().encode(JSON.stringify({ type: "FeatureCollection", features }));
}
