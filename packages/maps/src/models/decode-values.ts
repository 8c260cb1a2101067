import { bestOf } from "./box-candidates.ts";
import { scoreError } from "./decode-boxes.ts";
import { checkedOutput } from "./decode-classes.ts";
import type { ModelTensor } from "./model-input.ts";
import type { ModelManifest } from "./model-manifest.ts";

/** A picture of numbers, whose size may be a fraction of the input's. */
interface ValuePicture {
  readonly values: Float32Array;
  readonly heightPx: number;
  readonly widthPx: number;
}

/** @throws {ModelOutputError} when the tensor has another shape */
export function decodeValues(outputs: readonly ModelTensor[], manifest: ModelManifest): ValuePicture {
  const { data, dims } = checkedOutput(outputs, manifest);
  return { values: Float32Array.from(data), heightPx: dims.at(-2) ?? 0, widthPx: dims.at(-1) ?? 0 };
}

/** The number of each row; NaN for numbers that are not finite. */
export function decodeRowValues(outputs: readonly ModelTensor[], manifest: ModelManifest): Float32Array {
  const { data } = checkedOutput(outputs, manifest);
  return Float32Array.from(data, (value) => (Number.isFinite(value) ? value : Number.NaN));
}

/**
 * The class of each row, 1 for the first and 0 for none, and with `scores` the score of the best class.
 *
 * @throws {ModelOutputError} when the tensor has another shape or the scores are none
 */
export function decodeRowClasses(
  outputs: readonly ModelTensor[],
  manifest: ModelManifest,
): { readonly classes: Uint8Array; readonly confidence: Float32Array | null } {
  const { data } = checkedOutput(outputs, manifest);
  const { classes: names, conf, output } = manifest;
  if (output.format === "labels") {
    const classOf = new Map(output.labels.map((label, index) => [label, index + 1]));
    return { classes: Uint8Array.from(data, (label) => classOf.get(label) ?? 0), confidence: null };
  }
  const rows = data.length / names.length;
  const classes = new Uint8Array(rows);
  const confidence = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const [best, score] = bestOf((index) => data[row * names.length + index]!, 0, names.length, output.activation);
    if (best < 0) continue;
    if (score > 1.01) throw scoreError(score, output);
    confidence[row] = Math.min(1, Math.max(0, score));
    if (score >= conf) classes[row] = best + 1;
  }
  return { classes, confidence };
}
