import type { ModelManifest } from "./model-manifest.ts";

/** Dimensions of a tensor; null where they are not known before the model runs. */
export type Shape = readonly (number | null)[];

/** The output has another form than the manifest says. */
export class ModelOutputError extends Error {
  override readonly name = "ModelOutputError";
}

/** Numbers per anchor of the formats that have boxes and scores in one tensor. */
export function valuesPerAnchor({ classes, output }: Pick<ModelManifest, "classes" | "output">): number {
  return 4 + classes.length + (output.format === "yolov8-obb" ? 1 : 0);
}

/** Whether there are two outputs, of boxes and of scores. */
export function hasSeparateScores({ format }: ModelManifest["output"]): boolean {
  return format === "detr" || format === "ssd";
}

/**
 * Fault of the shapes of the outputs, one or boxes and scores; null without a fault. Unknown dimensions fit.
 */
export function shapeFault(manifest: ModelManifest, shapes: readonly Shape[]): string | null {
  const { classes, output } = manifest;
  const [first = [], second = []] = shapes;
  const count = classes.length;
  const fault = (got: Shape, expected: string): string =>
    `got an output of ${shown(got)}, expected ${expected} for ${count} classes`;
  switch (output.format) {
    case "yolov8":
    case "yolov8-obb": {
      const values = valuesPerAnchor(manifest);
      const fits = isOf(first, [1, values, null]) || isOf(first, [1, null, values]);
      return fits ? null : fault(first, `1 x ${values} x anchors`);
    }
    case "yolo-nms":
      return isOf(first, [1, null, 6]) ? null : fault(first, "1 x boxes x 6");
    case "mask": {
      const fits = isOf(first, [1, count, null, null]) || isOf(first, [1, count + 1, null, null]);
      return fits ? null : fault(first, `1 x ${count} (or ${count + 1}, with the background first) x height x width`);
    }
    case "classify":
      return isOf(first, [1, count]) ? null : fault(first, `1 x ${count}`);
    case "labels":
      return isOf(first, [null]) || isOf(first, [null, 1]) ? null : fault(first, "one number per row");
    case "scores":
      return isOf(first, [null, count]) ? null : fault(first, `rows x ${count}`);
    case "values": {
      const isRows = manifest.input.form === "rows";
      const fits = isRows
        ? isOf(first, [null]) || isOf(first, [null, 1])
        : isOf(first, [1, 1, null, null]) || isOf(first, [1, null, null]);
      const form = isRows ? "one number per row" : "1 x 1 x height x width";
      return fits ? null : `got an output of ${shown(first)}, expected ${form}`;
    }
    case "detr":
    case "ssd": {
      if (!isOf(first, [1, null, 4])) return fault(first, "boxes of 1 x anchors x 4");
      const anchors = first[1] ?? null;
      const more = isOf(second, [1, anchors, count + 1]);
      if (output.format === "ssd") {
        const fits = more || isOf(second, [1, anchors, count]);
        return fits ? null : fault(second, `scores of 1 x ${anchors ?? "anchors"} x ${count} or ${count + 1}`);
      }
      const wanted = output.activation === "softmax" ? count + 1 : count;
      const fits = wanted === count ? isOf(second, [1, anchors, count]) : more;
      return fits ? null : fault(second, `scores of 1 x ${anchors ?? "queries"} x ${wanted}`);
    }
    default:
      return output.format satisfies never;
  }
}

function shown(shape: Shape): string {
  return shape.map((dim) => dim ?? "?").join(" x ");
}

/** Null on either side fits everything. */
function isOf(shape: Shape, wanted: Shape): boolean {
  return (
    shape.length === wanted.length &&
    shape.every((dim, axis) => dim === null || wanted[axis] === null || dim === wanted[axis])
  );
}
