import assert from "node:assert/strict";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { readOnnxFile } from "../onnx-file.ts";
import { findRuntime } from "./find-runtime.ts";
import { documentOf, modelFolder, type Document } from "./model-folder-testing.ts";
import {
  blobDetector,
  endlessModel,
  externalTensor,
  FLOAT16,
  INT64,
  node,
  onnxModel,
  tensor,
  valueInfo,
  type Field,
} from "./onnx-testing.ts";
import { readModels } from "./read-models.ts";

const SIZE = 128;
const SHAPE = [1, 1, SIZE, SIZE] as const;
const SEGMENT = { task: "segment", output: { format: "mask" } } as const;

/** What is said of one model; nothing when it is good. */
async function faultsOf(bytes: Uint8Array, changes: Document = {}, maxBytes?: number): Promise<string> {
  await using folder = await modelFolder({ one: { bytes, document: documentOf(bytes, SIZE, changes) } });
  const { models, faults } = readModels(folder.folder, maxBytes);
  assert.equal(models.length, faults.length === 0 ? 1 : 0, "a model with a fault is not installed");
  return faults.join("\n");
}

test("models without anything that runs them are a fault that names the command to install it", async () => {
  const bytes = blobDetector(SIZE, 5, null);
  await using folder = await modelFolder({ one: { bytes, document: documentOf(bytes, SIZE) } });
  await using empty = await modelFolder({});
  assert.deepEqual(readModels(folder.folder, undefined, empty.folder).faults, [
    "models need ONNX Runtime, and neither onnxruntime-node nor onnxruntime-web is installed: run `npm run models:install`",
  ]);
  assert.deepEqual(readModels(empty.folder, undefined, empty.folder).faults, []);
});

test("native code runs models where both packages are installed", async () => {
  await using folder = await modelFolder({});
  for (const name of ["onnxruntime-web", "onnxruntime-node"] as const) {
    const path = join(folder.folder, "node_modules", name);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, "index.js"), "");
    assert.deepEqual(findRuntime(folder.folder), { name, path: await realpath(join(path, "index.js")) });
  }
});

test("what is wrong with a folder of models is named whole, and a file with another digest is refused", async () => {
  const bytes = blobDetector(SIZE, 5, null);
  await using folder = await modelFolder({
    "bad-digest": { bytes: new Uint8Array([...bytes, 0]), document: documentOf(bytes, SIZE) },
    "bad-manifest": {
      bytes,
      document: documentOf(bytes, SIZE, { id: "No good", classes: ["segmentation"], conf: 2, library: "x.so" }),
    },
    "bad-twice": { bytes, document: documentOf(bytes, SIZE, { id: "twice" }) },
    "bad-twice-too": { bytes, document: documentOf(bytes, SIZE, { id: "twice" }) },
    "no-json": { bytes, document: null },
  });
  await writeFile(join(folder.folder, "no-json", "manifest.json"), "{");
  await mkdir(join(folder.folder, "empty"));
  const said = readModels(folder.folder).faults.join("\n");
  assert.match(said, /bad-digest\/model\.onnx: got the SHA-256 [0-9a-f]{64}, expected [0-9a-f]{64}/);
  assert.match(said, /bad-manifest\/manifest\.json: \/id: got "No good"/);
  assert.match(said, /\/classes: got \["segmentation"\]/);
  assert.match(said, /\/conf: got 2, expected a number from 0\.001 to 0\.999/);
  assert.match(said, /\/library: there is no such member/);
  assert.match(said, /more than one model is called twice/);
  assert.match(said, /no-json\/manifest\.json is no JSON/);
  assert.match(said, /empty\/manifest\.json cannot be read/);
  assert.match(said, /empty\/model\.onnx cannot be read/);
  assert.deepEqual(readModels(join(folder.folder, "none")).models, []);
});

test("numbers in other files are refused wherever they hide, before any runtime sees the model", async () => {
  const outside = externalTensor("weights", [1, 1, 1, 1], "../../etc/passwd");
  const refused = /keeps the numbers of weights in another file, expected all inside \(external data\)/;
  const conv = node("Conv", ["images", "weights"], "output0", { kernel_shape: [1, 1] });
  const identity = node("Identity", ["images"], "output0");
  const places: Readonly<Record<string, readonly Field[]>> = {
    "an initialiser": [outside, conv],
    "an attribute": [node("Constant", [], "weights", { value: { tensor: outside } }), conv],
    "a graph in a node": [
      identity,
      node("If", ["images"], "unused", {
        then_branch: { graph: [outside, [2, "then"], valueInfo(12, "weights", [1])] },
      }),
    ],
    "a sparse tensor": [identity, [15, [[1, outside[1]]]]],
    "only a mark": [
      identity,
      [
        5,
        [
          [8, "weights"],
          [14, 1],
        ],
      ],
    ],
    "only a place": [
      identity,
      [
        5,
        [
          [8, "weights"],
          [13, [[1, "location"]]],
        ],
      ],
    ],
  };
  for (const [place, parts] of Object.entries(places)) {
    assert.match(await faultsOf(onnxModel(SHAPE, SHAPE, parts), SEGMENT), refused, place);
  }
  const inFunction = onnxModel(SHAPE, SHAPE, [identity], {
    fields: [
      [
        25,
        [
          [1, "f"],
          [10, "own"],
          [7, node("Constant", [], "c", { value: { tensor: outside } })[1]],
        ],
      ],
    ],
  });
  assert.match(await faultsOf(inFunction, SEGMENT), refused, "a function");
});

