import type { ModelTensor } from "./model-input.ts";
import type { ModelManifest } from "./model-manifest.ts";
import { hasSeparateScores, valuesPerAnchor } from "./output-shapes.ts";

/** Output of a model for every candidate place of an object. */
export interface BoxCandidates {
  readonly count: number;
  /** The best class and its score; class -1 when there is none. */
  readonly best: (anchor: number) => readonly [classIndex: number, score: number];
  /** Four numbers, as the manifest tells what they are. */
  readonly box: (anchor: number) => readonly [number, number, number, number];
  /** From the x axis towards the y axis, radians; 0 of boxes along the axes. */
  readonly angle: (anchor: number) => number;
}

/** @param outputs of shapes that have been checked */
export function boxCandidates(outputs: readonly ModelTensor[], manifest: ModelManifest): BoxCandidates {
  const [first, second] = outputs;
  if (first === undefined) throw new RangeError("a model without outputs");
  if (manifest.output.format === "yolo-nms") return listed(first);
  if (!hasSeparateScores(manifest.output)) return joined(first, manifest);
  if (second === undefined) throw new RangeError("a model without scores");
  return separate(first, second, manifest);
}

/** `[1, boxes, 6]`: boxes that the model has sorted out itself. Unused rows have the score 0. */
function listed({ data, dims }: ModelTensor): BoxCandidates {
  return {
    count: dims[1] ?? 0,
    best: (anchor) => [Math.round(data[anchor * 6 + 5]!), data[anchor * 6 + 4]!],
    box: (anchor) => fourAt(data, anchor * 6),
    angle: () => 0,
  };
}

/** `[1, 4 + classes (+ 1), anchors]`, or the same transposed. */
function joined({ data, dims }: ModelTensor, manifest: ModelManifest): BoxCandidates {
  const values = valuesPerAnchor(manifest);
  const [, second = 0, third = 0] = dims;
  const byValue = second === values;
  const count = byValue ? third : second;
  const { classes, output } = manifest;
  const at = (value: number, anchor: number): number =>
    data[byValue ? value * count + anchor : anchor * values + value]!;
  return {
    count,
    best: (anchor) => bestOf((classIndex) => at(4 + classIndex, anchor), 0, classes.length, output.activation),
    box: (anchor) => [at(0, anchor), at(1, anchor), at(2, anchor), at(3, anchor)],
    angle: output.format === "yolov8-obb" ? (anchor) => at(values - 1, anchor) : () => 0,
  };
}

/** Boxes `[1, anchors, 4]` and scores `[1, anchors, classes]`, with one more for nothing: `ssd` first, `detr` last. */
function separate(boxes: ModelTensor, scores: ModelTensor, { classes, output }: ModelManifest): BoxCandidates {
  const width = scores.dims[2] ?? 0;
  const nothing = width === classes.length ? null : output.format === "ssd" ? 0 : width - 1;
  const skipped = nothing === 0 ? 1 : 0;
  return {
    count: boxes.dims[1] ?? 0,
    best(anchor) {
      const score = (index: number): number => scores.data[anchor * width + index]!;
      const [index, value] = bestOf(score, skipped, skipped + classes.length, output.activation, width);
      return [index - skipped, value];
    },
    box: (anchor) => fourAt(boxes.data, anchor * 4),
    angle: () => 0,
  };
}

function fourAt(data: ModelTensor["data"], at: number): readonly [number, number, number, number] {
  return [data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!];
}

/**
 * The largest of scores from one index to before another, after the activation; -1 when none is a number.
 *
 * @param width number of all scores, which softmax shares out; those up to `to` unless given
 */
export function bestOf(
  score: (index: number) => number,
  from: number,
  to: number,
  activation: ModelManifest["output"]["activation"],
  width = to,
): readonly [index: number, score: number] {
  let index = -1;
  let best = -Infinity;
  for (let i = from; i < to; i++) {
    const value = score(i);
    if (value > best) [best, index] = [value, i];
  }
  if (activation === "sigmoid") return [index, 1 / (1 + Math.exp(-best))];
  if (activation === "none") return [index, best];
  let [sum, top] = [0, best];
  for (let i = 0; i < width; i++) top = Math.max(top, score(i));
  for (let i = 0; i < width; i++) sum += Math.exp(score(i) - top);
  return [index, index < 0 ? -Infinity : Math.exp(best - top) / sum];
}
