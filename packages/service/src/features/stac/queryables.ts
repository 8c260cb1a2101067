import { SCENE_FIELDS, type FieldType } from "../imagery/browse/scene-fields.ts";

interface Words {
  readonly title: string;
  readonly unit?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
}

const WORDS: Readonly<Record<string, Words>> = {
  id: { title: "Scene" },
  collection: { title: "Collection" },
  datetime: { title: "Time of capture" },
  title: { title: "Identifier at the provider" },
  platform: { title: "Satellite or sensor" },
  mission: { title: "Satellite or sensor" },
  instruments: { title: "Sensors" },
  gsd: { title: "Finest ground sampling distance", unit: "m", minimum: 0 },
  "eo:cloud_cover": { title: "Cloud cover", unit: "%", minimum: 0, maximum: 100 },
  "view:off_nadir": { title: "Off-nadir angle", unit: "deg", minimum: 0, maximum: 90 },
  "view:azimuth": { title: "Azimuth of the satellite", unit: "deg", minimum: 0, maximum: 360 },
  "view:sun_azimuth": { title: "Azimuth of the sun", unit: "deg", minimum: 0, maximum: 360 },
  "view:sun_elevation": { title: "Elevation of the sun", unit: "deg", minimum: -90, maximum: 90 },
  "sat:orbit_state": { title: "Direction of flight", enum: ["ascending", "descending"] },
  "sat:relative_orbit": { title: "Relative orbit", minimum: 1 },
  "sar:instrument_mode": { title: "Acquisition mode" },
  "sar:observation_direction": { title: "Side of the radar", enum: ["left", "right"] },
  "proj:epsg": { title: "EPSG code of the pixels" },
  "proj:code": { title: "Code of the CRS of the pixels" },
  "swath:area_km2": { title: "Area of the scene", unit: "km2", minimum: 0 },
  "swath:bands": { title: "Bands" },
  "swath:ingested": { title: "Whether the pixels are in the store" },
  "swath:credits_per_km2": { title: "Price for the group that pays", unit: "credits/km2", minimum: 0 },
  "swath:allocated_ratio": { title: "Share of the scene that is allocated or free", unit: "1", minimum: 0, maximum: 1 },
  "swath:overlap": { title: "Share of bbox or intersects that the scene covers", unit: "1", minimum: 0, maximum: 1 },
};

const TYPES: Readonly<Record<FieldType, object>> = {
  text: { type: "string" },
  texts: { type: "array", items: { type: "string" } },
  number: { type: "number" },
  instant: { type: "string", format: "date-time" },
  boolean: { type: "boolean" },
};

/** The JSON Schema of the properties that filters, queries and orders may name. */
export function queryablesDocument(id: string): Readonly<Record<string, unknown>> {
  const properties = Object.entries(SCENE_FIELDS).map(([name, { type }]) => {
    const { unit, ...words } = WORDS[name] ?? { title: name };
    return [name, { ...words, ...TYPES[type], ...(unit === undefined ? {} : { "x-ogc-unit": unit }) }];
  });
  return {
    $schema: "https://json-schema.org/draft/2019-09/schema",
    $id: id,
    type: "object",
    title: "Properties of scenes",
    properties: {
      ...Object.fromEntries(properties),
      geometry: { title: "Outline", $ref: "https://geojson.org/schema/Geometry.json" },
    },
    additionalProperties: false,
  };
}