test("operators of libraries are refused, those of the runtime and of the file itself are not", async () => {
  const of = (domain: string, fields: readonly Field[] = []): Uint8Array =>
    onnxModel(SHAPE, SHAPE, [node("Anything", ["images"], "output0", {}, domain)], { fields });
  const refused = /needs the operator Anything of my\.library: libraries of custom operators are not loaded/;
  assert.match(await faultsOf(of("my.library"), SEGMENT), refused);
  const own: Field = [
    25,
    [
      [1, "Anything"],
      [10, "my.library"],
    ],
  ];
  assert.equal(await faultsOf(of("my.library", [own]), SEGMENT), "");
  assert.equal(await faultsOf(of("com.microsoft"), SEGMENT), "");
  const hidden = onnxModel(SHAPE, SHAPE, [
    node("Loop", ["images"], "output0", { body: { graph: [node("Anything", [], "x", {}, "my.library")] } }),
  ]);
  assert.match(await faultsOf(hidden, SEGMENT), refused);
  const compiled = onnxModel(SHAPE, SHAPE, [node("EPContext", ["images"], "output0", {}, "com.microsoft")]);
  assert.match(await faultsOf(compiled, SEGMENT), /needs a compiled part in another file/);
});

test("files that are no ONNX, too large, too deep, of several graphs or for training are refused", async () => {
  assert.match(await faultsOf(Buffer.from("%PDF-1.7 something else")), /model\.onnx: is no ONNX model: /);
  assert.match(await faultsOf(new Uint8Array(0)), /has 0 graphs, expected 1/);
  assert.match(await faultsOf(Buffer.from("\x10\0\0\0ORTM and more")), /format of one runtime \(ORT\), expected ONNX/);
  const good = blobDetector(SIZE, 5, null);
  assert.equal(await faultsOf(good), "");
  assert.match(
    await faultsOf(good.subarray(0, good.length / 2)),
    /is no ONNX model: got \d+ bytes, expected \d+ at byte/,
  );
  assert.match(await faultsOf(Buffer.concat([good, good])), /has 2 graphs, expected 1/);
  assert.match(await faultsOf(good, {}, 1000), /model\.onnx: got \d+ bytes, expected at most 1000/);
  const training = onnxModel(SHAPE, SHAPE, [node("Identity", ["images"], "output0")], { fields: [[20, []]] });
  assert.match(await faultsOf(training, SEGMENT), /has parts for training/);
  let deep = node("Identity", ["images"], "output0");
  for (let depth = 0; depth < 10; depth++) deep = node("Loop", ["images"], "output0", { body: { graph: [deep] } });
  assert.match(await faultsOf(onnxModel(SHAPE, SHAPE, [deep]), SEGMENT), /graphs in graphs deeper than 8/);
  const many = Array.from({ length: 50_001 }, (): Field => [1, []]);
  assert.match(await faultsOf(onnxModel(SHAPE, SHAPE, many), SEGMENT), /has more than 50000 nodes/);
  assert.equal(await faultsOf(endlessModel(SIZE), SEGMENT), "", "what runs too long is seen only when it runs");
});

test("whatever bytes a file has, reading it ends with faults or a model", () => {
  const good = endlessModel(SIZE);
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }).map((changes) => {
      const changed = Uint8Array.from(good);
      for (const [at, value] of changes) changed[at] = value;
      return changed;
    }),
  );
  fc.assert(
    fc.property(bytes, (file) => {
      const read = readOnnxFile(file);
      assert.ok(read.valid || read.faults.length > 0);
    }),
    { numRuns: 2000 },
  );
});

