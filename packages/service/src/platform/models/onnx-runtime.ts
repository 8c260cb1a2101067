import type { ModelTensor } from "@swath/kernel/models/model-input";
import { ServiceError } from "../../errors.ts";

/** The part of ONNX Runtime's interface that is used; both of its packages have it. */
interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
}

interface OnnxRuntime {
  readonly Tensor: new (
    type: "float32" | "uint8",
    data: Float32Array | Uint8Array,
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
  run(input: ModelTensor): Promise<ModelTensor>;
}

const PACKAGES = ["onnxruntime-node", "onnxruntime-web"] as const;
const PAGE_BYTES = 65_536;

/**
 * Native code first, WebAssembly otherwise; neither is needed unless there are models.
 *
 * @throws {ServiceError} SERVICE-UNAVAILABLE when neither package is installed
 */
async function loadRuntime(memoryBytes: number): Promise<OnnxRuntime> {
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
    "SERVICE-UNAVAILABLE",
    `models need one of the packages ${PACKAGES.join(" and ")}, and none is installed`,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

function isRuntime(loaded: unknown): loaded is OnnxRuntime {
  return typeof loaded === "object" && loaded !== null && "InferenceSession" in loaded && "Tensor" in loaded;
}

/** The runtime asks for memory that may grow to 4 GiB; in this thread it gets no more than the limit. */
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
 * @param names of the tensors; null for the only ones
 * @throws {Error} what the runtime says of the model
 */
export async function openModelSession(
  model: Uint8Array,
  names: { readonly input: string | null; readonly output: string | null },
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
  const input = named(session.inputNames, names.input, "input");
  const output = named(session.outputNames, names.output, "output");
  return {
    async run({ data, dims }) {
      const type = data instanceof Float32Array ? "float32" : "uint8";
      const results = await session.run({ [input]: new runtime.Tensor(type, data, dims) });
      const result = results[output];
      if (result === undefined || !(result.data instanceof Float32Array || result.data instanceof Uint8Array)) {
        throw new Error(`the output ${output} of the model is no tensor of float32 or uint8`);
      }
      return { data: result.data, dims: result.dims };
    },
  };
}

function named(known: readonly string[], wanted: string | null, what: string): string {
  if (wanted === null && known.length >= 1) return known[0]!;
  if (wanted !== null && known.includes(wanted)) return wanted;
  throw new Error(`the model has the ${what}s ${known.join(", ")}, expected ${wanted ?? "one"}`);
}
