import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import { mapTypeOfModel } from "../../registry.ts";
import type { BlockResult } from "../../analysis/block.ts";
import type { ModelTensor } from "../model-input.ts";
import type { ModelManifest } from "../model-manifest.ts";
import { typeName } from "../model-tensors.ts";
import { readOnnxFile, type OnnxTensorInfo } from "../onnx-file.ts";
import type { Infer } from "../run-model.ts";
import { runModel } from "../run-model.ts";
import { runRows } from "../run-rows.ts";
import { findRuntime, RUNTIME_MISSING } from "./find-runtime.ts";
import type { InstalledModel, ModelLimits } from "./installed-model.ts";
import { ModelRunner } from "./model-runner.ts";
import { readModelFiles } from "./read-models.ts";
import { sceneBlock, zeroBlock, type TrialBlock } from "./trial-block.ts";

/** A tensor as a person reads it: `X float32 ? x 2`. */
export type TensorText = string;

/** Numbers of one output of a trial. */
export interface TrialOutput {
  readonly dims: readonly number[];
  readonly least: number;
  readonly most: number;
  /** Numbers that are not finite. */
  readonly notFinite: number;
}

/** A run of the model on a few pixels. */
export interface ModelTrial {
  /** `zeros`, or the path of the scene. */
  readonly on: string;
  readonly pixels: string;
  /** Calls of the model. */
  readonly calls: number;
  readonly ms: number;
  /** Of the first call. */
  readonly outputs: readonly TrialOutput[];
  /** Pixels by class, or objects by class, or the range of values. */
  readonly result: Readonly<Record<string, number>>;
}

/** Everything that is known of a model without installing it. */
export interface ModelCheck {
  readonly file: string;
  readonly sha256: string | null;
  readonly inputs: readonly TensorText[];
  readonly outputs: readonly TensorText[];
  /** Null with any fault of the manifest or the file. */
  readonly manifest: ModelManifest | null;
  readonly layers: readonly ResultLayer[];
  readonly trial: ModelTrial | null;
  readonly faults: readonly string[];
}

export interface CheckOptions {
  /** A GeoTIFF to run the model on, instead of zeros. */
  readonly scene?: string;
  /** Names of the bands of the scene, between commas. */
  readonly bands?: string;
  readonly sensor?: string;
  readonly limits: ModelLimits;
}

/**
 * Reads a model as an installation would, and runs it on zeros or on the middle of a scene.
 *
 * @param path the folder of the model, its `manifest.json` or its ONNX file
 * @throws {RasterError} when the scene cannot be read
 */
export async function checkModel(path: string, options: CheckOptions, signal: AbortSignal): Promise<ModelCheck> {
  const { manifestPath, modelPath } = filesOf(resolve(path));
  const read = readModelFiles(manifestPath, modelPath, options.limits.memoryBytes);
  const faults = [...read.faults];
  const { file, sha256, model } = read;
  const shown = file ?? fileAlone(modelPath, sha256);
  let trial: ModelTrial | null = null;
  if (model !== null && findRuntime() === null) faults.push(RUNTIME_MISSING);
  else if (model !== null) trial = await tried(model, options, faults, signal);
  return {
    file: modelPath,
    sha256,
    inputs: shown?.inputs.map(tensorText) ?? [],
    outputs: shown?.outputs.map(tensorText) ?? [],
    manifest: model?.manifest ?? null,
    layers: model === null ? [] : (mapTypeOfModel(model.manifest).analysis?.layers ?? []),
    trial,
    faults,
  };
}

function filesOf(path: string): { readonly manifestPath: string; readonly modelPath: string } {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const folder = isFolder ? path : dirname(path);
  const isModel = !isFolder && basename(path).endsWith(".onnx");
  const isManifest = !isFolder && basename(path).endsWith(".json");
  return {
    manifestPath: isManifest ? path : join(folder, "manifest.json"),
    modelPath: isModel ? path : join(folder, "model.onnx"),
  };
}

/** The tensors of a file whose manifest does not mean it. */
function fileAlone(path: string, sha256: string | null): ReturnType<typeof opened> {
  return sha256 === null ? null : opened(readFileSync(path));
}

function opened(bytes: Uint8Array) {
  const read = readOnnxFile(bytes);
  return read.valid ? read.file : null;
}

function tensorText({ name, elementType, dims }: OnnxTensorInfo): TensorText {
  const shape = dims === null ? "of any shape" : dims.map((dim) => dim ?? "?").join(" x ");
  return `${name} ${typeName(elementType)} ${shape}`;
}

async function tried(
  model: InstalledModel,
  options: CheckOptions,
  faults: string[],
  signal: AbortSignal,
): Promise<ModelTrial | null> {
  const { manifest } = model;
  const { scene, bands, sensor } = options;
  const trial: TrialBlock | string =
    scene === undefined ? zeroBlock(manifest) : await sceneBlock(manifest, { path: scene, bands, sensor }, signal);
  if (typeof trial === "string") {
    faults.push(trial);
    return null;
  }
  await using runner = new ModelRunner(options.limits);
  const outputs: (readonly ModelTensor[])[] = [];
  const infer: Infer = async (input) => {
    signal.throwIfAborted();
    const answer = await runner.model(model)(input);
    outputs.push(outputs.length === 0 ? answer : []);
    return answer;
  };
  const { block, ranges } = trial;
  const startedMs = performance.now();
  try {
    const run = manifest.input.form === "rows" ? runRows : runModel;
    const result = await run(block, infer, { manifest, ranges });
    return {
      on: scene ?? "zeros",
      pixels: `${block.core.columns} x ${block.core.rows}`,
      calls: outputs.length,
      ms: Math.round(performance.now() - startedMs),
      outputs: (outputs[0] ?? []).map(outputSummary),
      result: resultSummary(manifest, result),
    };
  } catch (error) {
    signal.throwIfAborted();
    faults.push(`the model does not run: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

function outputSummary({ data, dims }: ModelTensor): TrialOutput {
  let [least, most, notFinite] = [Infinity, -Infinity, 0];
  for (const value of data) {
    if (Number.isFinite(value)) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    } else notFinite += 1;
  }
  return { dims, least, most, notFinite };
}

function resultSummary(manifest: ModelManifest, { layers, objects }: BlockResult): Readonly<Record<string, number>> {
  const [first] = layers;
  if (manifest.value !== null) {
    const numbers = Array.from(first ?? []).filter(Number.isFinite);
    const sum = numbers.reduce((total, value) => total + value, 0);
    return {
      pixels: numbers.length,
      ...(numbers.length === 0
        ? {}
        : { least: minOf(numbers), mean: sum / numbers.length, most: -minOf(numbers.map((value) => -value)) }),
    };
  }
  if (manifest.task === "detect-hbb" || manifest.task === "detect-obb") {
    return Object.fromEntries(
      manifest.classes.map((name) => [name, objects.filter(({ className }) => className === name).length]),
    );
  }
  const counts = new Map<number, number>();
  for (const value of first ?? []) counts.set(value, (counts.get(value) ?? 0) + 1);
  const named = manifest.classes.map((name, index) => [name, counts.get(index + 1) ?? 0] as const);
  return Object.fromEntries([...named, ["no class", counts.get(manifest.classes.length + 1) ?? 0]]);
}

function minOf(numbers: readonly number[]): number {
  return numbers.reduce((least, value) => Math.min(least, value), Infinity);
}
