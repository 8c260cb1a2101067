import type { ModelManifest } from "@swath/kernel/models/model-manifest";

/** A model of the models' folder, whose manifest has been checked. Plain data. */
export interface InstalledModel {
  readonly manifest: ModelManifest;
  /** Absolute path of `model.onnx`. */
  readonly path: string;
}

/** What a thread may use for models. Plain data. */
export interface ModelLimits {
  /** A model that takes longer for one tile is stopped. */
  readonly timeoutMs: number;
  /** Most memory of a running model. */
  readonly memoryBytes: number;
}
