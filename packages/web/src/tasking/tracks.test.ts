import assert from "node:assert/strict";
import { test } from "node:test";
import { continuous } from "./tracks.ts";

test("a track across the antimeridian goes on beyond 180 degrees in both directions", () => {
  assert.deepEqual(
    continuous([
      [179, 0],
      [-179, 1],
      [-178, 2],
    ]),
    [
      [179, 0],
      [181, 1],
      [182, 2],
    ],
  );
  assert.deepEqual(
    continuous([
      [-179, 0],
      [179, 1],
      [178, 2],
    ]),
    [
      [-179, 0],
      [-181, 1],
      [-182, 2],
    ],
  );
});

test("a track over the pole that jumps and comes back is one line", () => {
  assert.deepEqual(
    continuous([
      [-170, 80],
      [170, 85],
      [-175, 88],
    ]),
    [
      [-170, 80],
      [-190, 85],
      [-175, 88],
    ],
  );
});
