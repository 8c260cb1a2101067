import { fromFloat16 } from "../float16.ts";
import type { ModelTensor } from "../model-input.ts";
import type { ModelTensors } from "../model-tensors.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** The part of ONNX Runtime's interface that is used; both of its packages have it. */
interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

interface OnnxSession {
  run(
    feeds: Readonly<Record<string, OnnxTensor>>,
    fetches: readonly string[],
  ): Promise<Readonly<Record<string, OnnxTensor>>>;
}

interface OnnxRuntime {
  readonly Tensor: new (
    type: "float32" | "float16" | "uint8",
    data: ModelTensor["data"],
    dims: readonly number[],
  ) => OnnxTensor;
  readonly InferenceSession: {
    create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<OnnxSession>;
  };
  readonly env: { readonly wasm: { numThreads: number } };
}

/** A model that is ready. */
export interface ModelSession {
  /** @throws {Error} what the runtime says of the input */
  run(input: ModelTensor): Promise<readonly ModelTensor[]>;
}

const PACKAGES = ["onnxruntime-node", "onnxruntime-web"] as const;
const PAGE_BYTES = 65_536;

/**
 * Native code first, WebAssembly otherwise; neither is needed unless there are models.
 *
 * @throws {ServiceError} PROCESSING-ERROR when neither package is installed
 */
async function loadRuntime(memoryBytes: number): Promise<OnnxRuntime> {
  // Where the language has arrays of half precision the runtime's own tensors become such, and its native code refuses
  // them; without, half precision is arrays of 16 bits in both packages.
  Reflect.deleteProperty(globalThis, "Float16Array");
  for (const name of PACKAGES) {
    if (name === "onnxruntime-web") limitWasmMemory(memoryBytes);
    try {
      // oxlint-disable-next-line no-await-in-loop -- the second is wanted only when there is no first
      const loaded: unknown = await import(name);
      if (isRuntime(loaded)) {
        // One thread per session: the work is shared out by blocks already.
        if (name === "onnxruntime-web") loaded.env.wasm.numThreads = 1;
        return loaded;
      }
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  throw new ServiceError(
    "PROCESSING-ERROR",
    `models need one of the packages ${PACKAGES.join(" and ")}, and none is installed`,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

function isRuntime(loaded: unknown): loaded is OnnxRuntime {
  return typeof loaded === "object" && loaded !== null && "InferenceSession" in loaded && "Tensor" in loaded;
}

/** The runtime asks for memory that may grow to 4 GiB; in this process it gets no more than the limit. */
function limitWasmMemory(memoryBytes: number): void {
  const pages = Math.max(256, Math.floor(memoryBytes / PAGE_BYTES));
  const limited = new Proxy(WebAssembly.Memory, {
    construct(target, [descriptor]: readonly unknown[]) {
      const isBounded = typeof descriptor === "object" && descriptor !== null && "maximum" in descriptor;
      const asked = isBounded && typeof descriptor.maximum === "number" ? descriptor.maximum : pages;
      const given = isBounded ? { ...descriptor, maximum: Math.min(asked, pages) } : descriptor;
      const memory: unknown = Reflect.construct(target, [given]);
      if (typeof memory !== "object" || memory === null) throw new TypeError("memory is an object");
      return memory;
    },
  });
  Reflect.set(WebAssembly, "Memory", limited);
}

/**
 * Loads a model. Only the operators of the runtime itself exist: libraries of custom operators are never loaded.
 *
 * @param tensors by name
 * @throws {Error} what the runtime says of the model
 */
export async function openModelSession(
  model: Uint8Array,
  tensors: ModelTensors,
  memoryBytes: number,
): Promise<ModelSession> {
  const runtime = await loadRuntime(memoryBytes);
  const session = await runtime.InferenceSession.create(model, {
    executionProviders: ["cpu"],
    graphOptimizationLevel: "all",
    // Warnings of how a graph was written are of no use to those who run it.
    logSeverityLevel: 3,
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  return {
    async run({ data, dims }) {
      const results = await session.run(
        { [tensors.input]: new runtime.Tensor(typeOf(data), data, dims) },
        tensors.outputs,
      );
      return tensors.outputs.map((name) => {
        const result = results[name];
        const values = numbersOf(result?.data);
        if (result === undefined || values === null) {
          throw new Error(`the output ${name} of the model is no tensor of float32, float16 or uint8`);
        }
        return { data: values, dims: result.dims };
      });
    },
  };
}

function typeOf(data: ModelTensor["data"]): "float32" | "float16" | "uint8" {
  if (data instanceof Float32Array) return "float32";
  return data instanceof Uint16Array ? "float16" : "uint8";
}

/** Numbers of what came out; half precision comes as its bits. */
function numbersOf(data: unknown): Float32Array | Uint8Array | null {
  if (data instanceof Float32Array || data instanceof Uint8Array) return data;
  return data instanceof Uint16Array ? fromFloat16(data) : null;
}
