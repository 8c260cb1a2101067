import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { decodeBoxes } from "./decode-boxes.ts";
import { decodeMask } from "./decode-classes.ts";
import { manifest } from "./model-manifest-testing.ts";
import { overlapPx } from "./model-manifest.ts";
import { readManifest } from "./read-manifest.ts";
import { ModelOutputError } from "./output-shapes.ts";
import { overlapShare, type Corners } from "./polygon-overlap.ts";
import { suppressBoxes } from "./suppress-boxes.ts";
import { modelTiles } from "./tile-plan.ts";

function box(x: number, y: number, width: number, height: number, degrees = 0): Corners {
  const angle = (degrees * Math.PI) / 180;
  return [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ].map(([u = 0, v = 0]) => [
    x + u * width * Math.cos(angle) - v * height * Math.sin(angle),
    y + u * width * Math.sin(angle) + v * height * Math.cos(angle),
  ]);
}

test("overlaps of rotated boxes are those of plane geometry", () => {
  assert.ok(Math.abs(overlapShare(box(0, 0, 2, 2), box(1, 0, 2, 2)) - 1 / 3) < 1e-12);
  // A square and itself turned by 45 degrees share a regular octagon: 8 (sqrt 2 - 1) of a side of 2.
  const octagon = 8 * (Math.SQRT2 - 1);
  assert.ok(Math.abs(overlapShare(box(0, 0, 2, 2), box(0, 0, 2, 2, 45)) - octagon / (8 - octagon)) < 1e-12);
  assert.equal(overlapShare(box(0, 0, 2, 2), box(5, 0, 2, 2, 30)), 0);
  // A cross of two strips of 1 by 4.
  assert.ok(Math.abs(overlapShare(box(0, 0, 4, 1), box(0, 0, 4, 1, 90)) - 1 / 7) < 1e-12);
});

test("the best boxes of each class remain, in whatever order they come", () => {
  const boxes = [
    { className: "a", corners: box(0, 0, 4, 2), confidence: 0.9 },
    { className: "a", corners: box(0.5, 0, 4, 2), confidence: 0.8 },
    { className: "b", corners: box(0, 0, 4, 2), confidence: 0.7 },
    { className: "a", corners: box(30, 0, 4, 2, 20), confidence: 0.3 },
  ];
  const expected = [boxes[0], boxes[2], boxes[3]];
  fc.assert(
    fc.property(fc.shuffledSubarray(boxes, { minLength: boxes.length }), (shuffled) => {
      assert.deepEqual(suppressBoxes(shuffled, 0.5), expected);
    }),
  );
});

test("ships that lie side by side at an angle are two, though the frames around them are nearly one", () => {
  const beside = [box(0, 0, 40, 6, 45), box(5, -5, 40, 6, 45)].map((corners, index) => ({
    className: "ship",
    corners,
    confidence: 0.9 - index / 10,
  }));
  assert.equal(suppressBoxes(beside, 0.3).length, 2);
  const frames = beside.map(({ corners, ...rest }) => {
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const [width, height] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
    return { ...rest, corners: box(Math.min(...xs) + width / 2, Math.min(...ys) + height / 2, width, height) };
  });
  assert.equal(suppressBoxes(frames, 0.3).length, 1);
});

test("cells of tiles cover a core exactly once, and every cell sees half the overlap around it", () => {
  const cases = fc.record({
    column: fc.integer({ min: 0, max: 20 }).map((index) => index * 512),
    columns: fc.integer({ min: 1, max: 512 }),
    size: fc.integer({ min: 16, max: 100 }).map((count) => count * 8),
    share: fc.double({ min: 0.1, max: 0.5, noNaN: true }),
    scale: fc.constantFrom(1, 0.55, 0.8, 1.3, 1.9),
  });
  fc.assert(
    fc.property(cases, ({ column, columns, size, share, scale }) => {
      const overlap = Math.floor(size * share);
      const core = { column, row: 0, columns, rows: 1 };
      const tiles = modelTiles(core, [size, size], [overlap, overlap], scale, scale);
      let at = column;
      for (const { cell, column: origin } of tiles) {
        assert.ok(Math.abs(cell.left - at) < 1e-6);
        assert.ok(cell.left - origin >= (overlap / 2) * scale - 0.51);
        assert.ok(origin + size * scale - cell.right >= (overlap / 2) * scale - 0.51);
        at = cell.right;
      }
      assert.ok(Math.abs(at - column - columns) < 1e-6);
    }),
  );
});

