import type { ModelForm, ModelFormat, ModelManifest, ModelTask } from "./model-manifest.ts";

type Output = ModelManifest["output"];

/** Task and form of a format, and the defaults of its output. */
interface FormatRules {
  readonly task: ModelTask;
  readonly forms: readonly ModelForm[];
  readonly boxes: Output["boxes"];
  readonly units: Output["units"];
  /** The first is the default. */
  readonly activations: readonly [Output["activation"], ...Output["activation"][]];
}

const PLAIN = { forms: ["tiles"], boxes: "xywh", units: "pixels", activations: ["none"] } as const;

/** Rules of each format. */
export const FORMATS: Readonly<Record<ModelFormat, FormatRules>> = {
  yolov8: { ...PLAIN, task: "detect-hbb", activations: ["none", "sigmoid"] },
  "yolov8-obb": { ...PLAIN, task: "detect-obb", activations: ["none", "sigmoid"] },
  "yolo-nms": { ...PLAIN, task: "detect-hbb", boxes: "xyxy" },
  detr: { ...PLAIN, task: "detect-hbb", units: "share", activations: ["softmax", "sigmoid"] },
  ssd: {
    ...PLAIN,
    task: "detect-hbb",
    boxes: "xyxy",
    units: "share",
    activations: ["none", "softmax", "sigmoid"],
  },
  mask: { ...PLAIN, task: "segment", activations: ["none", "sigmoid", "softmax"] },
  classify: { ...PLAIN, task: "classify", activations: ["none", "softmax", "sigmoid"] },
  labels: { ...PLAIN, task: "segment", forms: ["rows"] },
  scores: { ...PLAIN, task: "segment", forms: ["rows"], activations: ["none", "softmax", "sigmoid"] },
  values: { ...PLAIN, task: "regress", forms: ["tiles", "rows"] },
};

export const FORMAT_NAMES: readonly [ModelFormat, ...ModelFormat[]] = [
  "yolov8",
  "yolov8-obb",
  "yolo-nms",
  "detr",
  "ssd",
  "mask",
  "classify",
  "labels",
  "scores",
  "values",
];

/** Faults of a format that does not suit the task, the form of the input or other members of the output. */
export function formatFaults({ task, input, output }: ModelManifest): readonly string[] {
  const faults: string[] = [];
  const suited = FORMAT_NAMES.filter(
    (format) => FORMATS[format].task === task && FORMATS[format].forms.includes(input.form),
  );
  if (!suited.includes(output.format)) {
    const expected = suited.length === 0 ? "tiles" : suited.join(" or ");
    const place = suited.length === 0 ? "/input/form" : "/output/format";
    const got = suited.length === 0 ? input.form : output.format;
    const given = input.form === "rows" ? `the task ${task} and rows` : `the task ${task}`;
    faults.push(`${place}: got ${got}, expected ${expected} with ${given}`);
  }
  if (output.scores !== null && output.format !== "detr" && output.format !== "ssd") {
    faults.push(`/output/scores: got ${output.scores}, expected nothing with the format ${output.format}`);
  }
  if (task === "detect-obb" && output.units === "share") {
    faults.push("/output/units: got share, expected pixels: an angle needs lengths that are alike in both directions");
  }
  return faults;
}
