import { RAMPS, type RampName } from "@swath/kernel/raster-mathematics/colormap";
import { finite, ManifestReader, section } from "./manifest-reader.ts";
import { FORMAT_NAMES, FORMATS, formatFaults } from "./model-formats.ts";
import {
  channelCount,
  isClassName,
  overlapPx,
  RESERVED_NAMES,
  WORDS,
  type ModelBand,
  type ModelFormat,
  type ModelManifest,
  type ModelTask,
  type ModelValue,
} from "./model-manifest.ts";

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

const TASKS: readonly [ModelTask, ...ModelTask[]] = ["detect-hbb", "detect-obb", "segment", "classify", "regress"];
const MAX_CLASSES = 128;
const MAX_DATES = 12;
/** Planes of a block in memory at once. */
const MAX_CHANNELS = 64;
/** Of a tile; the smallest are twice the least overlap. */
const MIN_SIDE_PX = 128;
const MAX_SIDE_PX = 2048;
/** Windows of classification are seen whole, and blocks with so much around them take memory. */
const MAX_WINDOW_PX = 1024;

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
  const names = `words such as small-boat, none of ${[...RESERVED_NAMES].join(", ")}`;
  const classes =
    task === "regress"
      ? top.absent("classes", "with the task regress", [])
      : top.list("classes", 1, MAX_CLASSES, (name) => (isClassName(name) ? name : undefined), names);
  if (new Set(classes).size < classes.length) faults.push("/classes: expected different names");
  const dates = top.has("dates") ? Math.floor(top.number("dates", 1, MAX_DATES)) : 1;
  const input = readInput(
    new ManifestReader(section(root["input"], "/input", faults), "/input", faults),
    bands.length,
    dates,
  );
  const output = readOutput(
    new ManifestReader(section(root["output"], "/output", faults), "/output", faults),
    Math.min(...input.size),
    classes.length,
  );
  const hasScores = task !== "regress" && output.format !== "labels";
  const train = gsd.number("train", 0.01, 1000);
  const manifest: ModelManifest = {
    id: top.text("id", 48, WORDS, "lower-case words joined by hyphens"),
    description: top.text("description", 200, /\S{2}/u, "a sentence"),
    version: top.text("version", 32, /^[\w.+-]+$/u, "letters, digits and ._+-"),
    task,
    classes,
    bands,
    dates,
    input,
    gsd: { train, min: gsd.number("min", 0.01, 1000), max: gsd.number("max", 0.01, 1000) },
    output,
    value: readValue(root["value"], task, top, faults),
    conf: hasScores ? top.number("conf", 0.001, 0.999) : top.absent("conf", "without scores", 0),
    iou: top.has("iou") ? top.number("iou", 0.05, 0.95) : 0.5,
    maxDet: top.has("maxDet") ? Math.floor(top.number("maxDet", 1, 3000)) : 300,
    maxObjectM: top.has("maxObjectM") ? top.number("maxObjectM", 0.1, 100_000) : 0.1,
    sha256: top.text("sha256", 64, /^[0-9a-f]{64}$/u, "64 lower-case hexadecimal digits"),
    licence: readLicence(top),
  };
  if (manifest.input.std.some((value) => value === 0)) faults.push("/input/std: got 0, expected other numbers");
  if (faults.length === 0) faults.push(...formatFaults(manifest), ...contradictions(manifest));
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
  "license",
  "dates",
  "value",
];

/** Both spellings are one member. */
function readLicence(top: ManifestReader): string {
  const form = [200, /\S/u, "the terms of the model"] as const;
  if (top.has("licence")) top.absent("license", "beside licence", null);
  return top.has("license") && !top.has("licence") ? top.text("license", ...form) : top.text("licence", ...form);
}

/** Ramps by their names. */
const RAMP_NAMES = Object.keys(RAMPS) as [RampName, ...RampName[]];

