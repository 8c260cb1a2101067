import type { AreaGeometry, GeoJson, Geometry, MultiPolygon, Point, Polygon } from "@swath/kernel/geometry/geojson";
import { Type } from "typebox";

/*
 * The schemas dispatch on `type` with if/then instead of a union: one pass over the coordinates whatever the type,
 * and a fault is reported at its own path instead of once per branch. Ring closure, latitude range and orientation
 * are the kernel's `validateGeometry`, which every service that takes an area calls.
 */

const Position = {
  type: "array",
  description: "[longitude, latitude] in degrees, WGS84; further members are kept where a geometry is stored",
  minItems: 2,
  items: { type: "number" },
};
const Line = { type: "array", minItems: 2, items: Position };
const Ring = {
  type: "array",
  description: "closed ring: the last position equals the first",
  minItems: 4,
  items: Position,
};
const PolygonPositions = { type: "array", minItems: 1, items: Ring };
const MultiPolygonPositions = { type: "array", minItems: 1, items: PolygonPositions };

const COORDINATES = {
  Point: Position,
  MultiPoint: { type: "array", minItems: 1, items: Position },
  LineString: Line,
  MultiLineString: { type: "array", minItems: 1, items: Line },
  Polygon: PolygonPositions,
  MultiPolygon: MultiPolygonPositions,
};
type SimpleType = keyof typeof COORDINATES;
const SIMPLE_TYPES: readonly SimpleType[] = [
  "Point",
  "MultiPoint",
  "LineString",
  "MultiLineString",
  "Polygon",
  "MultiPolygon",
];

function whenType(type: string, then: object): object {
  // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
  return { if: { properties: { type: { const: type } }, required: ["type"] }, then };
}

function whenSimple(type: SimpleType): object {
  return whenType(type, { required: ["coordinates"], properties: { coordinates: COORDINATES[type] } });
}

function geometrySchema(types: readonly SimpleType[], title: string, description: string): object {
  return {
    type: "object",
    title,
    description,
    required: ["type"],
    properties: { type: { enum: types } },
    allOf: types.map(whenSimple),
  };
}

/** Members of a collection may be collections again; those deeper ones are checked by the kernel only. */
const COLLECTION = whenType("GeometryCollection", {
  required: ["geometries"],
  properties: {
    geometries: {
      type: "array",
      items: {
        type: "object",
        required: ["type"],
        properties: { type: { enum: [...SIMPLE_TYPES, "GeometryCollection"] } },
        allOf: SIMPLE_TYPES.map(whenSimple),
      },
    },
  },
});

const GEOMETRY = {
  type: "object",
  title: "Geometry",
  description: "Any GeoJSON geometry (RFC 7946), WGS84 longitude and latitude",
  required: ["type"],
  properties: { type: { enum: [...SIMPLE_TYPES, "GeometryCollection"] } },
  allOf: [...SIMPLE_TYPES.map(whenSimple), COLLECTION],
};

const FEATURE_MEMBERS = {
  id: { type: ["string", "number"] },
  geometry: { ...GEOMETRY, type: ["object", "null"] },
  properties: { type: ["object", "null"] },
};

const FEATURE = {
  type: "object",
  title: "Feature",
  description: "A GeoJSON Feature",
  required: ["type", "geometry"],
  properties: { type: { const: "Feature" }, ...FEATURE_MEMBERS },
  // Foreign members are legal (RFC 7946, 6.1).
  additionalProperties: true,
};

const FEATURE_COLLECTION_MEMBERS = { features: { type: "array", items: FEATURE } };

/** A polygon with optional holes. */
export const PolygonSchema = Type.Unsafe<Polygon>(geometrySchema(["Polygon"], "Polygon", "A GeoJSON Polygon"));

export const MultiPolygonSchema = Type.Unsafe<MultiPolygon>(
  geometrySchema(["MultiPolygon"], "MultiPolygon", "A GeoJSON MultiPolygon"),
);

/** A geometry that has an area. */
export const AreaGeometrySchema = Type.Unsafe<AreaGeometry>(
  geometrySchema(["Polygon", "MultiPolygon"], "AreaGeometry", "A GeoJSON Polygon or MultiPolygon"),
);

/** A place or one area. */
export const PlaceOrPolygonSchema = Type.Unsafe<Point | Polygon>(
  geometrySchema(["Point", "Polygon"], "PlaceOrPolygon", "A GeoJSON Point or Polygon"),
);

export const GeometrySchema = Type.Unsafe<Geometry>(GEOMETRY);

/** Any GeoJSON object: every geometry type, Feature and FeatureCollection. */
export const GeoJsonSchema = Type.Unsafe<GeoJson>({
  type: "object",
  title: "GeoJson",
  description: "Any GeoJSON object (RFC 7946): a geometry, a Feature or a FeatureCollection; WGS84",
  required: ["type"],
  properties: { type: { enum: [...SIMPLE_TYPES, "GeometryCollection", "Feature", "FeatureCollection"] } },
  allOf: [
    ...SIMPLE_TYPES.map(whenSimple),
    COLLECTION,
    whenType("Feature", { required: ["geometry"], properties: FEATURE_MEMBERS }),
    whenType("FeatureCollection", { required: ["features"], properties: FEATURE_COLLECTION_MEMBERS }),
  ],
});

/** An area to search, pay for or release: points and lines in it are ignored, and something with area must remain. */
export const ExtentSchema = Type.Unsafe<GeoJson>({
  ...GeoJsonSchema,
  title: "Extent",
  description: "GeoJSON of any type; its Polygon and MultiPolygon parts are the area; WGS84",
});
