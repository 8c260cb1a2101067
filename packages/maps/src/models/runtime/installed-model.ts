import type { ModelManifest } from "../model-manifest.ts";
import type { ModelTensors } from "../model-tensors.ts";

/** A model of the models' folder, whose manifest and file have been checked. Plain data. */
export interface InstalledModel {
  readonly manifest: ModelManifest;
  /** Absolute path of `model.onnx`. */
  readonly path: string;
  /** What the model is given and asked for. */
  readonly tensors: ModelTensors;
}

/** What a thread may use for models. Plain data. */
export interface ModelLimits {
  /** A model that takes longer for one tile is stopped. */
  readonly timeoutMs: number;
  /** Most memory of a running model, and most bytes of its file. */
  readonly memoryBytes: number;
}
