/*
 * GeoJSON as the OpenAPI document writes it: unions by `type`, which generators of clients turn into types. The schemas
 * of `geojson.ts` accept the same values by if/then, which reports faults better and which generators ignore.
 */

type Schema = Readonly<Record<string, unknown>>;

const POSITION = {
  type: "array",
  description: "[longitude, latitude] in degrees, WGS84; further members are kept where a geometry is stored",
  minItems: 2,
  items: { type: "number" },
};

const listOf = (items: Schema, minItems: number): Schema => ({ type: "array", minItems, items });

const RING = { ...listOf(POSITION, 4), description: "closed ring: the last position equals the first" };

const COORDINATES = {
  Point: POSITION,
  MultiPoint: listOf(POSITION, 1),
  LineString: listOf(POSITION, 2),
  MultiLineString: listOf(listOf(POSITION, 2), 1),
  Polygon: listOf(RING, 1),
  MultiPolygon: listOf(listOf(RING, 1), 1),
};

const SIMPLE_NAMES = Object.keys(COORDINATES);
const GEOMETRY_NAMES = [...SIMPLE_NAMES, "GeometryCollection"];
const GEOJSON_NAMES = [...GEOMETRY_NAMES, "Feature", "FeatureCollection"];

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

function objectOf(type: string, description: string, members: Readonly<Record<string, Schema>>): Schema {
  return {
    type: "object",
    title: type,
    description,
    required: ["type", ...Object.keys(members).filter((name) => name !== "id" && name !== "properties")],
    properties: { type: { type: "string", enum: [type] }, ...members },
  };
}

function unionOf(title: string, description: string, names: readonly string[]): Schema {
  return {
    title,
    description,
    oneOf: names.map(reference),
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(names.map((name) => [name, `#/components/schemas/${name}`])),
    },
  };
}

/** Schemas of the document by title; each stands for the schema of that title in `geojson.ts`, or for a part of it. */
export const GEOJSON_COMPONENTS: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(
    Object.entries(COORDINATES).map(([type, coordinates]) => [
      type,
      objectOf(type, `A GeoJSON ${type}`, { coordinates }),
    ]),
  ),
  GeometryCollection: objectOf("GeometryCollection", "A GeoJSON GeometryCollection", {
    geometries: { type: "array", items: reference("Geometry") },
  }),
  Feature: objectOf("Feature", "A GeoJSON Feature", {
    id: { type: ["string", "number"] },
    geometry: { oneOf: [reference("Geometry"), { type: "null" }] },
    properties: { type: ["object", "null"], additionalProperties: true },
  }),
  FeatureCollection: objectOf("FeatureCollection", "A GeoJSON FeatureCollection", {
    features: { type: "array", items: reference("Feature") },
  }),
  Geometry: unionOf("Geometry", "Any GeoJSON geometry (RFC 7946), WGS84 longitude and latitude", GEOMETRY_NAMES),
  AreaGeometry: unionOf("AreaGeometry", "A GeoJSON Polygon or MultiPolygon", ["Polygon", "MultiPolygon"]),
  PlaceOrPolygon: unionOf("PlaceOrPolygon", "A GeoJSON Point or Polygon", ["Point", "Polygon"]),
  GeoJson: unionOf(
    "GeoJson",
    "Any GeoJSON object (RFC 7946): a geometry, a Feature or a FeatureCollection; WGS84",
    GEOJSON_NAMES,
  ),
  Extent: unionOf(
    "Extent",
    "GeoJSON of any type; its Polygon and MultiPolygon parts are the area; WGS84",
    GEOJSON_NAMES,
  ),
};
