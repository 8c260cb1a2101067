import assert from "node:assert/strict";
import { test } from "node:test";
import { webMercatorToLonLat } from "@swath/kernel/crs/web-mercator";
import { boxArea } from "../../credits/testing.ts";
import { timelapseGrid } from "./timelapse-grid.ts";

test("the pixels cover the box around all areas, the longer side as many as asked for", () => {
  const grid = timelapseGrid([boxArea([9, 49, 9.1, 49.1]), boxArea([9.3, 49, 9.4, 49.1])], 300);
  assert.deepEqual([grid.widthPx, Math.max(grid.widthPx, grid.heightPx)], [300, 300]);
  const [west, north] = webMercatorToLonLat(grid.originXM, grid.originYM);
  const [east, south] = webMercatorToLonLat(
    grid.originXM + grid.widthPx * grid.pixelSizeM,
    grid.originYM - grid.heightPx * grid.pixelSizeM,
  );
  for (const [got, wanted] of [
    [west, 9],
    [north, 49.1],
    [east, 9.4],
  ] as const)
    assert.ok(Math.abs(got - wanted) < 1e-9, `${got}`);
  assert.ok(south <= 49 && south > 48.99);
});

test("a sliver has at least one pixel", () => {
  assert.deepEqual(timelapseGrid([boxArea([9, 49, 9.4, 49.000001])], 64).heightPx, 1);
});
