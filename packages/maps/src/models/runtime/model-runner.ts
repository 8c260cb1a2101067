import { fork, type ChildProcess } from "node:child_process";
import type { ModelTensor } from "../model-input.ts";
import type { Infer } from "../run-model.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { keepAlive } from "@swath/base/processes/keep-alive";
import { OUT_OF_MEMORY } from "@swath/base/processes/memory-watch";
import { limitProcessTime } from "@swath/base/processes/process-time-limit";
import { yieldMemoryFirst } from "@swath/base/processes/yield-memory-first";
import { failureError } from "@swath/base/threads/thread-failure";
import type { InstalledModel, ModelLimits } from "./installed-model.ts";
import type { FromModelProcess, ModelProcessData } from "./model-process.ts";

/** Loading happens with the first tile, and optimises the graph. */
const LOADING_FACTOR = 4;
/** JavaScript of the runtime itself; models and tensors are outside its heap. */
const HEAP_MB = 512;
/** Length of the kept end of the error output of a process. */
const MAX_STDERR_CHARS = 2000;

interface Running {
  readonly modelId: string;
  /** Of the file that the process runs. */
  readonly sha256: string;
  readonly child: ChildProcess;
  hasAnswered: boolean;
  stderr: string;
}

/**
 * Runs models in a separate process, one at a time, because native code can neither be stopped nor be bounded within the
 * service. The process has separate memory and can be ended at any time. It has neither the environment of the service
 * nor the right to write files, start programs or reach a network. The process of the last model serves the next tile.
 */
export class ModelRunner implements AsyncDisposable {
  readonly #limits: ModelLimits;
  #running: Running | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limits: ModelLimits) {
    this.#limits = limits;
  }

  /** The function that runs one model; calls are carried out one after the other. */
  model(installed: InstalledModel): Infer {
    return async (input) => {
      const turn = this.#last.then(async () => this.#infer(installed, input));
      this.#last = turn.catch(() => {});
      return turn;
    };
  }

  /** The process of the last model, to be watched. */
  get pid(): number | null {
    return this.#running?.child.pid ?? null;
  }

  async #infer(installed: InstalledModel, input: ModelTensor): Promise<readonly ModelTensor[]> {
    const running = this.#processOf(installed);
    const { child, modelId } = running;
    const limitMs = this.#limits.timeoutMs * (running.hasAnswered ? 1 : LOADING_FACTOR);
    const { promise, resolve, reject } = Promise.withResolvers<readonly ModelTensor[]>();
    const fail = (message: string): void => reject(new ServiceError("PROCESSING-ERROR", message));
    using _ = limitProcessTime(child.pid, limitMs, () =>
      fail(`the model ${modelId} took longer than ${limitMs / 1000} s for one tile`),
    );
    // A child process forwards its messages.
    const onMessage = (message: unknown): void => {
      const answer = message as FromModelProcess;
      running.hasAnswered = true;
      if ("outputs" in answer) resolve(answer.outputs);
      else reject(failureError(answer.failure));
    };
    const onError = (error: Error): void => fail(`the process of the model ${modelId} broke: ${error.message}`);
    // Unlike "exit", "close" comes when all that was written has been read.
    const onClose = (code: number | null, signal: string | null): void =>
      fail(this.#reasonOfEnd(running, signal ?? `the code ${code}`));
    child.on("message", onMessage).on("error", onError).on("close", onClose);
    keepAlive(child, true);
    child.send(input);
    try {
      return await promise;
    } catch (error) {
      // Whatever went wrong, the next tile begins with a fresh process.
      this.#stop();
      throw error;
    } finally {
      child.off("message", onMessage).off("error", onError).off("close", onClose);
      keepAlive(child, false);
    }
  }

  #reasonOfEnd({ modelId, stderr }: Running, how: string): string {
    if (stderr.includes(OUT_OF_MEMORY)) {
      return `the model ${modelId} took more memory than ${Math.round(this.#limits.memoryBytes / 2 ** 20)} MiB`;
    }
    return `the process of the model ${modelId} ended with ${how}`;
  }

  #processOf(model: InstalledModel): Running {
    const { id: modelId, sha256 } = model.manifest;
    if (this.#running?.modelId === modelId && this.#running.sha256 === sha256) return this.#running;
    this.#stop();
    const child = fork(new URL("model-process.ts", import.meta.url), [], {
      env: {},
      execArgv: [
        "--permission",
        "--allow-fs-read=*",
        "--allow-worker",
        "--allow-addons",
        "--no-warnings",
        `--max-old-space-size=${HEAP_MB}`,
      ],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    if (child.pid !== undefined) yieldMemoryFirst(child.pid);
    const running: Running = { modelId, sha256, child, hasAnswered: false, stderr: "" };
    child.stderr?.on("data", (chunk: Buffer) => {
      running.stderr = (running.stderr + chunk.toString()).slice(-MAX_STDERR_CHARS);
    });
    // A process that breaks between two tiles is noticed by the next one.
    child.on("error", () => {});
    child.on("exit", () => {
      if (this.#running === running) this.#running = null;
    });
    const data: ModelProcessData = { model, limits: this.#limits };
    child.send(data);
    this.#running = running;
    return running;
  }

  #stop(): void {
    const running = this.#running;
    this.#running = null;
    running?.child.kill("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
  }
}
