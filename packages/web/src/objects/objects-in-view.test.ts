import assert from "node:assert/strict";
import { test } from "node:test";
import type { MapObject } from "./map-object.ts";
import { isHiddenIn, objectsInView } from "./objects-in-view.ts";

function object(longitude: number, latitude: number, sideDeg = 0.1): MapObject {
  const box = {
    west: longitude - sideDeg / 2,
    south: latitude - sideDeg / 2,
    east: longitude + sideDeg / 2,
    north: latitude + sideDeg / 2,
  };
  const id = `${longitude} ${latitude}`;
  return {
    id,
    className: "ship",
    confidence: null,
    areaM2: null,
    lengthM: null,
    longitude,
    latitude,
    box,
    geometry: {},
    properties: {},
  };
}

const VIEW = { west: 0, south: 0, east: 10, north: 10 };

test("objects in and around the view are drawn, others are not", () => {
  const { drawn, count } = objectsInView([object(5, 5), object(12, 5), object(13, 5), object(5, -3)], VIEW);
  assert.deepEqual(
    drawn.map(({ longitude }) => longitude),
    [5, 12],
  );
  assert.equal(count, 2);
});

test("a view across the antimeridian has the objects of both sides", () => {
  const view = { west: 175, south: 0, east: -175, north: 10 };
  const { drawn } = objectsInView([object(179, 5), object(-179, 5), object(0, 5)], view);
  assert.deepEqual(
    drawn.map(({ longitude }) => longitude),
    [179, -179],
  );
});

test("of 50,000 objects in view at most 2,000 are drawn, from all of it", () => {
  const all = Array.from({ length: 50_000 }, (_, at) => object((at % 100) / 10, Math.floor(at / 100) / 50));
  const { drawn, count } = objectsInView(all, VIEW);
  assert.equal(count, 50_000);
  assert.equal(drawn.length, 2_000);
  assert.ok(drawn.some(({ latitude }) => latitude < 0.2) && drawn.some(({ latitude }) => latitude > 9.8));
});

test("the map moves to an object outside of it, and to one too small to be seen", () => {
  assert.equal(isHiddenIn(object(5, 5), VIEW), false);
  assert.equal(isHiddenIn(object(11, 5), VIEW), true);
  assert.equal(isHiddenIn(object(5, 5, 0.001), VIEW), true);
});
