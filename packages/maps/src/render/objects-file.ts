import { createHash } from "node:crypto";
import { normalForm } from "@swath/kernel/geometry/antimeridian";
import type { PolygonCoordinates } from "@swath/kernel/geometry/geojson";
import type { PlacedObject } from "../analysis/placed-object.ts";
import type { GridRequest } from "./grid-renderer.ts";

const FEATURE_ID_LENGTH = 24;

/** 24 hexadecimal digits from map type, map, class and geometry. */
export function featureIdOf(
  { mapType, mapId }: Pick<GridRequest, "mapId" | "mapType">,
  { ring, properties }: PlacedObject,
): string {
  return createHash("sha256")
    .update(JSON.stringify([mapType, mapId, properties["class"], ring]))
    .digest("hex")
    .slice(0, FEATURE_ID_LENGTH);
}

/** Outlines of an object with longitudes in [-180, 180]: two when it lies across the antimeridian. */
export function outlinesOf({ ring }: PlacedObject): readonly PolygonCoordinates[] {
  return normalForm([[ring]]).map((polygon) =>
    polygon.map((part) => part.map(([lon, lat]) => [Number(lon.toFixed(7)), Number(lat.toFixed(7))] as const)),
  );
}

function geometryOf(object: PlacedObject): object {
  const [first, ...more] = outlinesOf(object);
  return more.length === 0
    ? { type: "Polygon", coordinates: first ?? [object.ring] }
    : { type: "MultiPolygon", coordinates: [first, ...more] };
}

/** The objects of a window as GeoJSON; an empty list is a file too. */
export function objectsGeoJson(request: GridRequest): Uint8Array {
  const features = (request.result?.objects ?? []).map((object) => ({
    type: "Feature",
    geometry: geometryOf(object),
    properties: { ...object.properties, featureId: featureIdOf(request, object) },
  }));
  return new TextEncoder().encode(JSON.stringify({ type: "FeatureCollection", features }));
}
