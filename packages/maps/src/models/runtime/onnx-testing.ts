import { Buffer } from "node:buffer";

/** Writes the few messages of the ONNX format (onnx.proto3) that small networks are made of. */
export type Field = readonly [number: number, value: number | string | Uint8Array | readonly Field[]];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return bytes;
}

function message(fields: readonly Field[]): Uint8Array {
  const parts = fields.map(([number, value]) => {
    if (typeof value === "number") return Uint8Array.from([...varint(number * 8), ...varint(value)]);
    const bytes = typeof value === "string" ? Buffer.from(value) : value instanceof Uint8Array ? value : message(value);
    return Buffer.concat([Uint8Array.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
  });
  return Buffer.concat(parts);
}

/** Element types of the format. */
export const FLOAT = 1;
export const UINT8 = 2;
export const INT64 = 7;
const BOOL = 9;
export const FLOAT16 = 10;

/** An initialiser of floats, or of integers when it is told so. */
export function tensor(name: string, dims: readonly number[], values: readonly number[], integers = false): Field {
  return [5, tensorFields(name, dims, values, integers)];
}

function tensorFields(
  name: string,
  dims: readonly number[],
  values: readonly number[],
  integers: boolean,
): readonly Field[] {
  const raw = integers ? BigInt64Array.from(values, BigInt) : Float32Array.from(values);
  return [
    ...dims.map((dim): Field => [1, dim]),
    [2, integers ? INT64 : FLOAT],
    [8, name],
    [9, new Uint8Array(raw.buffer)],
  ];
}

/** A tensor of floats whose numbers are in another file; as a field of a graph (5), or of an attribute (5, too). */
export function externalTensor(name: string, dims: readonly number[], location: string): Field {
  const entry: Field = [
    13,
    [
      [1, "location"],
      [2, location],
    ],
  ];
  return [5, [...dims.map((dim): Field => [1, dim]), [2, FLOAT], [8, name], entry, [14, 1]]];
}

const INT = 2;
const GRAPH = 5;
const INTS = 7;
const TENSOR = 4;

/** A graph within a node. */
export interface Subgraph {
  readonly graph: readonly Field[];
}

/** Numbers within a node. */
export interface Constant {
  readonly tensor: Field;
}

type Attribute = number | readonly number[] | Subgraph | Constant;

function attribute([name, value]: readonly [string, Attribute]): Field {
  const said: Field = [1, name];
  if (typeof value === "number") return [5, [said, [3, value], [20, INT]]];
  if ("graph" in value) return [5, [said, [6, value.graph], [20, GRAPH]]];
  if ("tensor" in value) return [5, [said, value.tensor, [20, TENSOR]]];
  return [5, [said, ...value.map((one): Field => [8, one]), [20, INTS]]];
}

/** A node of the graph; attributes are integers, graphs and tensors. */
export function node(
  type: string,
  inputs: readonly string[],
  output: string | readonly string[],
  attributes: Readonly<Record<string, Attribute>> = {},
  domain = "",
): Field {
  const outputs = typeof output === "string" ? [output] : output;
  return [
    1,
    [
      ...inputs.map((input): Field => [1, input]),
      ...outputs.map((name): Field => [2, name]),
      [4, type],
      ...Object.entries(attributes).map(attribute),
      [7, domain],
    ],
  ];
}

/** A tensor that goes in (11) or out (12); a text is a dynamic dimension. */
export function valueInfo(
  field: 11 | 12,
  name: string,
  dims: readonly (number | string)[],
  elementType = FLOAT,
): Field {
  const shape: Field = [2, dims.map((dim): Field => [1, [typeof dim === "number" ? [1, dim] : [2, dim]]])];
  return [
    field,
    [
      [1, name],
      [2, [[1, [[1, elementType], shape]]]],
    ],
  ];
}

export interface OnnxOptions {
  readonly inputType?: number;
  readonly outputType?: number;
  /** Of further outputs by name. */
  readonly outputs?: Readonly<Record<string, readonly (number | string)[]>>;
  /** Notes of the tool that wrote the file. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Further fields of the model. */
  readonly fields?: readonly Field[];
}

/** The bytes of a model with one input, `images`, and the output `output0`, of floats unless it is told otherwise. */
export function onnxModel(
  input: readonly (number | string)[],
  output: readonly (number | string)[],
  parts: readonly Field[],
  { inputType = FLOAT, outputType = FLOAT, outputs = {}, metadata = {}, fields = [] }: OnnxOptions = {},
): Uint8Array {
  const graph: readonly Field[] = [
    ...parts,
    [2, "test"],
    valueInfo(11, "images", input, inputType),
    valueInfo(12, "output0", output, outputType),
    ...Object.entries(outputs).map(([name, dims]) => valueInfo(12, name, dims)),
  ];
  return message([
    [1, 8],
    [7, graph],
    [
      8,
      [
        [1, ""],
        [2, 13],
      ],
    ],
    ...Object.entries(metadata).map(([key, value]): Field => [
      14,
      [
        [1, key],
        [2, value],
      ],
    ]),
    ...fields,
  ]);
}

/** A mask of one class that adds an image to itself so often that it never ends. */
export function endlessModel(size: number): Uint8Array {
  const shape = [1, 1, size, size];
  const body: Subgraph = {
    graph: [
      node("Identity", ["going"], "goesOn"),
      node("Add", ["sum", "sum"], "more"),
      [2, "body"],
      valueInfo(11, "round", [], INT64),
      valueInfo(11, "going", [], BOOL),
      valueInfo(11, "sum", shape),
      valueInfo(12, "goesOn", [], BOOL),
      valueInfo(12, "more", shape),
    ],
  };
  return onnxModel(shape, shape, [
    tensor("rounds", [], [2 ** 50], true),
    node("Loop", ["rounds", "", "images"], "output0", { body }),
  ]);
}

/** A mask of one class that wants so many bytes on its way. */
export function hungryModel(size: number, bytes: number): Uint8Array {
  const shape = [1, 1, size, size];
  return onnxModel(shape, shape, [
    tensor("times", [4], [1, bytes / 4 / size / size, 1, 1], true),
    node("Expand", ["images", "times"], "wide"),
    node("Sin", ["wide"], "wave"),
    node("ReduceMean", ["wave"], "output0", { axes: [1], keepdims: 1 }),
  ]);
}

/** Tells dark windows from bright ones, by the mean of all their numbers; logits of `[1, 2]`. */
export function brightnessClassifier(size: number, bands: number, threshold: number): Uint8Array {
  return onnxModel(
    [1, bands, size, size],
    [1, 2],
    [
      tensor("signs", [2], [-1, 1]),
      tensor("bias", [2], [threshold, -threshold]),
      tensor("shape", [2], [1, 1], true),
      node("ReduceMean", ["images"], "mean", { axes: [1, 2, 3], keepdims: 1 }),
      node("Reshape", ["mean", "shape"], "one"),
      node("Mul", ["one", "signs"], "signed"),
      node("Add", ["signed", "bias"], "output0"),
    ],
  );
}

/**
 * A detector of bright squares of `objectPx` pixels on dark ground: one convolution whose answer is the mean of a window
 * less that of its surroundings; every pixel is an anchor at its own place, with a box of the object's size. Boxes are
 * `[1, 4 + 1 (+ 1), size * size]` as YOLOv8 gives them. Its receptive field is `3 * objectPx`.
 */
export function blobDetector(
  size: number,
  objectPx: number,
  angleRad: number | null,
  options: Pick<OnnxOptions, "metadata"> = {},
): Uint8Array {
  const side = 3 * objectPx - ((3 * objectPx + 1) % 2);
  const half = (side - 1) / 2;
  const inner = (objectPx - 1) / 2;
  const weights: number[] = [];
  const count = objectPx ** 2;
  for (let y = -half; y <= half; y++) {
    for (let x = -half; x <= half; x++) {
      weights.push(Math.abs(x) <= inner && Math.abs(y) <= inner ? 1 / count : -1 / (side ** 2 - count));
    }
  }
  const anchors = size * size;
  const places = Array.from({ length: anchors }, (_, at) => [(at % size) + 0.5, Math.floor(at / size) + 0.5]);
  const fixed = [
    ...places.map(([x = 0]) => x),
    ...places.map(([, y = 0]) => y),
    ...Array.from({ length: 2 * anchors }, () => objectPx),
  ];
  const rows = angleRad === null ? 5 : 6;
  return onnxModel(
    [1, 1, size, size],
    [1, rows, anchors],
    [
      tensor("weights", [1, 1, side, side], weights),
      tensor("boxes", [1, 4, anchors], fixed),
      ...(angleRad === null
        ? []
        : [
            tensor(
              "angle",
              [1, 1, anchors],
              Array.from({ length: anchors }, () => angleRad),
            ),
          ]),
      tensor("shape", [3], [1, 1, anchors], true),
      node("Conv", ["images", "weights"], "contrast", { kernel_shape: [side, side], pads: [half, half, half, half] }),
      node("Reshape", ["contrast", "shape"], "scores"),
      node("Concat", angleRad === null ? ["boxes", "scores"] : ["boxes", "scores", "angle"], "output0", { axis: 1 }),
    ],
    options,
  );
}
