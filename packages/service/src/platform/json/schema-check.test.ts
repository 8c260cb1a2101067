import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { ExtentSchema } from "@swath/contract/kit/schemas/geojson";
import { DatetimeInputSchema } from "@swath/contract/kit/schemas/time";
import { schemaCheck } from "./schema-check.ts";

const check = schemaCheck(
  Type.Object({
    count: Type.Integer({ minimum: 1 }),
    extent: ExtentSchema,
    mode: Type.Optional(Type.Enum(["a", "b"])),
  }),
);
const square = [[0, 0], [1, 0], [1, 1], [0, 0]]; // prettier-ignore

test("nothing is coerced and unknown members are no fault", () => {
  const extent = { type: "Polygon", coordinates: [square], note: "kept" };
  assert.equal(check.accepts({ count: 1, extent, other: true }), true);
  assert.equal(check.accepts({ count: "1", extent }), false);
});

test("every fault of a small body is told with its path", () => {
  const value = { count: 0, extent: { type: "Polygon", coordinates: [[[0, "x"], ...square]] }, mode: "c" };
  assert.equal(check.accepts(value), false);
  assert.deepEqual(check.explain(value, 100), [
    { path: "/count", message: "must be >= 1" },
    { path: "/extent/coordinates/0/0/1", message: "must be number" },
    { path: "/mode", message: 'must be one of "a" or "b"' },
  ]);
  assert.deepEqual(check.explain({ count: 1 }, 100), [{ path: "/extent", message: "is required" }]);
});

test("of a large body the first fault is told, and of very many no more than 20", () => {
  const bad = { count: 0, extent: { type: "Polygon", coordinates: [Array.from({ length: 5000 }, () => ["x", "y"])] } };
  assert.equal(check.explain(bad, 1_000_000).length, 1);
  assert.equal(check.explain(bad, 1000).length, 20);
});

test("a text of the wrong form is told an example, not a regular expression", () => {
  const dates = schemaCheck(Type.Object({ startDatetime: DatetimeInputSchema }));
  const [fault, ...others] = dates.explain({ startDatetime: "1 May" }, 100);
  assert.deepEqual(others, []);
  assert.equal(fault?.path, "/startDatetime");
  assert.match(fault.message, /^must look like "2024-06-30 10:15:00" \(UTC, YYYY-MM-DD HH:MM:SS; ISO 8601 /);
});

test("a union of words is told as one list, whatever the value is", () => {
  const words = Type.Union([Type.Literal("first"), Type.Literal("prev"), Type.Literal("all"), Type.Null()]);
  const unions = schemaCheck(Type.Object({ pairing: words, scenes: Type.Optional(Type.Array(words)) }));
  const message = 'must be one of "first", "prev", "all" or null';
  assert.deepEqual(unions.explain({ pairing: "x" }, 100), [{ path: "/pairing", message }]);
  assert.deepEqual(unions.explain({ pairing: 5 }, 100), [{ path: "/pairing", message }]);
  assert.deepEqual(unions.explain({ pairing: "x" }, 1_000_000), [{ path: "/pairing", message }]);
  assert.deepEqual(unions.explain({ pairing: null, scenes: ["all", "y"] }, 100), [{ path: "/scenes/1", message }]);
});

test("of a union of shapes the one that the value was meant for is told", () => {
  const group = Type.Union([
    Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
    Type.Object({ sceneId: Type.String() }),
  ]);
  const shapes = schemaCheck(Type.Object({ scenes: Type.Array(group) }));
  assert.deepEqual(shapes.explain({ scenes: [["a"], 5] }, 100), [
    { path: "/scenes/1", message: "must be array or object" },
  ]);
  assert.deepEqual(shapes.explain({ scenes: [{}] }, 100), [{ path: "/scenes/0/sceneId", message: "is required" }]);
  assert.deepEqual(shapes.explain({ scenes: [[]] }, 100), [
    { path: "/scenes/0", message: "must have at least 1 items, got 0" },
  ]);
});

test("forms without an example are told in words, too", () => {
  const forms = schemaCheck(
    Type.Object({
      id: Type.String({ pattern: "^[0-9A-Za-z]{20}$" }),
      note: Type.String({ description: "a note", pattern: "^[^\\u0000-\\u001f]*$" }),
    }),
  );
  assert.deepEqual(forms.explain({ id: "x", note: "\u0001" }, 100), [
    { path: "/id", message: "must be 20 letters and digits" },
    { path: "/note", message: "must be text without control characters (a note)" },
  ]);
});
