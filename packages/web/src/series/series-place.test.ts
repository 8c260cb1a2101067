import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { boxOfGeometry } from "../find/area-rings.ts";
import { formatPlace, parsePlace, squareAround } from "./series-place.ts";

test("a place of a link is read as it was written, to a metre", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
      (longitude, latitude) => {
        const read = parsePlace(formatPlace({ kind: "point", longitude, latitude }));
        assert.ok(read.kind === "point");
        assert.ok(Math.abs(read.longitude - longitude) <= 5.1e-6 && Math.abs(read.latitude - latitude) <= 5.1e-6);
      },
    ),
    { endOnFailure: true },
  );
  assert.deepEqual(parsePlace(formatPlace({ kind: "area" })), { kind: "area" });
});

test("an unreadable place is the area", () => {
  for (const text of [undefined, "", "1", "1,", "a,b", "181,0", "0,86", "1,2,3"]) {
    assert.deepEqual(parsePlace(text), { kind: "area" }, String(text));
  }
});

test("a point is a square of 20 m, also beside the antimeridian", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
      (longitude, latitude) => {
        const square = squareAround(longitude, latitude);
        assert.equal(square.type, "Polygon");
        const { west, south, east, north } = boxOfGeometry(square);
        assert.ok(west >= -180 && east <= 180 && west < east);
        // 111,320 m on the equator; box edges are rounded to 0.1 m.
        assert.ok(Math.abs((north - south) * 111_320 - 20) < 0.5, String(north - south));
        const widthM = (east - west) * 111_320 * Math.cos((latitude * Math.PI) / 180);
        assert.ok(Math.abs(widthM - 20) < 0.5, String(widthM));
      },
    ),
    { endOnFailure: true },
  );
});
