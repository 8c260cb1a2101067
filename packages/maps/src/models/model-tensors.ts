import { channelCount, type ModelManifest } from "./model-manifest.ts";
import { LABEL_TYPES, ONNX_TYPES, type OnnxFile, type OnnxTensorInfo } from "./onnx-file.ts";
import { hasSeparateScores, shapeFault } from "./output-shapes.ts";

/** Names of the tensors that a model is given and asked for. */
export interface ModelTensors {
  readonly input: string;
  /** One, or two for boxes and scores. */
  readonly outputs: readonly string[];
}

export type FoundTensors =
  | { readonly valid: true; readonly tensors: ModelTensors }
  | { readonly valid: false; readonly faults: readonly string[] };

const OUTPUT_TYPES: readonly number[] = Object.values(ONNX_TYPES);

/** Finds the tensors that a manifest means, and says where the file and the manifest differ before anything runs. */
export function findTensors(file: OnnxFile, manifest: ModelManifest): FoundTensors {
  const faults: string[] = [];
  const input = findInput(file, manifest, faults);
  const outputs = findOutputs(file, manifest, faults);
  const isLabels = manifest.output.format === "labels";
  for (const { name, elementType } of outputs) {
    if (!(isLabels ? [...OUTPUT_TYPES, ...LABEL_TYPES] : OUTPUT_TYPES).includes(elementType)) {
      const expected = [...Object.keys(ONNX_TYPES), ...(isLabels ? ["int32", "int64"] : [])].join(", ");
      faults.push(`the output ${name} has the element type ${typeName(elementType)}, expected ${expected}`);
    }
  }
  const shapes = outputs.map(({ dims }) => dims);
  if (shapes.length > 0 && shapes.every((dims) => dims !== null)) {
    const fault = shapeFault(manifest, shapes);
    if (fault !== null) faults.push(fault);
  }
  return faults.length > 0 || input === null
    ? { valid: false, faults }
    : { valid: true, tensors: { input: input.name, outputs: outputs.map(({ name }) => name) } };
}

function findInput({ inputs }: OnnxFile, manifest: ModelManifest, faults: string[]): OnnxTensorInfo | null {
  const { name, dtype } = manifest.input;
  const input = inputs.find((one) => name === null || one.name === name);
  if (inputs.length !== 1 || input === undefined) {
    const expected = name ?? "one";
    faults.push(
      `has the inputs ${inputs.map((one) => one.name).join(", ") || "none"}, expected ${expected} and no other`,
    );
    return null;
  }
  if (input.elementType !== ONNX_TYPES[dtype]) {
    faults.push(`/input/dtype: got ${dtype}, expected ${typeName(input.elementType)} as the model's input`);
  }
  const fault = inputShapeFault(input, manifest);
  if (fault !== null) faults.push(fault);
  return input;
}

function inputShapeFault({ dims }: OnnxTensorInfo, manifest: ModelManifest): string | null {
  const { input } = manifest;
  const channels = channelCount(manifest);
  if (dims === null) return null;
  if (input.form === "rows") {
    const [rows, columns] = dims;
    if (dims.length === 2 && rows === null && (columns === null || columns === channels)) return null;
    const got = dims.map((dim) => dim ?? "?").join(" x ");
    return `the model's input is ${got}, expected rows of any number x ${channels} as bands and dates of the manifest say`;
  }
  const [height, width] = input.size;
  const wanted = input.layout === "NCHW" ? [1, channels, height, width] : [1, height, width, channels];
  const fits = dims.length === 4 && dims.every((dim, axis) => dim === null || dim === wanted[axis]);
  if (fits) return null;
  const got = dims.map((dim) => dim ?? "?").join(" x ");
  return `the model's input is ${got}, expected ${wanted.join(" x ")} as layout, bands and size of the manifest say`;
}

function findOutputs({ outputs }: OnnxFile, manifest: ModelManifest, faults: string[]): readonly OnnxTensorInfo[] {
  const { output } = manifest;
  const known = outputs.map(({ name }) => name).join(", ");
  const named = (name: string, place: string): readonly OnnxTensorInfo[] => {
    const found = outputs.find((one) => one.name === name);
    if (found === undefined) faults.push(`${place}: got ${name}, expected one of the model's outputs ${known}`);
    return found === undefined ? [] : [found];
  };
  if (!hasSeparateScores(output)) {
    return output.name === null ? suited(outputs, output.format) : named(output.name, "/output/name");
  }
  const fours = outputs.filter(({ dims }) => dims?.at(-1) === 4);
  const others = outputs.filter((one) => one.dims?.length === 3 && !fours.includes(one));
  const boxes = output.name === null ? fours : named(output.name, "/output/name");
  const scores = output.scores === null ? others : named(output.scores, "/output/scores");
  if (boxes.length === 1 && scores.length === 1) return [...boxes, ...scores];
  if (output.name === null || output.scores === null) {
    faults.push(
      `/output: got the outputs ${known}, expected one of 1 x anchors x 4 and one of scores: give name (of boxes) and scores`,
    );
  }
  return [];
}

/** The first output that a format can mean; of several of skl2onnx, labels or scores. */
function suited(outputs: readonly OnnxTensorInfo[], format: ModelManifest["output"]["format"]): typeof outputs {
  if (format === "labels" || format === "scores") {
    const found = outputs.find(
      (one) => LABEL_TYPES.includes(one.elementType) === (format === "labels") && one.elementType !== 0,
    );
    if (found !== undefined) return [found];
  }
  return outputs.slice(0, 1);
}

/** The name of an element type of the format. */
export function typeName(elementType: number): string {
  const others: Readonly<Record<number, string>> = { 0: "none: no tensor", 6: "int32", 7: "int64", 8: "string" };
  if (others[elementType] !== undefined) return others[elementType];
  return Object.entries(ONNX_TYPES).find(([, number]) => number === elementType)?.[0] ?? `number ${elementType}`;
}
