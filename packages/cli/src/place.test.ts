import assert from "node:assert/strict";
import { test } from "node:test";
import { sidesM } from "@swath/kernel/geometry/mbr";
import { extentBounds } from "./bounds.ts";
import { UsageError } from "./exit-code.ts";
import { parsePlace, squareAround } from "./place.ts";

test("a place is longitude and latitude, and a square around it has its side", () => {
  assert.deepEqual(parsePlace("153.13, -27.42"), [153.13, -27.42]);
  for (const wrong of ["", "1", "1,2,3", "a,b", "181,0", "0,86"]) {
    assert.throws(() => parsePlace(wrong), UsageError, wrong);
  }
  for (const latDeg of [0, 50, -27]) {
    const { widthM, heightM } = sidesM(extentBounds(squareAround([10, latDeg], 12_000)));
    assert.ok(Math.abs(widthM - 12_000) < 150 && Math.abs(heightM - 12_000) < 100, `${widthM} ${heightM}`);
  }
});
