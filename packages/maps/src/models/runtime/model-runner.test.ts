import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fromFloat16, toFloat16 } from "../float16.ts";
import type { ModelTensor } from "../model-input.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { documentOf, LIMITS, modelFolder, type Document, modelNamed } from "./model-folder-testing.ts";
import { ModelRunner } from "./model-runner.ts";
import {
  blobDetector,
  endlessModel,
  FLOAT,
  FLOAT16,
  hungryModel,
  node,
  onnxModel,
  tensor,
  UINT8,
} from "./onnx-testing.ts";
import { readModels } from "./read-models.ts";

const SIZE = 128;
const SHAPE = [1, 1, SIZE, SIZE] as const;
const SEGMENT = { task: "segment", output: { format: "mask" } } as const;

function input(value = 0.25): ModelTensor {
  return { data: new Float32Array(SIZE * SIZE).fill(value), dims: SHAPE };
}

async function installed(models: Readonly<Record<string, readonly [bytes: Uint8Array, changes: Document]>>) {
  const folder = await modelFolder(
    Object.fromEntries(
      Object.entries(models).map(([id, [bytes, changes]]) => [
        id,
        { bytes, document: documentOf(bytes, SIZE, { id, ...changes }) },
      ]),
    ),
  );
  const read = readModels(folder.folder);
  assert.deepEqual(read.faults, []);
  return { ...folder, models: read.models };
}

function failure(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === "PROCESSING-ERROR" && message.test(error.message);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a file that changes after the start is not loaded", async () => {
  await using folder = await installed({ one: [blobDetector(SIZE, 5, null), {}] });
  await writeFile(join(folder.folder, "one", "model.onnx"), blobDetector(SIZE, 7, null));
  await using runner = new ModelRunner(LIMITS);
  await assert.rejects(
    runner.model(modelNamed(folder.models, "one"))(input()),
    failure(/the file of the model one has changed: got the SHA-256/),
  );
});

test("what a model says of its input reaches the caller, and the next tile runs", async () => {
  await using folder = await installed({ one: [blobDetector(SIZE, 5, null), {}] });
  await using runner = new ModelRunner(LIMITS);
  await assert.rejects(
    runner.model(modelNamed(folder.models, "one"))({ data: new Float32Array(9), dims: [1, 1, 3, 3] }),
    failure(/the model one failed: /),
  );
  const [output] = await runner.model(modelNamed(folder.models, "one"))(input());
  assert.deepEqual(output?.dims, [1, 5, SIZE * SIZE]);
});

test("a model that never ends is ended, and the next one runs", async () => {
  await using folder = await installed({
    endless: [endlessModel(SIZE), SEGMENT],
    good: [blobDetector(SIZE, 5, null), {}],
  });
  // Four times this for the first tile.
  await using runner = new ModelRunner({ ...LIMITS, timeoutMs: 250 });
  const begunMs = performance.now();
  const running = runner.model(modelNamed(folder.models, "endless"))(input());
  await Promise.resolve();
  const { pid } = runner;
  assert.ok(pid !== null && isRunning(pid));
  await assert.rejects(running, failure(/the model endless took longer than 1 s for one tile/));
  assert.ok(performance.now() - begunMs < 20_000);
  await using patient = new ModelRunner(LIMITS);
  await patient.model(modelNamed(folder.models, "good"))(input());
  assert.ok(!isRunning(pid), "the process of the endless model is gone");
});

test("a model whose process breaks fails with how it ended, and the next tile runs", async () => {
  await using folder = await installed({
    endless: [endlessModel(SIZE), SEGMENT],
    good: [blobDetector(SIZE, 5, null), {}],
  });
  await using runner = new ModelRunner(LIMITS);
  const running = runner.model(modelNamed(folder.models, "endless"))(input());
  await Promise.resolve();
  process.kill(runner.pid!, "SIGABRT");
  await assert.rejects(running, failure(/the process of the model endless ended with SIGABRT/));
  await runner.model(modelNamed(folder.models, "good"))(input());
  process.kill(runner.pid!, "SIGKILL");
  // Whether or not the end is known yet, at most this one tile is lost.
  await runner
    .model(modelNamed(folder.models, "good"))(input())
    .catch((error: unknown) => assert.ok(failure(/the process of the model good/)(error)));
  const [output] = await runner.model(modelNamed(folder.models, "good"))(input());
  assert.deepEqual(output?.dims, [1, 5, SIZE * SIZE]);
});

