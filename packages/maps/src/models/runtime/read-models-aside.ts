import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { readModels } from "./read-models.ts";
import type { ReadModelsData } from "./read-models-thread.ts";

/** As `readModels`, in a thread: files of gigabytes are read and hashed. */
export async function readModelsAside(folder: string, maxModelBytes: number): Promise<ReturnType<typeof readModels>> {
  const workerData: ReadModelsData = { folder, maxModelBytes };
  const worker = new Worker(new URL("read-models-thread.ts", import.meta.url), { workerData, name: "swath-models" });
  try {
    const [read]: ReturnType<typeof readModels>[] = await once(worker, "message");
    if (read === undefined) throw new Error("the thread that reads models answered nothing");
    return read;
  } finally {
    await worker.terminate();
  }
}
