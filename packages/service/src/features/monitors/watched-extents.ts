import type { GeoJson } from "@swath/kernel/geometry/geojson";

/** The areas of a monitor as extents of searches. */
export function watchedExtents(areas: GeoJson): readonly GeoJson[] {
  const features: readonly GeoJson[] = areas.type === "FeatureCollection" ? areas.features : [areas];
  // Areas without geometry are refused at the creation.
  return features.flatMap((one) => (one.type !== "Feature" ? [one] : one.geometry === null ? [] : [one.geometry]));
}
