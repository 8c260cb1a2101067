import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBoxes } from "./decode-boxes.ts";
import { decodeMask, decodeWindow } from "./decode-classes.ts";
import type { ModelTensor } from "./model-input.ts";
import { manifest } from "./model-manifest-testing.ts";
import { ModelOutputError } from "./output-shapes.ts";

function of(dims: readonly number[], ...values: readonly number[]): ModelTensor {
  return { data: Float32Array.from(values), dims };
}

const near = (got: number | undefined, expected: number): void => {
  assert.ok(got !== undefined && Math.abs(got - expected) < 1e-5, `got ${got}, expected ${expected}`);
};

test("detr: middles and sizes are shares of the input, and the last class of softmax is nothing", () => {
  const detr = manifest({
    output: { format: "detr" },
    input: { dtype: "float32", size: [128, 256], valueRange: "byte" },
  });
  const boxes = of([1, 3, 4], 0.5, 0.25, 0.125, 0.5, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.1, 0.1);
  // Of the first query class two, of the second nothing, of the third too little of class one.
  const scores = of([1, 3, 3], 0, Math.log(6), Math.log(3), 1, 2, 9, Math.log(2), Math.log(2), Math.log(6));
  const [found, ...rest] = decodeBoxes([boxes, scores], detr);
  assert.deepEqual(rest, []);
  assert.equal(found?.className, "two");
  near(found?.confidence, 0.6);
  assert.deepEqual(found?.centre, [128, 32]);
  assert.deepEqual(found?.corners, [
    [112, 0],
    [144, 0],
    [144, 64],
    [112, 64],
  ]);
});

test("detr with sigmoid has no class for nothing", () => {
  const detr = manifest({ output: { format: "detr", activation: "sigmoid" } });
  const boxes = of([1, 1, 4], 0.5, 0.5, 0.1, 0.1);
  const [found] = decodeBoxes([boxes, of([1, 1, 2], 1, -1)], detr);
  assert.equal(found?.className, "one");
  near(found?.confidence, 1 / (1 + Math.exp(-1)));
  assert.throws(
    () => decodeBoxes([boxes, of([1, 1, 3], 1, 2, 3)], detr),
    (error) =>
      error instanceof ModelOutputError && /output of 1 x 1 x 3, expected scores of 1 x 1 x 2/.test(error.message),
  );
});

test("ssd: corners are shares of the input, and the first class is the background where there is one", () => {
  const ssd = manifest({ output: { format: "ssd" } });
  const boxes = of([1, 2, 4], 0.25, 0.5, 0.75, 1, 0, 0, 0.5, 0.5);
  const [found, ...rest] = decodeBoxes([boxes, of([1, 2, 3], 0.3, 0.1, 0.6, 0.9, 0.05, 0.05)], ssd);
  assert.deepEqual(rest, []);
  assert.equal(found?.className, "two");
  assert.deepEqual(found?.centre, [128, 192]);
  assert.deepEqual(found?.corners[0], [64, 128]);
  assert.deepEqual(found?.corners[2], [192, 256]);
  const plain = decodeBoxes([boxes, of([1, 2, 2], 0.6, 0.1, 0, 0.9)], ssd);
  assert.deepEqual(
    plain.map(({ className }) => className),
    ["two", "one"],
  );
  const logits = manifest({ output: { format: "ssd", activation: "softmax", units: "pixels" } });
  const [soft] = decodeBoxes([of([1, 1, 4], 10, 20, 30, 60), of([1, 1, 3], 0, Math.log(3), 0)], logits);
  near(soft?.confidence, 0.6);
  assert.deepEqual(soft?.centre, [20, 40]);
});

test("yolo-nms: rows are corners, score and number of the class, and empty rows are none", () => {
  const rows = of([1, 3, 6], 10, 20, 30, 60, 0.9, 1, 0, 0, 0, 0, 0, 0, 1, 1, 5, 5, 0.8, 7);
  const found = decodeBoxes([rows], manifest({ output: { format: "yolo-nms" } }));
  assert.deepEqual(
    found.map(({ className, centre }) => [className, centre]),
    [["two", [20, 40]]],
  );
});

