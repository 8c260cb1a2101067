import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { openFsBlobStore } from "@swath/base/blobs/fs-blob-store";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../../../platform/context.ts";
import { openWorkFolders, type WorkFolders } from "../../../platform/uploads/work-folders.ts";
import { createAnalyser, type AnalyserOptions } from "@swath/maps/engine/analyser";
import type { AnalysisParts } from "./parts.ts";
import { createResults, type Results } from "./results.ts";

/** Results computed by one real thread, in a temporary folder unless a store is given. */
export async function testResults(
  db: Db,
  clock: Clock,
  given?: BlobStore,
  models: AnalyserOptions["models"] = null,
): Promise<
  AsyncDisposable & {
    readonly results: Results;
    readonly blobs: BlobStore;
    readonly folders: WorkFolders;
    readonly workFolder: string;
  }
> {
  const folder = await mkdtemp(join(tmpdir(), "swath-results-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => rm(folder, { recursive: true, force: true }));
  const blobs = given ?? stack.use(await openFsBlobStore(join(folder, "blobs"), clock));
  const folders = await openWorkFolders(join(folder, "work"), clock);
  const analyser = stack.use(createAnalyser({ threads: 1, s3: null, models }));
  const parts: Pick<AnalysisParts, "compute"> = {
    compute: (_prefix, job, model, signal, onProgress) =>
      analyser.run({ stage: "whole", job, model }, signal, onProgress),
  };
  const opened = stack.move();
  return {
    results: createResults({ db, clock, blobs, folders, analyser, parts }),
    blobs,
    folders,
    workFolder: join(folder, "work"),
    [Symbol.asyncDispose]: async () => opened.disposeAsync(),
  };
}
