import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { BlockCache, createBlockCacheMemory, fileIdentity, type BlockAddress } from "./block-cache.ts";

const address = (name: string, block: number, level = 0): BlockAddress => ({ file: fileIdentity(name), level, block });
const filled = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

test("blocks come back as they were put, whatever their size", () => {
  const cache = new BlockCache(createBlockCacheMemory(16 * 2 ** 20));
  for (const [block, length] of [65_536, 131_072, 524_288, 1_000, 70_000].entries()) {
    cache.insert(address("a", block), filled(length, block + 1));
  }
  for (const [block, length] of [65_536, 131_072, 524_288, 1_000, 70_000].entries()) {
    const target = new Uint8Array(length);
    assert.ok(cache.copyTo(address("a", block), target));
    assert.deepEqual(target, filled(length, block + 1));
  }
  const target = new Uint8Array(1_000);
  assert.ok(!cache.copyTo(address("b", 3), target));
  assert.ok(!cache.copyTo(address("a", 3, 1), target));
});

test("a full cache forgets what was not used lately and never mixes blocks up", () => {
  const cache = new BlockCache(createBlockCacheMemory(2 * 2 ** 20));
  const target = new Uint8Array(65_536);
  let kept = 0;
  for (let block = 0; block < 500; block++) {
    cache.insert(address("a", block), filled(65_536, block & 255));
    if (cache.copyTo(address("a", 0), target)) {
      kept++;
      assert.equal(target[65_535], 0);
    }
  }
  assert.equal(kept, 500, "a block in constant use stays");
  let present = 0;
  for (let block = 0; block < 500; block++) {
    if (!cache.copyTo(address("a", block), target)) continue;
    present++;
    assert.ok(target.every((value) => value === (block & 255)));
  }
  assert.ok(present <= 32);
});

test("threads share blocks and never see a torn one", async () => {
  const memory = createBlockCacheMemory(1 * 2 ** 20);
  const source = `
    import { workerData, parentPort } from "node:worker_threads";
    const { BlockCache, fileIdentity } = await import(workerData.module);
    const cache = new BlockCache(workerData.memory);
    const file = fileIdentity("a");
    const target = new Uint8Array(131072);
    let hits = 0, torn = 0, state = workerData.seed;
    for (let i = 0; i < 4000; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const block = state >>> 27;
      if (cache.copyTo({ file, level: 0, block }, target)) {
        hits++;
        const words = new Uint32Array(target.buffer);
        if (words.some((word) => word !== words[0]) || (target[0] !== block)) torn++;
      } else cache.insert({ file, level: 0, block }, target.fill(block));
    }
    parentPort.postMessage({ hits, torn });
  `;
  const module = new URL("./block-cache.ts", import.meta.url).href;
  const results = await Promise.all(
    [1, 2, 3].map((seed) => {
      const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
        workerData: { memory, module, seed },
      });
      const { promise, resolve, reject } = Promise.withResolvers<{ hits: number; torn: number }>();
      worker.once("message", resolve);
      worker.once("error", reject);
      return promise;
    }),
  );
  for (const { hits, torn } of results) {
    assert.equal(torn, 0);
    assert.ok(hits > 0);
  }
});

test("the memory of an idle cache is not taken from the machine", () => {
  const before = process.memoryUsage.rss();
  const memory = createBlockCacheMemory(256 * 2 ** 20);
  assert.ok(memory.pages.byteLength >= 255 * 2 ** 20);
  assert.ok(process.memoryUsage.rss() - before < 64 * 2 ** 20);
});
