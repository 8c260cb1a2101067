import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { GEOJSON_COMPONENTS } from "./geojson-components.ts";
import { AreaGeometrySchema, ExtentSchema, GeometrySchema, MultiPolygonSchema, PolygonSchema } from "./geojson.ts";

const ring = [
  [14, 50],
  [15, 50],
  [15, 51],
  [14, 50],
];
const polygon = { type: "Polygon", coordinates: [ring] };
const feature = { type: "Feature", geometry: polygon, properties: null };

/** Values of every type, and the same with a fault. */
const VALUES: readonly unknown[] = [
  { type: "Point", coordinates: [14, 50, 200] },
  { type: "Point", coordinates: [14] },
  { type: "MultiPoint", coordinates: [[14, 50]] },
  { type: "MultiPoint", coordinates: [] },
  { type: "LineString", coordinates: ring },
  { type: "LineString", coordinates: [[14, 50]] },
  { type: "MultiLineString", coordinates: [ring] },
  { type: "MultiLineString", coordinates: ring },
  polygon,
  { ...polygon, note: "kept" },
  { type: "Polygon", coordinates: ring },
  { type: "Polygon", coordinates: [ring.slice(0, 3)] },
  { type: "Polygon", coordinates: [ring.map(([lon]) => [lon, "50"])] },
  { type: "Polygon" },
  { type: "MultiPolygon", coordinates: [[ring]] },
  { type: "MultiPolygon", coordinates: [ring] },
  { type: "GeometryCollection", geometries: [polygon, { type: "Point", coordinates: [14, 50] }] },
  { type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [] }] },
  { type: "GeometryCollection" },
  feature,
  { ...feature, id: "a" },
  { ...feature, id: 1, properties: { name: "field" } },
  { ...feature, id: {} },
  { ...feature, geometry: null },
  { type: "Feature", properties: {} },
  { ...feature, properties: [] },
  { type: "FeatureCollection", features: [feature] },
  { type: "FeatureCollection", features: [polygon] },
  { type: "FeatureCollection" },
  { type: "Circle" },
  {},
  null,
];

function component(name: string): ValidateFunction {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: "document", components: { schemas: GEOJSON_COMPONENTS } });
  const rooted = JSON.stringify(GEOJSON_COMPONENTS[name]).replaceAll('"$ref":"#/', '"$ref":"document#/');
  return ajv.compile(JSON.parse(rooted));
}

for (const [name, schema] of Object.entries({
  Polygon: PolygonSchema,
  MultiPolygon: MultiPolygonSchema,
  AreaGeometry: AreaGeometrySchema,
  Geometry: GeometrySchema,
  Extent: ExtentSchema,
})) {
  test(`the document accepts the same values as ${name} that the service accepts`, () => {
    const documented = component(name);
    const checked = new Ajv({ strict: false }).compile(schema);
    const accepted = VALUES.filter((value) => checked(value));
    assert.ok(accepted.length > 0 && accepted.length < VALUES.length);
    assert.deepEqual(
      VALUES.filter((value) => documented(value)),
      accepted,
    );
  });
}
