import assert from "node:assert/strict";
import { test } from "node:test";
import { boxGeometry } from "../find/area-rings.ts";
import { areaOf, areaRow, rowShapes } from "./area-row.ts";

const box = boxGeometry({ west: 1, south: 2, east: 3, north: 4 });

test("a feature is named by its name, its title or its label", () => {
  assert.equal(areaRow({ id: "1", geometry: box, properties: { title: "T", name: "N" } }).name, "N");
  assert.equal(areaRow({ id: "1", geometry: box, properties: { name: "", label: "L" } }).name, "L");
  assert.equal(areaRow({ id: "1", geometry: box, properties: { name: 4 } }).name, "Untitled");
});

test("polygons are areas to search, points are shown alone, and features without a place are neither", () => {
  const polygon = areaRow({ id: "1", geometry: box, properties: {} });
  const point = areaRow({ id: "2", geometry: { type: "Point" }, properties: {} });
  const nowhere = areaRow({ id: "3", properties: {} });
  assert.deepEqual([polygon, point, nowhere].map(areaOf), [box, null, null]);
  assert.deepEqual(
    rowShapes([polygon, point, nowhere]).map(({ id }) => id),
    ["1", "2"],
  );
});
