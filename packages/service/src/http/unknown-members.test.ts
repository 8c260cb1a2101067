import assert from "node:assert/strict";
import { test } from "node:test";
import { ExtentSchema } from "@swath/contract/kit/schemas/geojson";
import { Type } from "typebox";
import { unknownMembers } from "./unknown-members.ts";

const schema = Type.Object({
  extent: ExtentSchema,
  startDatetime: Type.Optional(Type.String()),
  datasets: Type.Optional(Type.Array(Type.Object({ provider: Type.String(), dataset: Type.String() }))),
  scenes: Type.Optional(Type.Array(Type.Union([Type.Array(Type.String()), Type.Object({ sceneId: Type.String() })]))),
  labels: Type.Optional(Type.Record(Type.String(), Type.Number())),
  open: Type.Optional(Type.Object({ a: Type.String() }, { additionalProperties: true })),
});

test("a member that the schema does not name is found with its path and the member that was meant", () => {
  const found = unknownMembers(schema, { extent: {}, start_datetime: "2024", colour: "red" });
  assert.deepEqual(found, [
    {
      path: "/start_datetime",
      message: 'is no member of the request; did you mean "startDatetime"?',
      didYouMean: "startDatetime",
    },
    { path: "/colour", message: "is no member of the request" },
  ]);
});

test("members are looked for in lists and in all branches of a union", () => {
  const value = {
    extent: {},
    datasets: [
      { provider: "ee", dataset: "x" },
      { provider: "ee", dataset: "y", datset: "z" },
    ],
    scenes: [["a"], { sceneId: "b" }, { sceneId: "c", sceneID: "d" }],
  };
  assert.deepEqual(
    unknownMembers(schema, value).map(({ path, didYouMean }) => [path, didYouMean]),
    [
      ["/datasets/1/datset", "dataset"],
      ["/scenes/2/sceneID", "sceneId"],
    ],
  );
});

test("foreign members of GeoJSON, names of records and open objects are data", () => {
  const extent = {
    type: "FeatureCollection",
    bbox: [0, 0, 1, 1],
    features: [{ type: "Feature", geometry: null, properties: { any: 1 }, foreign: true }],
  };
  assert.deepEqual(unknownMembers(schema, { extent, labels: { anything: 1 }, open: { a: "", b: 2 } }), []);
});

test("an answer repeats at most twenty members, and none whole that is long", () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${n}${"x".repeat(1000)}`, n]));
  const found = unknownMembers(schema, { extent: {}, ...many });
  assert.equal(found.length, 20);
  assert.ok(JSON.stringify(found).length < 5000);
});

test("segments of paths are escaped as RFC 6901 says", () => {
  assert.equal(unknownMembers(schema, { extent: {}, "a/b~c": 1 })[0]?.path, "/a~1b~0c");
});