test("boxes are read from both orders of the output, with their class, angle and activation", () => {
  // Two anchors: x, y, width, height, score of one, score of two.
  const anchors = [
    [10, 20, 4, 6, 0.1, 0.9],
    [30, 40, 2, 2, 0.2, 0.1],
  ];
  const byAnchor = Float32Array.from(anchors.flat());
  const byValue = Float32Array.from([0, 1, 2, 3, 4, 5].flatMap((value) => anchors.map((anchor) => anchor[value] ?? 0)));
  for (const tensor of [
    { data: byAnchor, dims: [1, 2, 6] },
    { data: byValue, dims: [1, 6, 2] },
  ]) {
    const boxes = decodeBoxes([tensor], manifest());
    assert.equal(boxes.length, 1);
    assert.equal(boxes[0]?.className, "two");
    assert.deepEqual(boxes[0]?.centre, [10, 20]);
    assert.deepEqual(boxes[0]?.corners[0], [8, 17]);
  }
  const sigmoid = manifest({ output: { format: "yolov8", activation: "sigmoid", boxes: "xyxy" }, conf: 0.6 });
  const [square] = decodeBoxes([{ data: Float32Array.from([0, 0, 10, 4, 2, -2]), dims: [1, 6, 1] }], sigmoid);
  assert.ok(square !== undefined && Math.abs(square.confidence - 1 / (1 + Math.exp(-2))) < 1e-6);
  assert.deepEqual(square.centre, [5, 2]);
  assert.throws(() => decodeBoxes([{ data: new Float32Array(35), dims: [1, 7, 5] }], manifest()), ModelOutputError);
});

test("masks with and without a background become classes", () => {
  const segment = manifest({ task: "segment", output: { format: "mask" }, conf: 0.5 });
  const plain = decodeMask([{ data: Float32Array.from([0.9, 0.2, 0.1, 0.7, 0.3, 0.1]), dims: [1, 2, 1, 3] }], segment);
  assert.deepEqual([...plain.values], [1, 0, 0]);
  const background = decodeMask(
    [{ data: Float32Array.from([5, 0, 0, 1, 9, 0, 2, 1, 9]), dims: [1, 3, 1, 3] }],
    segment,
  );
  assert.deepEqual([...background.values], [0, 1, 2]);
});

test("a manifest is checked as a whole", () => {
  const read = readManifest({ id: "x", input: { size: [100, 256] }, gsd: [], unknown: 1 });
  assert.ok(!read.valid);
  const said = read.faults.join("\n");
  for (const place of [
    "/unknown",
    "/input/size",
    "/gsd",
    "/task",
    "/classes",
    "/bands",
    "/sha256",
    "/licence",
    "/conf",
  ]) {
    assert.match(said, new RegExp(`^${place}: `, "mu"));
  }
  assert.throws(() => manifest({ output: { format: "mask" } }), /\/output\/format: got mask, expected yolov8/);
  assert.throws(() => manifest({ gsd: { train: 0.5, min: 0.6, max: 0.8 } }), /\/gsd: got 0.6, 0.5, 0.8/);
  assert.throws(() => manifest({ maxObjectM: 80 }), /tiles would overlap by 192 pixels/);
  assert.equal(overlapPx(manifest({ maxObjectM: 40 })), 96);
});
