import assert from "node:assert/strict";
import { test } from "node:test";
import type { Worker } from "node:worker_threads";
import type { ByteSource } from "../byte-source.ts";
import { RasterError } from "../raster-error.ts";
import { bufferSource } from "../tiff/byte-sources.ts";
import { openTiff } from "../tiff/open.ts";
import { buildTiff, imageTags, short } from "../tiff/tiff-building.ts";
import { TAG } from "../tiff/tags.ts";
import { zerosTiff } from "../tiff/zeros-tiff-testing.ts";
import { TiffDecoder } from "./tiff-decoder.ts";

const { signal } = new AbortController();
const PIXELS = Uint8Array.from({ length: 64 * 64 }, (_, i) => (i * 7) % 251);

/** 64 x 64 pixels in four tiles. */
function tiled(): Uint8Array {
  const blocks = [0, 1, 2, 3].map((tile) => PIXELS.subarray(tile * 1024, tile * 1024 + 1024));
  const tags = imageTags(64, 64, { [TAG.tileWidth]: short(32), [TAG.tileLength]: short(32) });
  return buildTiff([{ tags, blocks }]);
}

/** The threads that live. */
function watchThreads(): Disposable & { readonly living: Set<Worker> } {
  const living = new Set<Worker>();
  const onWorker = (worker: Worker): void => {
    living.add(worker);
    worker.on("exit", () => living.delete(worker));
  };
  process.on("worker", onWorker);
  return { living, [Symbol.dispose]: () => process.off("worker", onWorker) };
}

test("a file decoded in the thread has the pixels of one decoded here, whole and in parts", async () => {
  const bytes = tiled();
  await using here = await openTiff(bufferSource(bytes));
  await using decoder = new TiffDecoder();
  const whole = await decoder.open(bufferSource(bytes), {}, signal);
  assert.deepEqual([whole.widthPx, whole.heightPx, whole.bands], [64, 64, here.bands]);
  assert.deepEqual(await whole.readRows(3, 50, signal), await here.readRows(3, 50, signal));
  assert.equal(await whole.readMask(0, 64, signal), null);

  const window = { column: 40, row: 0, widthPx: 4, heightPx: 4 };
  await using part = await openTiff(bufferSource(bytes), { window: () => window });
  let image: unknown = null;
  let planned: readonly { readonly start: number; readonly end: number }[] = [];
  const source: ByteSource = { ...bufferSource(bytes), plan: (ranges) => (planned = ranges) };
  const far = await decoder.open(
    source,
    {
      window: (placed) => {
        image = placed;
        return window;
      },
    },
    signal,
  );
  assert.deepEqual(image, { widthPx: 64, heightPx: 64, georeference: { kind: "none" }, crs: null });
  assert.deepEqual([far.widthPx, far.heightPx, planned.length], [32, 32, 1]);
  assert.deepEqual(await far.readRows(0, 32, signal), await part.readRows(0, 32, signal));
});

test("faults of a file and refusals of its source keep their code; other errors of the source stay as they are", async () => {
  await using decoder = new TiffDecoder();
  await assert.rejects(decoder.open(bufferSource(new Uint8Array(100)), {}, signal), {
    code: "SCENE-UNREADABLE",
    message: /expected a TIFF header/,
  });
  const bytes = tiled();
  let failure: Error = new RasterError("unreachable", "the host is away");
  const breaking: ByteSource = {
    ...bufferSource(bytes),
    fetch: async (offset, length) => {
      if (offset > 0 && length === 2048) throw failure;
      return bytes.slice(offset, offset + length);
    },
  };
  const raster = await decoder.open(breaking, {}, signal);
  await assert.rejects(raster.readRows(0, 32, signal), { code: "SERVICE-UNAVAILABLE", message: "the host is away" });
  failure = new Error("the machine went away");
  await assert.rejects(raster.readRows(0, 32, signal), (error) => error === failure);
});

test("decoding that takes too long is the fault of the file and ends the thread", async () => {
  using threads = watchThreads();
  await using decoder = new TiffDecoder(20);
  // One strip of 100 MB.
  const reading = async (): Promise<unknown> => {
    const raster = await decoder.open(bufferSource(zerosTiff(10_000, 10_000), "slow.tif"), {}, signal);
    return await raster.readRows(0, 10_000, signal);
  };
  await assert.rejects(reading(), { code: "SCENE-UNREADABLE", message: "slow.tif takes longer than 0.02 s to decode" });
  await decoder[Symbol.asyncDispose]();
  assert.equal(threads.living.size, 0);
});

test("a read that is cancelled rejects at once, and the thread ends with its decoder", async () => {
  using threads = watchThreads();
  const decoder = new TiffDecoder();
  const raster = await decoder.open(bufferSource(zerosTiff(10_000, 10_000)), {}, signal);
  assert.equal(threads.living.size, 1);
  const control = new AbortController();
  const reading = raster.readRows(0, 10_000, control.signal);
  const left = raster.readRows(0, 10_000, signal);
  control.abort(new Error("cancelled"));
  await assert.rejects(reading, { message: "cancelled" });
  const closed = assert.rejects(left, { message: "the decoder is closed" });
  await decoder[Symbol.asyncDispose]();
  await closed;
  assert.equal(threads.living.size, 0);
  await assert.rejects(raster.readRows(0, 1, signal), { message: "the decoder is closed" });
});
