import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parsePlace } from "./place.ts";

test("a position reads in the orders in which people write it", () => {
  const auckland = { longitude: 174.87, latitude: -36.88 };
  for (const written of [
    "174.87, -36.88",
    "174.87 -36.88",
    "174.87, \u221236.88",
    "36.88° S, 174.87° E",
    "36.88S 174.87E",
    "174.87E;36.88S",
    "36.88 s 174.87",
  ]) {
    assert.deepEqual(parsePlace(written), auckland, written);
  }
});

test("another text, two latitudes and positions outside the globe are no position", () => {
  for (const written of ["", "Auckland", "1", "1,2,3", "200, 10", "10, 95", "10N 20S", "10E 20W", "NaN, 1", "1e5, 2"]) {
    assert.equal(parsePlace(written), null, written);
  }
});

test("every position of the globe reads as written", () => {
  const longitude = fc.integer({ min: -18_000, max: 18_000 }).map((value) => value / 100);
  const latitude = fc.integer({ min: -9_000, max: 9_000 }).map((value) => value / 100);
  fc.assert(
    fc.property(longitude, latitude, (x, y) => {
      assert.deepEqual(parsePlace(`${x}, ${y}`), { longitude: x, latitude: y });
    }),
    { endOnFailure: true },
  );
});
