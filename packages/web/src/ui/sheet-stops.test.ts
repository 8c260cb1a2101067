import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestStop } from "./sheet-stops.ts";

test("a sheet rests at the stop nearest to where it is left", () => {
  assert.equal(nearestStop(-0.2), "peek");
  assert.equal(nearestStop(0.3), "peek");
  assert.equal(nearestStop(0.4), "half");
  assert.equal(nearestStop(0.75), "half");
  assert.equal(nearestStop(0.8), "full");
  assert.equal(nearestStop(2), "full");
});
