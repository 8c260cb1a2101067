import assert from "node:assert/strict";
import { test } from "node:test";
import { crossesItself } from "./crosses-itself.ts";
import type { LinearRing } from "./geojson.ts";

const box: LinearRing = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]; // prettier-ignore
const bow: LinearRing = [[0, 0], [4, 4], [4, 0], [0, 4], [0, 0]]; // prettier-ignore

test("a bow tie crosses itself, also across the antimeridian; boxes with holes do not", () => {
  assert.equal(crossesItself([bow]), true);
  assert.equal(crossesItself([box]), false);
  assert.equal(crossesItself([box, [[1, 1], [1, 2], [2, 2], [2, 1], [1, 1]]]), false); // prettier-ignore
  assert.equal(crossesItself([[[178, 0], [-178, 0], [-178, 4], [178, 4], [178, 0]]]), false); // prettier-ignore
  assert.equal(crossesItself([[[178, 0], [-178, 4], [-178, 0], [178, 4], [178, 0]]]), true); // prettier-ignore
});

test("a hole across its outline and a spike are faults; loops that share a vertex are none", () => {
  assert.equal(crossesItself([box, [[3, 1], [3, 2], [5, 2], [5, 1], [3, 1]]]), true); // prettier-ignore
  assert.equal(crossesItself([[[0, 0], [4, 0], [4, 4], [8, 4], [4, 4], [0, 4], [0, 0]]]), true); // prettier-ignore
  assert.equal(crossesItself([[[0, 0], [2, 2], [4, 0], [4, 4], [2, 2], [0, 4], [0, 0]]]), false); // prettier-ignore
});