test("a model that wants more memory than it may have fails, and the next one runs", async () => {
  await using folder = await installed({
    hungry: [hungryModel(SIZE, 2 ** 30), SEGMENT],
    good: [blobDetector(SIZE, 5, null), {}],
  });
  await using runner = new ModelRunner({ ...LIMITS, memoryBytes: 64 * 2 ** 20 });
  await assert.rejects(
    runner.model(modelNamed(folder.models, "hungry"))(input()),
    failure(/the model hungry (?:failed: .*(?:alloc|memory)|took more memory than 64 MiB)/is),
  );
  await runner.model(modelNamed(folder.models, "good"))(input());
});

test("the process of a model has no environment, writes no files and starts no programs", async () => {
  await using folder = await installed({ good: [blobDetector(SIZE, 5, null), {}] });
  await using runner = new ModelRunner(LIMITS);
  await runner.model(modelNamed(folder.models, "good"))(input());
  const { pid } = runner;
  assert.ok(pid !== null);
  if (process.platform !== "linux") return;
  const environment = (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0").filter((entry) => entry !== "");
  assert.deepEqual(
    environment.filter((entry) => !entry.startsWith("NODE_CHANNEL_")),
    [],
  );
  const words = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
  assert.ok(words.includes("--permission"));
  assert.ok(words.every((word) => !/^--allow-(?:fs-write|child-process|net|wasi)/.test(word)));
  assert.equal((await readFile(`/proc/${pid}/oom_score_adj`, "utf8")).trim(), "1000");
});

test("numbers of half precision and bytes go in and come out as they are", async () => {
  const half = onnxModel(SHAPE, SHAPE, [node("Neg", ["images"], "output0")], {
    inputType: FLOAT16,
    outputType: FLOAT16,
  });
  const bytes = onnxModel(SHAPE, SHAPE, [node("Cast", ["images"], "output0", { to: FLOAT })], { inputType: UINT8 });
  const of = (dtype: string): Document => ({
    ...SEGMENT,
    input: { dtype, size: [SIZE, SIZE], valueRange: "byte" },
  });
  await using folder = await installed({ half: [half, of("float16")], bytes: [bytes, of("uint8")] });
  await using runner = new ModelRunner(LIMITS);
  const values = Float32Array.from({ length: SIZE * SIZE }, (_, i) => Math.fround((i - 8000) / 7));
  const [negated] = await runner.model(modelNamed(folder.models, "half"))({ data: toFloat16(values), dims: SHAPE });
  assert.ok(negated?.data instanceof Float32Array);
  assert.deepEqual(
    negated.data,
    fromFloat16(toFloat16(values)).map((value) => -value),
  );
  const pixels = Uint8Array.from({ length: SIZE * SIZE }, (_, i) => i % 256);
  const [cast] = await runner.model(modelNamed(folder.models, "bytes"))({ data: pixels, dims: SHAPE });
  assert.deepEqual(cast?.data, Float32Array.from(pixels));
});

function detr(classes: readonly string[], names: Document = {}): Document {
  return { classes, output: { format: "detr", ...names } };
}

test("boxes and scores in two tensors are told apart by their form, or by name where both fit", async () => {
  const boxes = Array.from({ length: 8 }, (_, index) => index / 8);
  /** Scores first, as some tools write them; the names do not tell what they are. */
  const twoOutputs = (classes: number): Uint8Array =>
    onnxModel(
      SHAPE,
      [1, 2, classes],
      [
        tensor(
          "scores",
          [1, 2, classes],
          Array.from({ length: 2 * classes }, (_, index) => 1 / (1 + index)),
        ),
        tensor("boxes", [1, 2, 4], boxes),
        tensor("zero", [1], [0]),
        node("ReduceMean", ["images"], "mean", { axes: [0, 1, 2, 3], keepdims: 0 }),
        node("Mul", ["mean", "zero"], "nothing"),
        node("Add", ["scores", "nothing"], "output0"),
        node("Add", ["boxes", "nothing"], "output1"),
      ],
      { outputs: { output1: [1, 2, 4] } },
    );
  const three = ["a", "b", "c"];
  await using folder = await installed({
    one: [twoOutputs(2), detr(["a"])],
    three: [twoOutputs(4), detr(three, { name: "output1", scores: "output0" })],
  });
  await using runner = new ModelRunner(LIMITS);
  const [found, scores] = await runner.model(modelNamed(folder.models, "one"))(input());
  assert.deepEqual(found, { data: Float32Array.from(boxes), dims: [1, 2, 4] });
  assert.deepEqual(scores?.dims, [1, 2, 2]);
  const [named] = await runner.model(modelNamed(folder.models, "three"))(input());
  assert.deepEqual(named?.data, Float32Array.from(boxes));
  await using unnamed = await modelFolder({
    three: { bytes: twoOutputs(4), document: documentOf(twoOutputs(4), SIZE, detr(three)) },
  });
  assert.match(
    readModels(unnamed.folder).faults.join("\n"),
    /expected one of 1 x anchors x 4 and one of scores: give name/,
  );
});