test("yolov8 boxes may be shares of the input, too", () => {
  const share = manifest({ output: { format: "yolov8", units: "share" } });
  const [found] = decodeBoxes([of([1, 1, 6], 0.5, 0.25, 0.25, 0.5, 0.9, 0.1)], share);
  assert.deepEqual(found?.centre, [128, 64]);
  assert.deepEqual(found?.corners[0], [96, 0]);
});

test("oriented boxes turn from the x axis towards the y axis, the first side being the width", () => {
  const obb = manifest({ task: "detect-obb", output: { format: "yolov8-obb" } });
  // 20 long and 4 wide, turned by 90 degrees: it stands upright. Ultralytics gives angles of -45 to 135 degrees.
  const [upright] = decodeBoxes([of([1, 7, 1], 50, 60, 20, 4, 0.9, 0.1, Math.PI / 2)], obb);
  const [a, b] = upright?.corners ?? [];
  near(a?.[0], 52);
  near(a?.[1], 50);
  near(b?.[0], 52);
  near(b?.[1], 70);
  // Turned by 30 degrees the end of the first side lies right and, as rows go down, below.
  const [turned] = decodeBoxes([of([1, 7, 1], 0, 0, 20, 4, 0.9, 0.1, Math.PI / 6)], obb);
  const [p, q] = turned?.corners ?? [];
  near(q[0] - p[0], 20 * Math.cos(Math.PI / 6));
  near(q[1] - p[1], 10);
});

test("only the best boxes remain, and what is no number or has no size is none", () => {
  const few = manifest({ maxDet: 2 });
  const rows = of([1, 4, 6], 9, 9, 2, 2, 0.5, 0, 9, 9, 2, 2, 0, 0.9, 9, 9, 2, 2, 0.7, 0, 9, 9, 2, 2, Number.NaN, 0);
  assert.deepEqual(
    decodeBoxes([rows], few).map(({ confidence }) => Number(confidence.toFixed(2))),
    [0.9, 0.7],
  );
  assert.deepEqual(decodeBoxes([of([1, 1, 6], 9, 9, 0, 2, 0.9, 0)], few), []);
  assert.deepEqual(decodeBoxes([of([1, 1, 6], Number.NaN, 9, 2, 2, 0.9, 0)], few), []);
});

test("scores that are logits are refused with what to do about them", () => {
  assert.throws(
    () => decodeBoxes([of([1, 1, 6], 9, 9, 2, 2, 3.5, 0)], manifest()),
    (error) =>
      error instanceof ModelOutputError &&
      error.message ===
        "got a score of 3.500 with the activation none, expected 0 to 1: models that give logits need sigmoid or softmax",
  );
  const window = manifest({ task: "classify", output: { format: "classify" } });
  assert.throws(() => decodeWindow([of([1, 2], 4, 0)], window), /got a score of 4\.000 with the activation none/);
});

test("windows have the class of the best score if it is good enough, and say how good it is", () => {
  const plain = manifest({ task: "classify", output: { format: "classify" }, conf: 0.5 });
  assert.deepEqual(decodeWindow([of([1, 2], 0.25, 0.75)], plain), { value: 2, confidence: 0.75 });
  assert.deepEqual(decodeWindow([of([1, 2], 0.25, 0.125)], plain), { value: 0, confidence: 0.25 });
  assert.deepEqual(decodeWindow([of([1, 2], Number.NaN, Number.NaN)], plain), { value: 0, confidence: 0 });
  const soft = manifest({ task: "classify", output: { format: "classify", activation: "softmax" }, conf: 0.5 });
  near(decodeWindow([of([1, 2], Math.log(4), 0)], soft).confidence, 0.8);
  assert.equal(decodeWindow([of([1, 2], 1000, 0)], soft).confidence, 1);
  assert.throws(() => decodeWindow([of([1, 3], 1, 0, 0)], plain), /output of 1 x 3, expected 1 x 2 for 2 classes/);
});

test("masks of logits become classes by softmax, where the score is good enough", () => {
  const soft = manifest({ task: "segment", output: { format: "mask", activation: "softmax" }, conf: 0.7 });
  const { values } = decodeMask([of([1, 2, 1, 2], Math.log(4), 0.1, 0, 0)], soft);
  assert.deepEqual([...values], [1, 0]);
});
