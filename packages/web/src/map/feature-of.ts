import GeoJSON from "ol/format/GeoJSON.js";

/** A GeoJSON geometry, in degrees, as a feature of the map. */
export function featureOf(geometry: object) {
  const read = new GeoJSON().readFeature(
    { type: "Feature", geometry, properties: {} },
    { featureProjection: "EPSG:3857" },
  );
  if (Array.isArray(read)) throw new TypeError("expected one feature");
  return read;
}
