import { readFile } from "node:fs/promises";
import type { ModelTensor } from "../model-input.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { watchMemory } from "@swath/base/processes/memory-watch";
import { runInBackground } from "@swath/base/threads/work-in-background";
import { describeFailure, type ThreadFailure } from "@swath/base/threads/thread-failure";
import type { InstalledModel, ModelLimits } from "./installed-model.ts";
import { openModelSession, type ModelSession } from "./onnx-runtime.ts";
import { sha256Of } from "./read-models.ts";

/** The first message; every later one is a tile. */
export interface ModelProcessData {
  readonly model: InstalledModel;
  readonly limits: ModelLimits;
}

export type FromModelProcess = { readonly outputs: readonly ModelTensor[] } | { readonly failure: ThreadFailure };

/** Node, the code of the runtime, and a tile on its way. */
const OWN_BYTES = 256 * 2 ** 20;

let session: Promise<ModelSession> | null = null;

/** The bytes that are checked are the bytes that are loaded. */
async function open({ model, limits }: ModelProcessData): Promise<ModelSession> {
  const { manifest, path, tensors } = model;
  const bytes = await readFile(path);
  const got = sha256Of(bytes);
  if (got !== manifest.sha256) {
    throw new ServiceError(
      "PROCESSING-ERROR",
      `the file of the model ${manifest.id} has changed: got the SHA-256 ${got}, expected ${manifest.sha256}`,
    );
  }
  return openModelSession(bytes, tensors, limits.memoryBytes);
}

async function infer(data: ModelProcessData, input: ModelTensor): Promise<FromModelProcess> {
  try {
    session ??= open(data);
    return { outputs: await (await session).run(input) };
  } catch (error) {
    if (error instanceof ServiceError) return { failure: describeFailure(error) };
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the model ${data.model.manifest.id} failed: ${reason.slice(0, 500)}`;
    return { failure: { code: "PROCESSING-ERROR", message } };
  }
}

runInBackground();
process.once("message", (data: ModelProcessData) => {
  watchMemory(data.limits.memoryBytes + OWN_BYTES);
  process.on("message", (input: ModelTensor) => {
    void infer(data, input).then((answer) => process.send?.(answer));
  });
});
process.on("disconnect", () => process.exit());
