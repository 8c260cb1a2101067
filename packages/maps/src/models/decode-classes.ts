import { bestOf } from "./box-candidates.ts";
import { scoreError } from "./decode-boxes.ts";
import type { ModelTensor } from "./model-input.ts";
import type { ModelManifest } from "./model-manifest.ts";
import { ModelOutputError, shapeFault } from "./output-shapes.ts";

/**
 * The only output.
 *
 * @throws {ModelOutputError} when there is none, or it has another shape than the manifest says
 */
export function checkedOutput(outputs: readonly ModelTensor[], manifest: ModelManifest): ModelTensor {
  const fault = shapeFault(
    manifest,
    outputs.map(({ dims }) => dims),
  );
  const [output] = outputs;
  if (fault !== null || output === undefined) throw new ModelOutputError(fault ?? "got no output, expected one");
  return output;
}

/**
 * Class of a whole window, 0 for none and 1 for the first, and the score of the best class, 0 to 1.
 *
 * @throws {ModelOutputError} when the tensor has another shape or the scores are none
 */
export function decodeWindow(
  outputs: readonly ModelTensor[],
  manifest: ModelManifest,
): { readonly value: number; readonly confidence: number } {
  const { data } = checkedOutput(outputs, manifest);
  const { classes, output, conf } = manifest;
  const [index, score] = bestOf((i) => data[i]!, 0, classes.length, output.activation);
  if (index < 0) return { value: 0, confidence: 0 };
  if (score > 1.01) throw scoreError(score, output);
  const confidence = Math.min(1, Math.max(0, score));
  return { value: confidence >= conf ? index + 1 : 0, confidence };
}

/**
 * Class of every pixel of the output, 0 for none, 1 for the first; and its size, which may be a fraction of the input's.
 * With one plane more than classes the first is the background.
 *
 * @throws {ModelOutputError} when the tensor has another shape
 */
export function decodeMask(
  outputs: readonly ModelTensor[],
  manifest: ModelManifest,
): { readonly values: Uint8Array; readonly heightPx: number; readonly widthPx: number } {
  const { data, dims } = checkedOutput(outputs, manifest);
  const { classes, output, conf } = manifest;
  const [, planes = 0, heightPx = 0, widthPx = 0] = dims;
  const hasBackground = planes === classes.length + 1;
  const size = heightPx * widthPx;
  const values = new Uint8Array(size);
  for (let i = 0; i < size; i++) {
    const [best, score] = bestOf((plane) => data[plane * size + i]!, 0, planes, output.activation);
    if (hasBackground) values[i] = Math.max(0, best);
    else if (score >= conf) values[i] = best + 1;
  }
  return { values, heightPx, widthPx };
}