test("a file of another input or output than its manifest says is refused with both", async () => {
  const good = blobDetector(SIZE, 5, null);
  const input = { dtype: "float32", size: [SIZE, SIZE], valueRange: "byte" };
  const cases: readonly (readonly [Document, RegExp])[] = [
    [{ bands: ["red", "green"] }, /input is 1 x 1 x 128 x 128, expected 1 x 2 x 128 x 128 as layout, bands and size/],
    [{ input: { ...input, layout: "NHWC" } }, /input is 1 x 1 x 128 x 128, expected 1 x 128 x 128 x 1/],
    [{ input: { ...input, dtype: "float16" } }, /\/input\/dtype: got float16, expected float32 as the model's input/],
    [{ input: { ...input, name: "data" } }, /has the inputs images, expected data and no other/],
    [
      { output: { format: "yolov8", name: "boxes" } },
      /\/output\/name: got boxes, expected one of the model's outputs output0/,
    ],
    [{ classes: ["one", "two"] }, /got an output of 1 x 5 x 16384, expected 1 x 6 x anchors for 2 classes/],
    [{ output: { format: "detr" } }, /got the outputs output0, expected one of 1 x anchors x 4 and one of scores/],
  ];
  for (const [changes, expected] of cases) assert.match(await faultsOf(good, changes), expected);
  const wide = onnxModel(SHAPE, SHAPE, [node("Cast", ["images"], "output0", { to: INT64 })], { outputType: INT64 });
  assert.match(await faultsOf(wide, SEGMENT), /output0 has the element type int64, expected float32, uint8, float16/);
  const half = onnxModel(SHAPE, SHAPE, [node("Identity", ["images"], "output0")], { inputType: FLOAT16 });
  assert.match(await faultsOf(half, SEGMENT), /got float32, expected float16/);
  const second = onnxModel(SHAPE, SHAPE, [valueInfo(11, "sizes", [1, 2]), node("Add", ["images", "sizes"], "output0")]);
  assert.match(await faultsOf(second, SEGMENT), /has the inputs sizes, images, expected one and no other/);
  const dynamic = onnxModel(
    ["batch", 1, "height", "width"],
    ["batch", 1, "height", "width"],
    [tensor("one", [1], [1]), node("Mul", ["images", "one"], "output0")],
  );
  assert.equal(await faultsOf(dynamic, SEGMENT), "");
});

test("what the file says of its classes, task and size fills the manifest and must not contradict it", async () => {
  const metadata = { names: "{0: 'Small Vehicle'}", task: "detect", imgsz: `[${SIZE}, ${SIZE}]`, stride: "32" };
  const bytes = blobDetector(SIZE, 5, null, { metadata });
  const { task: _, classes: __, output: ___, ...rest } = documentOf(bytes, SIZE);
  const sparse = { ...rest, input: { dtype: "float32", scale: 1 / 255, valueRange: "byte" } };
  await using folder = await modelFolder({ one: { bytes, document: sparse } });
  const { models, faults } = readModels(folder.folder);
  assert.deepEqual(faults, []);
  const manifest = models[0]?.manifest;
  assert.deepEqual(manifest?.classes, ["small-vehicle"]);
  assert.deepEqual(manifest?.input.size, [SIZE, SIZE]);
  assert.deepEqual([manifest?.task, manifest?.output.format], ["detect-hbb", "yolov8"]);

  assert.match(
    await faultsOf(bytes),
    /\/classes\/0: got square, expected small-vehicle as the metadata of the model say/,
  );
  const vehicle = { classes: ["small-vehicle"] };
  assert.equal(await faultsOf(bytes, vehicle), "");
  const said = async (changed: Readonly<Record<string, string>>, changes: Document = vehicle): Promise<string> =>
    faultsOf(blobDetector(SIZE, 5, null, { metadata: { ...metadata, ...changed } }), changes);
  assert.match(await said({ names: "{0: 'a', 1: 'b'}" }), /\/classes: got 1 classes, expected 2/);
  assert.match(await said({ task: "obb" }), /\/task: got detect-hbb, expected detect-obb/);
  assert.match(
    await said({ task: "pose" }),
    /the metadata of the model say pose \(points of bodies\), which is not supported/,
  );
  assert.match(await said({ imgsz: "[640, 640]" }), /\/input\/size: got 128 x 128, expected 640 x 640/);
  assert.match(await said({ stride: "48" }), /\/input\/size: got 128 x 128, expected multiples of 48/);
  assert.match(await said({ end2end: "True" }), /\/output\/format: got yolov8, expected yolo-nms/);
  assert.equal(
    await said({ names: "{0: 'area'}" }, { classes: ["field"] }),
    "",
    "a name no class may have is replaced",
  );
  assert.equal(await said({ names: `{0: "ship's boat"}` }, { classes: ["ship-s-boat"] }), "");
  assert.equal(
    await said({ names: "none", task: "other", imgsz: "?", stride: "x" }),
    "",
    "unknown notes are left alone",
  );
});
