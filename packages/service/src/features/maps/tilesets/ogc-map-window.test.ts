import assert from "node:assert/strict";
import { test } from "node:test";
import { ogcMapWindow, windowBoundsM } from "./ogc-map-window.ts";

const whole = [10, 50, 11, 51] as const;

test("a box of one degree of longitude is 111319.49 m wide in every reference system", () => {
  // A degree of the equator of the sphere of EPSG:3857: 6378137 m · π / 180.
  const degreeM = 111_319.490_793_273_57;
  for (const query of [
    { bbox: "0,0,1,0.5" },
    { bbox: "0,0,0.5,1", "bbox-crs": "[EPSG:4326]" },
    { bbox: `0,0,${degreeM},55660.4`, "bbox-crs": "http://www.opengis.net/def/crs/EPSG/0/3857" },
  ]) {
    const { heightPx, originXM, pixelSizeM, widthPx } = ogcMapWindow({ ...query, width: 200 }, whole);
    assert.deepEqual([originXM, widthPx, heightPx], [0, 200, 100]);
    assert.ok(Math.abs(pixelSizeM * 200 - degreeM) < 1e-6);
  }
});

test("a box in degrees whose west is beyond its east crosses the antimeridian", () => {
  const [west, , east] = windowBoundsM(ogcMapWindow({ bbox: "179,-1,-179,1" }, whole));
  assert.ok(Math.abs(east - west - 2 * 111_319.490_793_273_57) < 1e-6);
});

test("a box that is none, too many pixels and unequal pixels are refused", () => {
  const faults = [
    { bbox: "1,2,3" },
    { bbox: "1,2,3,4,5" },
    { bbox: "1,,3,4" },
    { bbox: "1,5,3,4" },
    { bbox: "0,0,1,1e99", "bbox-crs": "EPSG:3857" },
    { bbox: "0,-91,1,1" },
    { bbox: "0,0,1,80", width: 100 },
    { bbox: "0,0,1,1", width: 100, height: 200 },
    { "bbox-crs": "EPSG:32633" },
    { crs: "CRS84" },
  ];
  for (const fault of faults) {
    assert.throws(() => ogcMapWindow(fault, whole), { code: "BAD-REQUEST" }, JSON.stringify(fault));
  }
});
