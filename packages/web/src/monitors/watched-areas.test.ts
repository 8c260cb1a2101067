import assert from "node:assert/strict";
import { test } from "node:test";
import { boxGeometry } from "../find/area-rings.ts";
import { areaAround, watchedAreas } from "./watched-areas.ts";

const north = boxGeometry({ west: 10, south: 50, east: 11, north: 51 });
const south = boxGeometry({ west: 12, south: 48, east: 13, north: 49 });

test("areas have the names of their results: the ID of a feature, or its position", () => {
  const features = [
    { type: "Feature", id: "n", geometry: north, properties: null },
    { type: "Feature", geometry: south },
  ];
  const areas = watchedAreas({ type: "FeatureCollection", features });
  assert.deepEqual(areas, [
    { name: "n", geometry: north },
    { name: "1", geometry: south },
  ]);
  assert.deepEqual(watchedAreas(north), [{ name: "0", geometry: north }]);
  assert.deepEqual(watchedAreas({ type: "FeatureCollection", features: [null, { geometry: { type: "Point" } }] }), []);
});

test("one area is shown as it is, more by the box around them", () => {
  assert.deepEqual(areaAround(watchedAreas(north)), north);
  const both = watchedAreas({ type: "GeometryCollection", features: [{ geometry: north }, { geometry: south }] });
  assert.deepEqual(areaAround(both), boxGeometry({ west: 10, south: 48, east: 13, north: 51 }));
  assert.equal(areaAround([]), null);
});
