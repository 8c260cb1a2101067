import { finite, ManifestReader, section } from "./manifest-reader.ts";

/** Manifest of a trained model, beside `model.onnx`. */
export interface ModelManifest {
  /** Lower-case words joined by hyphens; its map type is `model-<id>`. */
  readonly id: string;
  readonly description: string;
  readonly version: string;
  /** Boxes along the axes, boxes of any direction, a class per pixel, or a class per window. */
  readonly task: ModelTask;
  /** In the order of the model's outputs. */
  readonly classes: readonly string[];
  /** In the order of the model's channels. */
  readonly bands: readonly ModelBand[];
  readonly input: {
    /** Name of the tensor; null for the model's only one. */
    readonly name: string | null;
    readonly dtype: ModelDtype;
    readonly layout: "NCHW" | "NHWC";
    /** Rows and columns; models of dynamic size are given this, too. */
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
  };
  /** Least score, 0 to 1. */
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

export type ModelTask = "detect-hbb" | "detect-obb" | "segment" | "classify";

export type ModelDtype = "float32" | "float16" | "uint8";

/**
 * - `yolov8`: `[1, 4 + classes, anchors]` or transposed; `yolov8-obb` with an angle in radians as a last row
 * - `yolo-nms`: `[1, boxes, 6]`: two corners, score, number of the class
 * - `detr`: boxes `[1, queries, 4]` and scores `[1, queries, classes (+ 1)]`, the last being "no object" with softmax
 * - `ssd`: boxes `[1, anchors, 4]` and scores `[1, anchors, (1 +) classes]`, the first being the background
 * - `mask`: `[1, (1 +) classes, height, width]`, the first being the background
 * - `classify`: `[1, classes]`
 */
export type ModelFormat = "yolov8" | "yolov8-obb" | "yolo-nms" | "detr" | "ssd" | "mask" | "classify";

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

const MODEL_BANDS: readonly ModelBand[] = [
  "blue",
  "green",
  "red",
  "nir",
  "red-edge",
  "swir1",
  "swir2",
  "pan",
  "vv",
  "vh",
  "hh",
  "hv",
];

const MAX_CLASSES = 128;
/** Of a tile; the smallest are twice the least overlap. */
const MIN_SIDE_PX = 128;
const MAX_SIDE_PX = 2048;
/** Windows of classification are seen whole, and blocks with so much around them take memory. */
const MAX_WINDOW_PX = 1024;
const MIN_OVERLAP_PX = 64;
/** Files of a tile have these names already. */
const RESERVED = new Set(["segmentation", "analysis", "visualization", "detections", "metadata", "area", "confidence"]);
const WORDS = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;

type Output = ModelManifest["output"];

/** Task and defaults of each format; the first activation is the default. */
const FORMATS: Readonly<
  Record<
    ModelFormat,
    {
      readonly task: ModelTask;
      readonly boxes: Output["boxes"];
      readonly units: Output["units"];
      readonly activations: readonly [Output["activation"], ...Output["activation"][]];
    }
  >
> = {
  yolov8: { task: "detect-hbb", boxes: "xywh", units: "pixels", activations: ["none", "sigmoid"] },
  "yolov8-obb": { task: "detect-obb", boxes: "xywh", units: "pixels", activations: ["none", "sigmoid"] },
  "yolo-nms": { task: "detect-hbb", boxes: "xyxy", units: "pixels", activations: ["none"] },
  detr: { task: "detect-hbb", boxes: "xywh", units: "share", activations: ["softmax", "sigmoid"] },
  ssd: { task: "detect-hbb", boxes: "xyxy", units: "share", activations: ["none", "softmax", "sigmoid"] },
  mask: { task: "segment", boxes: "xywh", units: "pixels", activations: ["none", "sigmoid", "softmax"] },
  classify: { task: "classify", boxes: "xywh", units: "pixels", activations: ["none", "softmax", "sigmoid"] },
};
const TASKS: readonly [ModelTask, ...ModelTask[]] = ["detect-hbb", "detect-obb", "segment", "classify"];
const FORMAT_NAMES: readonly [ModelFormat, ...ModelFormat[]] = [
  "yolov8",
  "yolov8-obb",
  "yolo-nms",
  "detr",
  "ssd",
  "mask",
  "classify",
];

/** Pixels of the model by which tiles overlap. */
export function overlapPx({ maxObjectM, gsd }: Pick<ModelManifest, "maxObjectM" | "gsd">): number {
  return 2 * Math.ceil(Math.max(MIN_OVERLAP_PX, (1.2 * maxObjectM) / gsd.train) / 2);
}

/** Whether a class may be called so: a lower-case word that is no name of another file. */
export function isClassName(value: unknown): value is string {
  return typeof value === "string" && value.length <= 32 && WORDS.test(value) && !RESERVED.has(value);
}

export type ReadManifest =
  | { readonly valid: true; readonly manifest: ModelManifest }
  | { readonly valid: false; readonly faults: readonly string[] };

/** Checks a whole manifest and names every fault with its place, as `/input/size: got …, expected …`. */
export function readManifest(document: unknown): ReadManifest {
  const faults: string[] = [];
  const root = section(document, "", faults);
  const top = new ManifestReader(root, "", faults);
  top.onlyKnows(TOP_MEMBERS);
  const gsd = new ManifestReader(section(root["gsd"], "/gsd", faults), "/gsd", faults);
  gsd.onlyKnows(["train", "min", "max"]);

  const task = top.choice("task", TASKS);
  const bands = top.list("bands", 1, 16, (band) => MODEL_BANDS.find((known) => known === band), MODEL_BANDS.join(", "));
  const names = `words such as small-boat, none of ${[...RESERVED].join(", ")}`;
  const classes = top.list("classes", 1, MAX_CLASSES, (name) => (isClassName(name) ? name : undefined), names);
  if (new Set(classes).size < classes.length) faults.push("/classes: expected different names");
  const input = readInput(new ManifestReader(section(root["input"], "/input", faults), "/input", faults), bands.length);
  const train = gsd.number("train", 0.01, 1000);
  const manifest: ModelManifest = {
    id: top.text("id", 48, WORDS, "lower-case words joined by hyphens"),
    description: top.text("description", 200, /\S{2}/u, "a sentence"),
    version: top.text("version", 32, /^[\w.+-]+$/u, "letters, digits and ._+-"),
    task,
    classes,
    bands,
    input,
    gsd: { train, min: gsd.number("min", 0.01, 1000), max: gsd.number("max", 0.01, 1000) },
    output: readOutput(
      new ManifestReader(section(root["output"], "/output", faults), "/output", faults),
      Math.min(...input.size),
    ),
    conf: top.number("conf", 0.001, 0.999),
    iou: top.has("iou") ? top.number("iou", 0.05, 0.95) : 0.5,
    maxDet: top.has("maxDet") ? Math.floor(top.number("maxDet", 1, 3000)) : 300,
    maxObjectM: top.has("maxObjectM") ? top.number("maxObjectM", 0.1, 100_000) : 0.1,
    sha256: top.text("sha256", 64, /^[0-9a-f]{64}$/u, "64 lower-case hexadecimal digits"),
    licence: top.text("licence", 200, /\S/u, "the terms of the model"),
  };
  if (manifest.input.std.some((value) => value === 0)) faults.push("/input/std: got 0, expected other numbers");
  if (faults.length === 0) faults.push(...contradictions(manifest));
  return faults.length === 0 ? { valid: true, manifest } : { valid: false, faults };
}

const TOP_MEMBERS = [
  "id",
  "description",
  "version",
  "task",
  "classes",
  "bands",
  "input",
  "gsd",
  "output",
  "conf",
  "iou",
  "maxDet",
  "maxObjectM",
  "sha256",
  "licence",
];

function readInput(input: ManifestReader, bandCount: number): ModelManifest["input"] {
  input.onlyKnows(["name", "dtype", "layout", "size", "scale", "mean", "std", "valueRange"]);
  const perBand = (name: string, fallback: number): readonly number[] =>
    input.has(name)
      ? input.list(name, bandCount, bandCount, finite, "a number per band")
      : Array.from({ length: bandCount }, () => fallback);
  return {
    name: input.optionalText("name"),
    dtype: input.choice("dtype", ["float32", "float16", "uint8"]),
    layout: input.has("layout") ? input.choice("layout", ["NCHW", "NHWC"]) : "NCHW",
    size: pair(input.list("size", 2, 2, side, `two multiples of 8 from ${MIN_SIDE_PX} to ${MAX_SIDE_PX}`)),
    scale: input.has("scale") ? input.number("scale", 1e-9, 1e9) : 1,
    mean: perBand("mean", 0),
    std: perBand("std", 1),
    valueRange: input.choice("valueRange", ["percentile", "reflectance", "byte"]),
  };
}

function readOutput(output: ManifestReader, shortestSidePx: number): Output {
  output.onlyKnows(["name", "scores", "format", "boxes", "units", "activation", "step"]);
  const format = output.choice("format", FORMAT_NAMES);
  const { boxes, units, activations } = FORMATS[format];
  return {
    name: output.optionalText("name"),
    scores: output.optionalText("scores"),
    format,
    boxes: output.has("boxes") ? output.choice("boxes", ["xywh", "xyxy"]) : boxes,
    units: output.has("units") ? output.choice("units", ["pixels", "share"]) : units,
    activation: output.has("activation") ? output.choice("activation", activations) : activations[0],
    step: output.has("step")
      ? Math.floor(output.number("step", shortestSidePx / 8, shortestSidePx))
      : Math.floor(shortestSidePx / 2),
  };
}

/** Faults between members that are valid alone. */
function contradictions(manifest: ModelManifest): readonly string[] {
  const { task, input, gsd, output } = manifest;
  const faults: string[] = [];
  const suited = FORMAT_NAMES.filter((format) => FORMATS[format].task === task);
  if (!suited.includes(output.format)) {
    faults.push(`/output/format: got ${output.format}, expected ${suited.join(" or ")} with the task ${task}`);
  }
  if (output.scores !== null && output.format !== "detr" && output.format !== "ssd") {
    faults.push(`/output/scores: got ${output.scores}, expected nothing with the format ${output.format}`);
  }
  if (task === "detect-obb" && output.units === "share") {
    faults.push("/output/units: got share, expected pixels: an angle needs lengths that are alike in both directions");
  }
  const { train, min, max } = gsd;
  if (!(min <= train && train <= max && max <= 2 * train)) {
    faults.push(`/gsd: got ${min}, ${train}, ${max}, expected min <= train <= max <= 2 train`);
  }
  const [shortest, longest] = [Math.min(...input.size), Math.max(...input.size)];
  if (task === "classify" && longest > MAX_WINDOW_PX) {
    faults.push(`/input/size: got ${longest}, expected at most ${MAX_WINDOW_PX} with the task classify`);
  }
  if (task !== "classify" && overlapPx(manifest) > shortest / 2) {
    faults.push(
      `/maxObjectM: tiles would overlap by ${overlapPx(manifest)} pixels, expected at most half of ${shortest}`,
    );
  }
  return faults;
}

function side(value: unknown): number | undefined {
  const number = finite(value);
  return number !== undefined && number >= MIN_SIDE_PX && number <= MAX_SIDE_PX && number % 8 === 0
    ? number
    : undefined;
}

function pair([first = MIN_SIDE_PX, second = MIN_SIDE_PX]: readonly number[]): readonly [number, number] {
  return [first, second];
}
