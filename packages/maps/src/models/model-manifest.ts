import type { RampName } from "@swath/kernel/raster-mathematics/colormap";

/** Manifest of a trained model, beside `model.onnx`. */
export interface ModelManifest {
  /** Lower-case words joined by hyphens; its map type is `model-<id>`. */
  readonly id: string;
  readonly description: string;
  readonly version: string;
  /** Boxes along the axes, boxes of any direction, a class per pixel, a class per window, or a number per pixel. */
  readonly task: ModelTask;
  /** In the order of the model's outputs; empty with `regress`. */
  readonly classes: readonly string[];
  /** In the order of the model's channels. */
  readonly bands: readonly ModelBand[];
  /** Scenes that the model is given together, the oldest first: channels are all bands of the first, then of the next. */
  readonly dates: number;
  readonly input: {
    /** Name of the tensor; null for the model's only one. */
    readonly name: string | null;
    /** Pictures of `size`, or one row of channels for each pixel. */
    readonly form: ModelForm;
    readonly dtype: ModelDtype;
    readonly layout: "NCHW" | "NHWC";
    /** Rows and columns; models of dynamic size are given this, too. 1, 1 with `rows`. */
    readonly size: readonly [heightPx: number, widthPx: number];
    /** The model receives `(value * scale - mean) / std`. */
    readonly scale: number;
    readonly mean: readonly number[];
    readonly std: readonly number[];
    /** Range of a value: 0 to 255 between the 0.5th and 99.5th percentile of the scene, reflectance 0 to 1, or as stored. */
    readonly valueRange: "percentile" | "reflectance" | "byte";
  };
  /** Metres per pixel: scenes are brought to `train`, and refused outside `min` and `max`. */
  readonly gsd: { readonly train: number; readonly min: number; readonly max: number };
  readonly output: {
    /** Name of the tensor, of boxes where there are two; null for the only or first one that fits. */
    readonly name: string | null;
    /** Name of the tensor of scores of `detr` and `ssd`; null for the one that is not of boxes. */
    readonly scores: string | null;
    readonly format: ModelFormat;
    /** Middle and size, or two corners. */
    readonly boxes: "xywh" | "xyxy";
    /** Unit of boxes: pixels of the input, or shares of its width and height. */
    readonly units: "pixels" | "share";
    /** Applied to scores. */
    readonly activation: "none" | "sigmoid" | "softmax";
    /** Pixels of the model from one window to the next, of `classify` only. */
    readonly step: number;
    /** Numbers that stand for the classes, in their order, of `labels` only. */
    readonly labels: readonly number[];
  };
  /** The layer of numbers of `regress`; else null. */
  readonly value: ModelValue | null;
  /** Least score, 0 to 1; 0 where there are no scores. */
  readonly conf: number;
  /** Boxes of a class that overlap more are one. */
  readonly iou: number;
  /** Most boxes of one tile. */
  readonly maxDet: number;
  /** Length of the largest object, metres: tiles overlap by 1.2 times this. */
  readonly maxObjectM: number;
  /** Of `model.onnx`, lower-case hexadecimal. */
  readonly sha256: string;
  /** Terms of the model, shown with its map type. */
  readonly licence: string;
}

export type ModelTask = "detect-hbb" | "detect-obb" | "segment" | "classify" | "regress";

export type ModelForm = "tiles" | "rows";

/** A layer of numbers: its name, its unit and its colours. */
export interface ModelValue {
  readonly name: string;
  readonly unit: string;
  /** Values at the two ends of the colours. */
  readonly range: readonly [low: number, high: number];
  readonly ramp: RampName;
}

export type ModelDtype = "float32" | "float16" | "uint8";

/**
 * - `yolov8`: `[1, 4 + classes, anchors]` or transposed; `yolov8-obb` with an angle in radians as a last row
 * - `yolo-nms`: `[1, boxes, 6]`: two corners, score, number of the class
 * - `detr`: boxes `[1, queries, 4]` and scores `[1, queries, classes (+ 1)]`, the last being "no object" with softmax
 * - `ssd`: boxes `[1, anchors, 4]` and scores `[1, anchors, (1 +) classes]`, the first being the background
 * - `mask`: `[1, (1 +) classes, height, width]`, the first being the background
 * - `classify`: `[1, classes]`
 * - `labels`: `[rows]` of whole numbers; `scores`: `[rows, classes]`
 * - `values`: `[1, 1, height, width]`, or `[rows]` and `[rows, 1]`
 */
export type ModelFormat =
  | "yolov8"
  | "yolov8-obb"
  | "yolo-nms"
  | "detr"
  | "ssd"
  | "mask"
  | "classify"
  | "labels"
  | "scores"
  | "values";

export type ModelBand =
  | "blue"
  | "green"
  | "red"
  | "nir"
  | "red-edge"
  | "swir1"
  | "swir2"
  | "pan"
  | "vv"
  | "vh"
  | "hh"
  | "hv";

const MIN_OVERLAP_PX = 64;
/** Files of a tile have these names already. */
export const RESERVED_NAMES = new Set([
  "segmentation",
  "analysis",
  "visualization",
  "detections",
  "metadata",
  "area",
  "confidence",
]);
/** Lower-case words joined by hyphens. */
export const WORDS = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;

/** Planes that a model is given: its bands on each of its dates. */
export function channelCount({ bands, dates }: Pick<ModelManifest, "bands" | "dates">): number {
  return bands.length * dates;
}

/** Pixels of the model by which tiles overlap. */
export function overlapPx({ maxObjectM, gsd }: Pick<ModelManifest, "maxObjectM" | "gsd">): number {
  return 2 * Math.ceil(Math.max(MIN_OVERLAP_PX, (1.2 * maxObjectM) / gsd.train) / 2);
}

/** Whether a class may be called so: a lower-case word that is no name of another file. */
export function isClassName(value: unknown): value is string {
  return typeof value === "string" && value.length <= 32 && WORDS.test(value) && !RESERVED_NAMES.has(value);
}
