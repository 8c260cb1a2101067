import { boxGeometry, boxOfGeometry, type AreaGeometry, type Ring } from "../find/area-rings.ts";
import type { Shape } from "../map/shape.ts";

/** An area of a monitor with the name that its results have. */
export interface WatchedArea {
  readonly name: string;
  readonly geometry: AreaGeometry;
}

/** The areas of a GeoJSON geometry, feature or collection. */
export function watchedAreas(areas: object): readonly WatchedArea[] {
  const features: readonly unknown[] = "features" in areas && Array.isArray(areas.features) ? areas.features : [areas];
  return features.flatMap((feature, position) => {
    if (typeof feature !== "object" || feature === null) return [];
    const geometry: unknown = "geometry" in feature ? feature.geometry : feature;
    const id: unknown = "id" in feature ? feature.id : position;
    const name = typeof id === "string" || typeof id === "number" ? String(id) : String(position);
    return isArea(geometry) ? [{ name, geometry }] : [];
  });
}

function isArea(geometry: unknown): geometry is AreaGeometry {
  if (typeof geometry !== "object" || geometry === null || !("type" in geometry)) return false;
  return geometry.type === "Polygon" || geometry.type === "MultiPolygon";
}

/** One area as it is, of more the box around them; null without any. */
export function areaAround(areas: readonly WatchedArea[]): AreaGeometry | null {
  const [first, ...others] = areas;
  if (first === undefined) return null;
  if (others.length === 0) return first.geometry;
  const polygons = areas.flatMap(({ geometry }): readonly (readonly Ring[])[] =>
    geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates,
  );
  return boxGeometry(boxOfGeometry({ type: "MultiPolygon", coordinates: polygons }));
}

export function areaShapes(areas: readonly WatchedArea[]): readonly Shape[] {
  return areas.map(({ name, geometry }) => ({ id: name, geometry, look: "area" }));
}
