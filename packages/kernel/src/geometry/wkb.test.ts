import assert from "node:assert/strict";
import { test } from "node:test";
import { wkbOf } from "./wkb.ts";

const RING = [
  [0, 0, 9],
  [1, 0, 9],
  [2, 1, 9],
  [0, 0, 9],
] as const;
/** From the tables of OGC 06-103r4: 1.0 is 3ff0…, 2.0 is 4000…; the lowest byte comes first. */
const [ZERO, ONE, TWO] = ["0000000000000000", "000000000000f03f", "0000000000000040"];
const RING_HEX = `04000000${ZERO}${ZERO}${ONE}${ZERO}${TWO}${ONE}${ZERO}${ZERO}`;

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

test("a polygon is byte order, type 3, its number of rings and each ring with its number of positions", () => {
  assert.equal(
    hexOf(wkbOf({ type: "Polygon", coordinates: [RING, RING] })),
    `010300000002000000${RING_HEX}${RING_HEX}`,
  );
});

test("a multipolygon is type 6 and whole polygons", () => {
  const polygon = `010300000001000000${RING_HEX}`;
  assert.equal(
    hexOf(wkbOf({ type: "MultiPolygon", coordinates: [[RING], [RING]] })),
    `010600000002000000${polygon}${polygon}`,
  );
});
