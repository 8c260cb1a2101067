import assert from "node:assert/strict";
import { test } from "node:test";
import { fileSize } from "./file-size.ts";

test("a file of one tile has its pixels", () => {
  // The tile 2/2/1 reaches from the equator to 66.51326 degrees: atan(sinh(pi / 2)).
  const facts = { bounds: [0, 0, 90, 66.513_26], maxZoom: 2 } as const;
  assert.deepEqual(fileSize(facts, "geotiff"), { widthPx: 512, heightPx: 512, bytes: 1_048_576 });
  assert.equal(fileSize({ ...facts, maxZoom: 4 }, "png")?.widthPx, 2048);
});

test("a picture above 16 million pixels is made of coarser ones", () => {
  const facts = { bounds: [0, 0, 90, 66.513_26], maxZoom: 6 } as const;
  assert.equal(fileSize(facts, "png")?.widthPx, 4096);
  assert.equal(fileSize(facts, "geotiff")?.widthPx, 8192);
});

test("objects and maps without bounds have no size in pixels", () => {
  assert.equal(fileSize({ bounds: [0, 0, 1, 1], maxZoom: 4 }, "geojson"), null);
  assert.equal(fileSize({ bounds: null, maxZoom: 4 }, "png"), null);
});
