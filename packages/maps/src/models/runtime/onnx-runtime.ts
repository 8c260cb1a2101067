// oxlint-disable-next-line typescript/triple-slash-reference -- its ambient types must come along wherever this file is compiled
/// <reference path="./web-assembly.d.ts" />
import { createRequire } from "node:module";
import { fromFloat16 } from "../float16.ts";
import type { ModelTensor } from "../model-input.ts";
import type { ModelTensors } from "../model-tensors.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { findRuntime, RUNTIME_MISSING } from "./find-runtime.ts";

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

const PAGE_BYTES = 65_536;

/**
 * Native code first, WebAssembly otherwise; neither is needed unless there are models.
 *
 * @throws {ServiceError} PROCESSING-ERROR when neither package is installed
 */
function loadRuntime(memoryBytes: number): OnnxRuntime {
  const found = findRuntime();
  if (found === null) throw new ServiceError("PROCESSING-ERROR", RUNTIME_MISSING);
  // With Float16Array in the language, the tensors of the runtime use it, and its native code refuses them. Without it,
  // both packages use arrays of 16 bits for half precision.
  Reflect.deleteProperty(globalThis, "Float16Array");
  const isWebAssembly = found.name === "onnxruntime-web";
  if (isWebAssembly) limitWasmMemory(memoryBytes);
  const loaded: unknown = createRequire(import.meta.url)(found.path);
  if (!isRuntime(loaded)) throw new ServiceError("PROCESSING-ERROR", `${found.path} is not ONNX Runtime`);
  // One thread per session: the work is shared out by blocks already.
  if (isWebAssembly) loaded.env.wasm.numThreads = 1;
  return loaded;
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
  const runtime = loadRuntime(memoryBytes);
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
          throw new Error(`the output ${name} of the model is no tensor of float32, float16, uint8, int32 or int64`);
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

/** Numbers of an output; half precision as its bits. */
function numbersOf(data: unknown): Float32Array | Uint8Array | null {
  if (data instanceof Float32Array || data instanceof Uint8Array) return data;
  if (data instanceof Uint16Array) return fromFloat16(data);
  // Labels are whole numbers below 2^24, which float32 holds.
  if (data instanceof Int32Array) return Float32Array.from(data);
  return data instanceof BigInt64Array ? Float32Array.from(data, Number) : null;
}
