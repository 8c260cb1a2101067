import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv, type ErrorObject } from "ajv";
import { AreaGeometrySchema, GeoJsonSchema } from "./geojson.ts";
import { SceneSchema } from "./scene.ts";

const ajv = new Ajv({ strict: false, strictNumbers: true });
const checkGeoJson = ajv.compile(GeoJsonSchema);
const checkArea = ajv.compile(AreaGeometrySchema);

const SQUARE = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
];

/** The first fault that is not the bookkeeping of if/then. */
function fault(errors: readonly ErrorObject[] | null | undefined): string | undefined {
  return errors?.find((error) => error.keyword !== "if")?.instancePath;
}

test("every GeoJSON type is accepted, foreign members included", () => {
  const polygon = { type: "Polygon", coordinates: [SQUARE], note: "kept" };
  for (const value of [
    { type: "Point", coordinates: [1, 2, 3] },
    { type: "MultiPoint", coordinates: [[1, 2]] },
    { type: "LineString", coordinates: SQUARE },
    { type: "MultiLineString", coordinates: [SQUARE] },
    polygon,
    { type: "MultiPolygon", coordinates: [[SQUARE]] },
    { type: "GeometryCollection", geometries: [polygon, { type: "GeometryCollection", geometries: [] }] },
    { type: "Feature", geometry: polygon, properties: null },
    { type: "Feature", geometry: null, properties: {} },
    { type: "FeatureCollection", features: [{ type: "Feature", geometry: polygon, properties: {} }] },
  ]) {
    assert.equal(checkGeoJson(value), true, JSON.stringify([value, checkGeoJson.errors]));
  }
});

test("a fault is reported at its own path", () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [{ type: "Polygon" }, ""],
    [{ type: "Circle" }, "/type"],
    [{ type: "Polygon", coordinates: [[[0, 0]]] }, "/coordinates/0"],
    [
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, "1"],
            [0, 0],
          ],
        ],
      },
      "/coordinates/0/2/1",
    ],
    [{ type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [0] }] }, "/geometries/0/coordinates"],
    [{ type: "Feature", geometry: { type: "Point", coordinates: [null, 0] } }, "/geometry/coordinates/0"],
    [
      { type: "FeatureCollection", features: [{ type: "Feature", geometry: { type: "LineString", coordinates: [] } }] },
      "/features/0/geometry/coordinates",
    ],
  ];
  for (const [value, path] of cases) {
    assert.equal(checkGeoJson(value), false, JSON.stringify(value));
    assert.equal(fault(checkGeoJson.errors), path, JSON.stringify([value, checkGeoJson.errors]));
  }
});

test("infinite coordinates and other types are no area", () => {
  assert.equal(checkArea({ type: "Point", coordinates: [0, 0] }), false);
  assert.equal(checkArea(JSON.parse('{"type":"Polygon","coordinates":[[[0,0],[1,0],[1e999,1],[0,0]]]}')), false);
});

test("checking a polygon of 200 000 positions takes well under a second", () => {
  const ring = Array.from({ length: 200_000 }, (_, i) => [Math.cos(i / 31_831), Math.sin(i / 31_831)]);
  const start = performance.now();
  assert.equal(checkGeoJson({ type: "Polygon", coordinates: [ring] }), true);
  assert.ok(performance.now() - start < 1000);
});

test("the scene schema compiles and names the missing member", () => {
  const checkScene = ajv.compile(SceneSchema);
  assert.equal(checkScene({}), false);
  assert.equal(checkScene.errors?.[0]?.keyword, "required");
});
