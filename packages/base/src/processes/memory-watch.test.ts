import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { OUT_OF_MEMORY } from "./memory-watch.ts";

/** A process that watches itself and is busy for at most 20 s, taking at most 1.5 GB where `takesMemory`. */
async function watched(takesMemory: boolean, maxRssBytes: number, parentPid: string) {
  const folder = await mkdtemp(join(tmpdir(), "swath-watch-"));
  const script = join(folder, "busy.mjs");
  const thread = new URL("memory-watch-thread.ts", import.meta.url).href;
  // Buffers are outside the heap, as the memory of native code is; the loop lets nothing else of its thread run.
  await writeFile(
    script,
    `import { Worker } from "node:worker_threads";
     const workerData = { maxRssBytes: ${maxRssBytes}, parentPid: ${parentPid} };
     const worker = new Worker(new URL(${JSON.stringify(thread)}), { workerData });
     worker.once("online", () => {
       const begunMs = performance.now();
       const all = [];
       while (performance.now() - begunMs < 20_000) {
         if (${takesMemory} && all.length < 96) all.push(Buffer.alloc(2 ** 24, 1));
       }
       process.exit();
     });`,
  );
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [, signal] = await once(child, "close");
  await rm(folder, { recursive: true });
  return { signal, said };
}

test("memory that only the system sees is bounded from beside a busy thread", async () => {
  const { signal, said } = await watched(true, 400 * 2 ** 20, "process.ppid");
  assert.equal(signal, "SIGKILL");
  assert.match(said, new RegExp(OUT_OF_MEMORY));
});

test("a busy process whose parent is gone ends itself", async () => {
  const { signal, said } = await watched(false, 2 ** 40, "1");
  assert.equal(signal, "SIGKILL");
  assert.equal(said, "");
});