function readValue(document: unknown, task: ModelTask, top: ManifestReader, faults: string[]): ModelValue | null {
  if (task !== "regress") return top.absent("value", `with the task ${task}`, null);
  const value = new ManifestReader(section(document, "/value", faults), "/value", faults);
  value.onlyKnows(["name", "unit", "range", "ramp"]);
  const [low = 0, high = 1] = value.list("range", 2, 2, finite, "the values at both ends of the colours");
  if (low >= high) faults.push(`/value/range: got ${low}, ${high}, expected the lower value first`);
  const name = value.text("name", 32, WORDS, "a word such as biomass");
  if (RESERVED_NAMES.has(name))
    faults.push(`/value/name: got ${name}, expected none of ${[...RESERVED_NAMES].join(", ")}`);
  return {
    name,
    unit: value.text("unit", 32, /^[^\p{Cc}]+$/u, "a unit such as t/ha, or 1"),
    range: [low, high],
    ramp: value.has("ramp") ? value.choice("ramp", RAMP_NAMES) : "heat",
  };
}

function readInput(input: ManifestReader, bandCount: number, dates: number): ModelManifest["input"] {
  input.onlyKnows(["name", "form", "dtype", "layout", "size", "scale", "mean", "std", "valueRange"]);
  const channels = bandCount * dates;
  const perChannel = (name: string, fallback: number): readonly number[] => {
    if (!input.has(name)) return Array.from({ length: channels }, () => fallback);
    const expected = dates === 1 ? "a number per band" : "a number per band, or per band of each date";
    const given = input.listOf(name, [bandCount, channels], finite, expected);
    return Array.from({ length: channels }, (_, channel) => given[channel % given.length] ?? fallback);
  };
  const form = input.has("form") ? input.choice("form", ["tiles", "rows"]) : "tiles";
  const sides = `two multiples of 8 from ${MIN_SIDE_PX} to ${MAX_SIDE_PX}`;
  return {
    name: input.optionalText("name"),
    form,
    dtype: input.choice("dtype", ["float32", "float16", "uint8"]),
    layout: input.has("layout") ? input.choice("layout", ["NCHW", "NHWC"]) : "NCHW",
    size:
      form === "rows"
        ? input.absent("size", "with rows", [1, 1] as const)
        : pair(input.list("size", 2, 2, side, sides)),
    scale: input.has("scale") ? input.number("scale", 1e-9, 1e9) : 1,
    mean: perChannel("mean", 0),
    std: perChannel("std", 1),
    valueRange: input.choice("valueRange", ["percentile", "reflectance", "byte"]),
  };
}

function readOutput(output: ManifestReader, shortestSidePx: number, classCount: number): ModelManifest["output"] {
  output.onlyKnows(["name", "scores", "format", "boxes", "units", "activation", "step", "labels"]);
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
    labels: readLabels(output, format, classCount),
  };
}

/** 0 for the first class unless other numbers are given. */
function readLabels(output: ManifestReader, format: ModelFormat, classCount: number): readonly number[] {
  if (format !== "labels") return output.absent("labels", `with the format ${format}`, []);
  if (!output.has("labels")) return Array.from({ length: classCount }, (_, index) => index);
  return output.list("labels", classCount, classCount, wholeNumber, "the whole number of each class");
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) < 2 ** 24 ? value : undefined;
}

/** Faults between members that are valid alone. */
function contradictions(manifest: ModelManifest): readonly string[] {
  const { task, input, gsd } = manifest;
  const faults: string[] = [];
  if (channelCount(manifest) > MAX_CHANNELS) {
    faults.push(`/dates: got ${channelCount(manifest)} channels, expected at most ${MAX_CHANNELS} of bands and dates`);
  }
  if (input.form === "rows" && input.dtype !== "float32") {
    faults.push(`/input/dtype: got ${input.dtype}, expected float32 with rows`);
  }
  const { train, min, max } = gsd;
  // A pixel alone has no size that a model could mistake.
  const coarsest = input.form === "rows" ? Number.POSITIVE_INFINITY : 2 * train;
  if (!(min <= train && train <= max && max <= coarsest)) {
    const expected = input.form === "rows" ? "min <= train <= max" : "min <= train <= max <= 2 train";
    faults.push(`/gsd: got ${min}, ${train}, ${max}, expected ${expected}`);
  }
  const [shortest, longest] = [Math.min(...input.size), Math.max(...input.size)];
  if (task === "classify" && longest > MAX_WINDOW_PX) {
    faults.push(`/input/size: got ${longest}, expected at most ${MAX_WINDOW_PX} with the task classify`);
  }
  if (task !== "classify" && input.form === "tiles" && overlapPx(manifest) > shortest / 2) {
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
