import type { ModelManifest } from "../model-manifest.ts";
import type { ModelTensors } from "../model-tensors.ts";

/** A model of the models' folder, whose manifest and file have been checked. Plain data. */
export interface InstalledModel {
  readonly manifest: ModelManifest;
  /** Absolute path of `model.onnx`. */
  readonly path: string;
  /** Input and outputs of the model. */
  readonly tensors: ModelTensors;
}

/** Limits of a thread for models. Plain data. */
export interface ModelLimits {
  /** A model that takes longer for one tile is stopped. */
  readonly timeoutMs: number;
  /** Most memory of a running model, and most bytes of its file. */
  readonly memoryBytes: number;
}
