import { boxCandidates } from "./box-candidates.ts";
import type { ModelTensor } from "./model-input.ts";
import type { ModelManifest } from "./model-manifest.ts";
import { ModelOutputError, shapeFault } from "./output-shapes.ts";
import type { Corners } from "./polygon-overlap.ts";

/** A box in pixels of the model's input. */
export interface DecodedBox {
  readonly className: string;
  readonly confidence: number;
  readonly centre: readonly [x: number, y: number];
  readonly corners: Corners;
}

/** Scores of half precision may be a little above 1. */
const MAX_SCORE = 1.01;

/**
 * Boxes of one tile, at most `maxDet`, best first.
 *
 * @param outputs one tensor, or boxes and scores
 * @throws {ModelOutputError} when the tensors have other shapes or the scores are none
 */
export function decodeBoxes(outputs: readonly ModelTensor[], manifest: ModelManifest): readonly DecodedBox[] {
  const fault = shapeFault(
    manifest,
    outputs.map(({ dims }) => dims),
  );
  if (fault !== null) throw new ModelOutputError(fault);
  const { classes, output, conf, maxDet } = manifest;
  const { count, best, box, angle } = boxCandidates(outputs, manifest);
  const found: { readonly anchor: number; readonly classIndex: number; readonly score: number }[] = [];
  for (let anchor = 0; anchor < count; anchor++) {
    const [classIndex, score] = best(anchor);
    if (score > MAX_SCORE) throw scoreError(score, output);
    if (classes[classIndex] !== undefined && score >= conf) {
      found.push({ anchor, classIndex, score: Math.min(1, score) });
    }
  }
  return found
    .toSorted((a, b) => b.score - a.score || a.anchor - b.anchor)
    .slice(0, maxDet)
    .flatMap(({ anchor, classIndex, score }) => {
      const [x, y, width, height] = placed(box(anchor), manifest);
      const turn = angle(anchor);
      if (!(width > 0 && height > 0 && Number.isFinite(x + y + width + height + turn))) return [];
      return [
        {
          className: classes[classIndex]!,
          confidence: score,
          centre: [x, y] as const,
          corners: cornersOf(x, y, width, height, turn),
        },
      ];
    });
}

/** Error for a score outside of 0 to 1. */
export function scoreError(score: number, { activation }: ModelManifest["output"]): ModelOutputError {
  return new ModelOutputError(
    `got a score of ${score.toPrecision(4)} with the activation ${activation}, expected 0 to 1: models that give logits need sigmoid or softmax`,
  );
}

type Four = readonly [number, number, number, number];

/** Middle and size in pixels. */
function placed([a, b, c, d]: Four, { input, output }: ModelManifest): Four {
  const [heightPx, widthPx] = output.units === "share" ? input.size : [1, 1];
  const [x, y, width, height] = output.boxes === "xywh" ? [a, b, c, d] : [(a + c) / 2, (b + d) / 2, c - a, d - b];
  return [x * widthPx, y * heightPx, width * widthPx, height * heightPx];
}

function cornersOf(x: number, y: number, width: number, height: number, angle: number): Corners {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const corner = (right: number, down: number): readonly [number, number] => [
    x + cos * right * width - sin * down * height,
    y + sin * right * width + cos * down * height,
  ];
  return [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)];
}
