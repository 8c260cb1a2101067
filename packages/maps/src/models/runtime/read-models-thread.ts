import { parentPort, workerData } from "node:worker_threads";
import { workInBackground } from "@swath/base/threads/work-in-background";
import { readModels } from "./read-models.ts";

/** Start data of the thread: the arguments of `readModels`. */
export interface ReadModelsData {
  readonly folder: string;
  readonly maxModelBytes: number;
}

workInBackground();

const { folder, maxModelBytes } = workerData as ReadModelsData;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(readModels(folder, maxModelBytes));
