/** What a user says of a trained model; beside it lies `model.onnx`. */
export interface ModelManifest {
  /** Lower-case words joined by hyphens; its map type is `model-<id>`. */
  readonly id: string;
  readonly description: string;
  readonly version: string;
  /** Boxes along the axes, boxes of any direction, or a class per pixel. */
  readonly task: "detect-hbb" | "detect-obb" | "segment";
  /** In the order of the model's outputs. */
  readonly classes: readonly string[];
  /** In the order of the model's channels. */
  readonly bands: readonly ModelBand[];
  readonly input: {
    /** Name of the tensor; null for the model's only one. */
    readonly name: string | null;
    readonly dtype: "float32" | "uint8";
    readonly layout: "NCHW" | "NHWC";
    /** Rows and columns; models of dynamic size are given this, too. */
    readonly size: readonly [heightPx: number, widthPx: number];
    /** `(value * scale - mean) / std` is what the model is given. */
    readonly scale: number;
    readonly mean: readonly number[];
    readonly std: readonly number[];
    /** What a value is: 0 to 255 between the 0.5th and 99.5th percentile of the scene, reflectance 0 to 1, or as stored. */
    readonly valueRange: "percentile" | "reflectance" | "byte";
  };
  /** Metres per pixel: scenes are brought to `train`, and refused outside `min` and `max`. */
  readonly gsd: { readonly train: number; readonly min: number; readonly max: number };
  readonly output: {
    readonly name: string | null;
    /** Rows of `4 + classes` (and an angle) by anchors, or planes of classes. */
    readonly format: "yolov8" | "yolov8-obb" | "mask";
    readonly boxes: "xywh" | "xyxy";
    /** Applied to scores. */
    readonly activation: "none" | "sigmoid";
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

export const MODEL_BANDS: readonly ModelBand[] = [
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

const MAX_CLASSES = 80;
/** Of a tile; the smallest are twice the least overlap. */
const MIN_SIDE_PX = 128;
const MAX_SIDE_PX = 2048;
const MIN_OVERLAP_PX = 64;
/** Files of a tile have these names already. */
const RESERVED = new Set(["segmentation", "analysis", "visualization", "detections", "metadata", "area"]);
const FORMATS = { "detect-hbb": "yolov8", "detect-obb": "yolov8-obb", segment: "mask" } as const;
const WORDS = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;

/** Pixels of the model by which tiles overlap. */
export function overlapPx({ maxObjectM, gsd }: Pick<ModelManifest, "maxObjectM" | "gsd">): number {
  return 2 * Math.ceil(Math.max(MIN_OVERLAP_PX, (1.2 * maxObjectM) / gsd.train) / 2);
}

export type ReadManifest =
  | { readonly valid: true; readonly manifest: ModelManifest }
  | { readonly valid: false; readonly faults: readonly string[] };

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks a whole manifest and names every fault with its place, as `/input/size: got …, expected …`. */
export function readManifest(document: unknown): ReadManifest {
  const faults: string[] = [];
  const root = section(document, "", faults);
  const reader = (of: Members, at: string) => new Reader(of, at, faults);
  const top = reader(root, "");
  top.onlyKnows(TOP_MEMBERS);
  const input = reader(section(root["input"], "/input", faults), "/input");
  input.onlyKnows(["name", "dtype", "layout", "size", "scale", "mean", "std", "valueRange"]);
  const gsd = reader(section(root["gsd"], "/gsd", faults), "/gsd");
  gsd.onlyKnows(["train", "min", "max"]);
  const output = reader(section(root["output"], "/output", faults), "/output");
  output.onlyKnows(["name", "format", "boxes", "activation"]);

  const task = top.choice("task", ["detect-hbb", "detect-obb", "segment"]);
  const bands = top.list("bands", 1, 16, (band) => MODEL_BANDS.find((known) => known === band), MODEL_BANDS.join(", "));
  const classes = top.list(
    "classes",
    1,
    MAX_CLASSES,
    className,
    `words such as small-boat, none of ${[...RESERVED].join(", ")}`,
  );
  if (new Set(classes).size < classes.length) faults.push("/classes: expected different names");
  const perBand = (name: string, fallback: number): readonly number[] =>
    input.has(name)
      ? input.list(name, bands.length, bands.length, finite, "a number per band")
      : bands.map(() => fallback);
  const train = gsd.number("train", 0.01, 1000);
  const manifest: ModelManifest = {
    id: top.text("id", 48, WORDS, "lower-case words joined by hyphens"),
    description: top.text("description", 200, /\S{2}/u, "a sentence"),
    version: top.text("version", 32, /^[\w.+-]+$/u, "letters, digits and ._+-"),
    task,
    classes,
    bands,
    input: {
      name: input.optionalText("name"),
      dtype: input.choice("dtype", ["float32", "uint8"]),
      layout: input.has("layout") ? input.choice("layout", ["NCHW", "NHWC"]) : "NCHW",
      size: pair(input.list("size", 2, 2, side, `two multiples of 8 from ${MIN_SIDE_PX} to ${MAX_SIDE_PX}`)),
      scale: input.has("scale") ? input.number("scale", 1e-9, 1e9) : 1,
      mean: perBand("mean", 0),
      std: perBand("std", 1),
      valueRange: input.choice("valueRange", ["percentile", "reflectance", "byte"]),
    },
    gsd: { train, min: gsd.number("min", 0.01, 1000), max: gsd.number("max", 0.01, 1000) },
    output: {
      name: output.optionalText("name"),
      format: output.choice("format", ["yolov8", "yolov8-obb", "mask"]),
      boxes: output.has("boxes") ? output.choice("boxes", ["xywh", "xyxy"]) : "xywh",
      activation: output.has("activation") ? output.choice("activation", ["none", "sigmoid"]) : "none",
    },
    conf: top.number("conf", 0.001, 0.999),
    iou: top.has("iou") ? top.number("iou", 0.05, 0.95) : 0.5,
    maxDet: top.has("maxDet") ? Math.floor(top.number("maxDet", 1, 3000)) : 300,
    maxObjectM: top.has("maxObjectM") ? top.number("maxObjectM", 0.1, 100_000) : 0.1,
    sha256: top.text("sha256", 64, /^[0-9a-f]{64}$/u, "64 lower-case hexadecimal digits"),
    licence: top.text("licence", 200, /\S/u, "the terms of the model"),
  };
  if (manifest.input.std.some((value) => value === 0)) faults.push("/input/std: got 0, expected other numbers");
  if (output.has("format") && FORMATS[task] !== manifest.output.format) {
    faults.push(`/output/format: got ${manifest.output.format}, expected ${FORMATS[task]} with the task ${task}`);
  }
  const { min, max } = manifest.gsd;
  if (faults.length === 0 && !(min <= train && train <= max && max <= 2 * train)) {
    faults.push(`/gsd: got ${min}, ${train}, ${max}, expected min <= train <= max <= 2 train`);
  }
  if (faults.length === 0 && overlapPx(manifest) > Math.min(...manifest.input.size) / 2) {
    faults.push(
      `/maxObjectM: tiles would overlap by ${overlapPx(manifest)} pixels, expected at most half of ${Math.min(...manifest.input.size)}`,
    );
  }
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

function section(value: unknown, at: string, faults: string[]): Members {
  if (isMembers(value)) return value;
  faults.push(`${at === "" ? "/" : at}: expected an object`);
  return {};
}

function className(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= 32 && WORDS.test(value) && !RESERVED.has(value)
    ? value
    : undefined;
}

function finite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
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

/** Reads members of one object; what is wrong becomes a fault and a harmless value. */
class Reader {
  readonly #of: Members;
  readonly #at: string;
  readonly #faults: string[];

  constructor(of: Members, at: string, faults: string[]) {
    this.#of = of;
    this.#at = at;
    this.#faults = faults;
  }

  has(name: string): boolean {
    return this.#of[name] !== undefined;
  }

  onlyKnows(names: readonly string[]): void {
    for (const name of Object.keys(this.#of)) {
      if (!names.includes(name)) this.#faults.push(`${this.#at}/${name}: there is no such member`);
    }
  }

  #fault(name: string, expected: string): void {
    const got = this.has(name) ? (JSON.stringify(this.#of[name]) ?? "nothing").slice(0, 80) : "nothing";
    this.#faults.push(`${this.#at}/${name}: got ${got}, expected ${expected}`);
  }

  text(name: string, maxLength: number, form: RegExp, expected: string): string {
    const value = this.#of[name];
    if (typeof value === "string" && value.length <= maxLength && form.test(value)) return value;
    this.#fault(name, expected);
    return "";
  }

  optionalText(name: string): string | null {
    return this.has(name) ? this.text(name, 200, /\S/u, "the name of a tensor") : null;
  }

  choice<const Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
    const found = choices.find((choice) => choice === this.#of[name]);
    if (found !== undefined) return found;
    this.#fault(name, `one of ${choices.join(", ")}`);
    return choices[0];
  }

  number(name: string, min: number, max: number): number {
    const value = finite(this.#of[name]);
    if (value !== undefined && value >= min && value <= max) return value;
    this.#fault(name, `a number from ${min} to ${max}`);
    return min;
  }

  list<Item>(
    name: string,
    min: number,
    max: number,
    read: (value: unknown) => Item | undefined,
    expected: string,
  ): readonly Item[] {
    const value = this.#of[name];
    const items = Array.isArray(value) ? value.map(read) : [];
    const good = items.filter((item) => item !== undefined);
    if (Array.isArray(value) && good.length === items.length && good.length >= min && good.length <= max) return good;
    this.#fault(name, `a list of ${min === max ? min : `${min} to ${max}`}: ${expected}`);
    return [];
  }
}
