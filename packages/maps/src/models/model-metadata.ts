import { isClassName, type ModelManifest, type ModelTask } from "./model-manifest.ts";

/** Metadata that exporters of detectors write into the file (Ultralytics: `names`, `task`, `imgsz`, `stride`). */
export interface ModelMetadata {
  /** As written; by their numbers. Null when there is no such list. */
  readonly names: readonly string[] | null;
  readonly task: string | null;
  /** Rows and columns. */
  readonly imgsz: readonly [heightPx: number, widthPx: number] | null;
  /** Sides of the input are multiples of this. */
  readonly stride: number | null;
  /** Boxes come sorted out, as `yolo-nms` says. */
  readonly isEndToEnd: boolean;
}

const TASKS: Readonly<Record<string, { readonly task: ModelTask; readonly format: string }>> = {
  detect: { task: "detect-hbb", format: "yolov8" },
  obb: { task: "detect-obb", format: "yolov8-obb" },
  classify: { task: "classify", format: "classify" },
};
/** Tasks of these tools that give something else than any task here. */
const OTHER_TASKS: Readonly<Record<string, string>> = {
  segment: "masks of single objects",
  pose: "points of bodies",
};
const MAX_NAMES = 1000;

/** Reads the metadata of exporters; absent or unknown values are null. @param notes by key */
export function readMetadata(notes: ReadonlyMap<string, string>): ModelMetadata {
  const task = notes.get("task") ?? null;
  const stride = Number(notes.get("stride"));
  const sides = /^[[(]\s*(\d{1,5})\s*,\s*(\d{1,5})\s*[\])]$/u.exec(notes.get("imgsz") ?? "");
  return {
    names: readNames(notes.get("names") ?? ""),
    task: task !== null && (task in TASKS || task in OTHER_TASKS) ? task : null,
    imgsz: sides === null ? null : [Number(sides[1]), Number(sides[2])],
    stride: Number.isInteger(stride) && stride > 0 ? stride : null,
    isEndToEnd: notes.get("end2end") === "True" || /'nms': True/u.test(notes.get("args") ?? ""),
  };
}

/** `{0: 'plane', 1: "ship's boat"}`, as Python and JSON write it. */
function readNames(written: string): readonly string[] | null {
  const entry = /["']?(\d{1,4})["']?\s*:\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/gu;
  const names: string[] = [];
  for (const [, number, single, double] of written.matchAll(entry)) {
    if (Number(number) !== names.length || names.length >= MAX_NAMES) return null;
    names.push((single ?? double ?? "").replaceAll(/\\(.)/gu, "$1"));
  }
  return names.length > 0 ? names : null;
}

/** `Small Vehicle` becomes `small-vehicle`. */
function asClassName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "");
}

/** A manifest with `task`, `classes`, `input.size` and `output.format` of the metadata where it says nothing itself. */
export function completeManifest(document: unknown, { names, task, imgsz, isEndToEnd }: ModelMetadata): unknown {
  if (!isObject(document)) return document;
  const known = task === null ? undefined : TASKS[task];
  const format = isEndToEnd && known?.task === "detect-hbb" ? "yolo-nms" : known?.format;
  return {
    ...(known === undefined ? {} : { task: known.task }),
    ...(names === null ? {} : { classes: names.map(asClassName) }),
    ...document,
    ...inner(document["input"], "input", imgsz === null ? {} : { size: imgsz }),
    ...inner(document["output"], "output", format === undefined ? {} : { format }),
  };
}

function inner(given: unknown, name: string, fallback: Readonly<Record<string, unknown>>): object {
  if (given !== undefined && !isObject(given)) return {};
  if (given === undefined && Object.keys(fallback).length === 0) return {};
  return { [name]: { ...fallback, ...given } };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Where a manifest says something else than the file it lies beside, with the place in the manifest.
 *
 * @param hasFixedSize whether the input has one size only; else the size of the metadata is one of many
 */
export function metadataFaults(
  manifest: ModelManifest,
  { names, task, imgsz, stride, isEndToEnd }: ModelMetadata,
  hasFixedSize: boolean,
): readonly string[] {
  const faults: string[] = [];
  const differ = (place: string, got: string, expected: string): void => {
    faults.push(`${place}: got ${got}, expected ${expected} as the metadata of the model say`);
  };
  const other = task === null ? undefined : OTHER_TASKS[task];
  if (other !== undefined)
    faults.push(`/task: the metadata of the model say ${task} (${other}), which is not supported`);
  const known = task === null ? undefined : TASKS[task];
  if (known !== undefined && known.task !== manifest.task) differ("/task", manifest.task, known.task);
  if (names !== null && names.length !== manifest.classes.length) {
    differ("/classes", `${manifest.classes.length} classes`, `${names.length}`);
  } else {
    for (const [index, name] of (names ?? []).entries()) {
      const expected = asClassName(name);
      // A name that no class may have is for the manifest to replace.
      if (isClassName(expected) && expected !== manifest.classes[index]) {
        differ(`/classes/${index}`, manifest.classes[index] ?? "nothing", expected);
      }
    }
  }
  const size = manifest.input.size.join(" x ");
  if (hasFixedSize && imgsz !== null && imgsz.join(" x ") !== size) differ("/input/size", size, imgsz.join(" x "));
  if (stride !== null && manifest.input.size.some((side) => side % stride !== 0)) {
    differ("/input/size", size, `multiples of ${stride}`);
  }
  if (isEndToEnd && manifest.task === "detect-hbb" && manifest.output.format !== "yolo-nms") {
    differ("/output/format", manifest.output.format, "yolo-nms");
  }
  if (isEndToEnd && manifest.task === "detect-obb") {
    faults.push(
      "/output/format: the metadata of the model say that boxes are sorted out already, which is not supported with detect-obb",
    );
  }
  return faults;
}
