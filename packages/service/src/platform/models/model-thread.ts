import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { ModelTensor } from "@swath/kernel/models/model-input";
import { ServiceError } from "../../errors.ts";
import { describeFailure, type ThreadFailure } from "../raster-io/serve/threads/messages.ts";
import type { InstalledModel, ModelLimits } from "./installed-model.ts";
import { openModelSession, type ModelSession } from "./onnx-runtime.ts";
import { sha256Of } from "./read-models.ts";

/** What the thread is started with. */
export interface ModelThreadData {
  readonly model: InstalledModel;
  readonly limits: ModelLimits;
}

export type FromModelThread = { readonly output: ModelTensor } | { readonly failure: ThreadFailure };

const port = parentPort;
if (port === null) throw new Error("model-thread.ts runs in a worker thread only");
const { model, limits } = workerData as ModelThreadData;
let session: Promise<ModelSession> | null = null;

/** The bytes that are checked are the bytes that are loaded. */
async function open(): Promise<ModelSession> {
  const { manifest, path } = model;
  const bytes = await readFile(path);
  const got = sha256Of(bytes);
  if (got !== manifest.sha256) {
    throw new ServiceError(
      "PROCESSING-ERROR",
      `the file of the model ${manifest.id} has changed: got the SHA-256 ${got}, expected ${manifest.sha256}`,
    );
  }
  return openModelSession(bytes, { input: manifest.input.name, output: manifest.output.name }, limits.memoryBytes);
}

async function infer(input: ModelTensor): Promise<FromModelThread> {
  try {
    session ??= open();
    return { output: await (await session).run(input) };
  } catch (error) {
    if (error instanceof ServiceError) return { failure: describeFailure(error) };
    const reason = error instanceof Error ? error.message : String(error);
    return {
      failure: { code: "PROCESSING-ERROR", message: `the model ${model.manifest.id} failed: ${reason.slice(0, 500)}` },
    };
  }
}

port.on("message", (input: ModelTensor) => {
  void infer(input).then((answer) => port.postMessage(answer));
});
