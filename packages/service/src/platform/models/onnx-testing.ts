import { Buffer } from "node:buffer";

/** Writes the few messages of the ONNX format (onnx.proto3) that small networks are made of. */
type Field = readonly [number: number, value: number | string | Uint8Array | readonly Field[]];

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

const FLOAT = 1;
const INT64 = 7;

/** An initialiser of floats, or of integers when it is told so. */
export function tensor(name: string, dims: readonly number[], values: readonly number[], integers = false): Field {
  const raw = integers ? BigInt64Array.from(values, BigInt) : Float32Array.from(values);
  return [
    5,
    [...dims.map((dim): Field => [1, dim]), [2, integers ? INT64 : FLOAT], [8, name], [9, new Uint8Array(raw.buffer)]],
  ];
}

const INTS = 7;

/** A node of the graph; attributes are lists of integers. */
export function node(
  type: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, number | readonly number[]>> = {},
  domain = "",
): Field {
  return [
    1,
    [
      ...inputs.map((input): Field => [1, input]),
      [2, output],
      [4, type],
      ...Object.entries(attributes).map(([name, value]): Field => [
        5,
        typeof value === "number"
          ? [
              [1, name],
              [3, value],
              [20, 2],
            ]
          : [[1, name], ...value.map((one): Field => [8, one]), [20, INTS]],
      ]),
      [7, domain],
    ],
  ];
}

/** A tensor of floats that goes in or out. */
function valueInfo(field: 11 | 12, name: string, dims: readonly number[]): Field {
  const shape: Field = [2, dims.map((dim): Field => [1, [[1, dim]]])];
  return [
    field,
    [
      [1, name],
      [2, [[1, [[1, FLOAT], shape]]]],
    ],
  ];
}

/** The bytes of a model with one input and one output of floats. */
export function onnxModel(input: readonly number[], output: readonly number[], parts: readonly Field[]): Uint8Array {
  return message([
    [1, 8],
    [7, [...parts, [2, "test"], valueInfo(11, "images", input), valueInfo(12, "output0", output)]],
    [
      8,
      [
        [1, ""],
        [2, 13],
      ],
    ],
  ]);
}

/**
 * A detector of bright squares of `objectPx` pixels on dark ground: one convolution whose answer is the mean of a window
 * less that of its surroundings; every pixel is an anchor at its own place, with a box of the object's size. Boxes are
 * `[1, 4 + 1 (+ 1), size * size]` as YOLOv8 gives them. Its receptive field is `3 * objectPx`.
 */
export function blobDetector(size: number, objectPx: number, angleRad: number | null): Uint8Array {
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
  );
}
