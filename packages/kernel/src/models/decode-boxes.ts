import type { ModelTensor } from "./model-input.ts";
import type { ModelManifest } from "./model-manifest.ts";
import type { Corners } from "./polygon-overlap.ts";

/** A box in pixels of the model's input. */
export interface DecodedBox {
  readonly className: string;
  readonly confidence: number;
  readonly centre: readonly [x: number, y: number];
  readonly corners: Corners;
}

/** The output has another form than the manifest says. */
export class ModelOutputError extends Error {
  override readonly name = "ModelOutputError";
}

/**
 * Boxes of one tile from `[1, 4 + classes (+ 1), anchors]` or the same transposed, at most `maxDet`, best first. The
 * angle of oriented boxes comes last, in radians from the x axis towards the y axis.
 *
 * @throws {ModelOutputError} when the tensor has another shape
 */
export function decodeBoxes(tensor: ModelTensor, manifest: ModelManifest): readonly DecodedBox[] {
  const { classes, output, conf, maxDet } = manifest;
  const oriented = output.format === "yolov8-obb";
  const values = 4 + classes.length + (oriented ? 1 : 0);
  const [, second = 0, third = 0] = tensor.dims;
  if (tensor.dims.length !== 3 || tensor.dims[0] !== 1 || (second !== values && third !== values)) {
    throw new ModelOutputError(
      `the model gave a tensor of ${tensor.dims.join(" x ")}, expected 1 x ${values} x anchors for ${classes.length} classes`,
    );
  }
  const byValue = second === values;
  const anchors = byValue ? third : second;
  const { data } = tensor;
  const at = (value: number, anchor: number): number =>
    data[byValue ? value * anchors + anchor : anchor * values + value]!;
  const found: { readonly anchor: number; readonly classIndex: number; readonly score: number }[] = [];
  for (let anchor = 0; anchor < anchors; anchor++) {
    let classIndex = -1;
    let score = -Infinity;
    for (let c = 0; c < classes.length; c++) {
      const value = at(4 + c, anchor);
      if (value > score) [score, classIndex] = [value, c];
    }
    if (output.activation === "sigmoid") score = 1 / (1 + Math.exp(-score));
    if (classIndex >= 0 && score >= conf) found.push({ anchor, classIndex, score: Math.min(1, score) });
  }
  return found
    .toSorted((a, b) => b.score - a.score || a.anchor - b.anchor)
    .slice(0, maxDet)
    .flatMap(({ anchor, classIndex, score }) => {
      const box = [at(0, anchor), at(1, anchor), at(2, anchor), at(3, anchor)] as const;
      const [x, y, width, height] =
        output.boxes === "xywh"
          ? box
          : [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, box[2] - box[0], box[3] - box[1]];
      const angle = oriented ? at(4 + classes.length, anchor) : 0;
      if (!(width > 0 && height > 0 && Number.isFinite(x + y + width + height + angle))) return [];
      return [
        {
          className: classes[classIndex]!,
          confidence: score,
          centre: [x, y],
          corners: cornersOf(x, y, width, height, angle),
        },
      ];
    });
}

function cornersOf(x: number, y: number, width: number, height: number, angle: number): Corners {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const corner = (right: number, down: number): readonly [number, number] => [
    x + cos * right * width - sin * down * height,
    y + sin * right * width + cos * down * height,
  ];
  return [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)];
}

/**
 * Class of every pixel of the output, 0 for none, 1 for the first; and its size, which may be a fraction of the input's.
 * With one plane more than classes the first is the background.
 *
 * @throws {ModelOutputError} when the tensor has another shape
 */
export function decodeMask(
  { data, dims }: ModelTensor,
  { classes, output, conf }: ModelManifest,
): { readonly values: Uint8Array; readonly heightPx: number; readonly widthPx: number } {
  const [, planes = 0, heightPx = 0, widthPx = 0] = dims;
  const hasBackground = planes === classes.length + 1;
  if (dims.length !== 4 || dims[0] !== 1 || (planes !== classes.length && !hasBackground)) {
    throw new ModelOutputError(
      `the model gave a tensor of ${dims.join(" x ")}, expected 1 x ${classes.length} x height x width`,
    );
  }
  const size = heightPx * widthPx;
  const values = new Uint8Array(size);
  for (let i = 0; i < size; i++) {
    let best = -1;
    let score = -Infinity;
    for (let plane = 0; plane < planes; plane++) {
      const value = data[plane * size + i]!;
      if (value > score) [score, best] = [value, plane];
    }
    if (output.activation === "sigmoid") score = 1 / (1 + Math.exp(-score));
    if (hasBackground) values[i] = Math.max(0, best);
    else if (score >= conf) values[i] = best + 1;
  }
  return { values, heightPx, widthPx };
}
