import { Worker } from "node:worker_threads";
import type { ModelTensor } from "@swath/kernel/models/model-input";
import type { Infer } from "@swath/kernel/models/run-model";
import { ServiceError } from "../../errors.ts";
import { failureError } from "../raster-io/serve/threads/messages.ts";
import type { InstalledModel, ModelLimits } from "./installed-model.ts";
import type { FromModelThread, ModelThreadData } from "./model-thread.ts";

/** Loading happens with the first tile, and optimises the graph. */
const LOADING_FACTOR = 4;
/** JavaScript of the runtime itself; models and tensors are outside its heap. */
const HEAP_MB = 512;

interface Running {
  readonly modelId: string;
  readonly worker: Worker;
  hasAnswered: boolean;
}

/**
 * Runs models in a thread of their own, one at a time, so that a model that takes too long can be stopped. The thread
 * of the last model is kept for the next tile.
 */
export class ModelRunner implements AsyncDisposable {
  readonly #models: ReadonlyMap<string, InstalledModel>;
  readonly #limits: ModelLimits;
  #running: Running | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(models: readonly InstalledModel[], limits: ModelLimits) {
    this.#models = new Map(models.map((model) => [model.manifest.id, model]));
    this.#limits = limits;
  }

  /** The function that runs one model; calls are carried out one after the other. */
  model(modelId: string): Infer {
    return async (input) => {
      const turn = this.#last.then(async () => this.#infer(modelId, input));
      this.#last = turn.catch(() => {});
      return turn;
    };
  }

  async #infer(modelId: string, input: ModelTensor): Promise<ModelTensor> {
    const running = await this.#threadOf(modelId);
    const { worker } = running;
    const limitMs = this.#limits.timeoutMs * (running.hasAnswered ? 1 : LOADING_FACTOR);
    const { promise, resolve, reject } = Promise.withResolvers<ModelTensor>();
    const timer = setTimeout(() => {
      reject(
        new ServiceError("PROCESSING-ERROR", `the model ${modelId} took longer than ${limitMs / 1000} s for one tile`),
      );
    }, limitMs);
    const onMessage = (answer: FromModelThread): void => {
      running.hasAnswered = true;
      if ("output" in answer) resolve(answer.output);
      else reject(failureError(answer.failure));
    };
    const onError = (error: unknown): void => {
      const reason = error instanceof Error ? error.message : String(error);
      reject(new ServiceError("PROCESSING-ERROR", `the thread of the model ${modelId} broke: ${reason}`));
    };
    const onExit = (): void => reject(new ServiceError("PROCESSING-ERROR", `the thread of the model ${modelId} ended`));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    worker.postMessage(input, [input.data.buffer as ArrayBuffer]);
    try {
      return await promise;
    } catch (error) {
      // Whatever went wrong, the next tile begins with a fresh thread.
      await this.#stop();
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      worker.unref();
    }
  }

  async #threadOf(modelId: string): Promise<Running> {
    if (this.#running?.modelId === modelId) return this.#running;
    await this.#stop();
    const model = this.#models.get(modelId);
    if (model === undefined) throw new RangeError(`there is no model ${modelId}`);
    const workerData: ModelThreadData = { model, limits: this.#limits };
    const worker = new Worker(new URL("model-thread.ts", import.meta.url), {
      workerData,
      name: `swath-model-${modelId}`,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    // A thread that breaks between two tiles is noticed by the next one.
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (this.#running?.worker === worker) this.#running = null;
    });
    this.#running = { modelId, worker, hasAnswered: false };
    return this.#running;
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.worker.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}
