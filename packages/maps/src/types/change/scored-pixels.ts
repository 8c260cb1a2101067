import type { AnalysisBlock, BlockResult } from "../../analysis/block.ts";
import { attentionRegions } from "./attention-regions.ts";
import { CHANGE_CLASS_NAMES, UNCHANGED } from "./change-classes.ts";

/** What a method says of the pixels of a block, planes of the size of the block. */
export interface ScoredPixels {
  /** 0 where nothing changed to 1; NaN where it cannot be said. */
  readonly heat: Float32Array;
  /** Chi-square where nothing changed. */
  readonly statistic: Float32Array;
  /** Statistic from which a pixel counts as changed. */
  readonly threshold: number;
  /** 1 where changed, small groups removed. */
  readonly changed: Uint8Array;
  /** Class of `change-classes` that a changed pixel has. */
  readonly direction: Uint8Array;
}

/** 1 where there is a number. */
export function validMask(values: Float32Array): Uint8Array {
  const valid = new Uint8Array(values.length);
  for (let i = 0; i < valid.length; i++) if (!Number.isNaN(values[i]!)) valid[i] = 1;
  return valid;
}

/** Classes of the layer of changes: those of the direction where changed, unchanged elsewhere, 0 without data. */
function changeClasses({ heat, changed, direction }: ScoredPixels): Uint8Array {
  const classes = validMask(heat);
  for (let i = 0; i < classes.length; i++) {
    if (classes[i] === 1) classes[i] = changed[i] === 1 ? direction[i]! : UNCHANGED;
  }
  return classes;
}

/** Heat, classes and further layers, with the regions that deserve a look. */
export function changeResult(
  block: AnalysisBlock,
  scored: ScoredPixels,
  trust: number,
  further: (classes: Uint8Array) => readonly (Uint8Array | Float32Array)[],
): BlockResult {
  const classes = changeClasses(scored);
  const { changed, statistic, threshold } = scored;
  const objects = attentionRegions(block, {
    changed,
    statistic,
    threshold,
    classes,
    classNames: CHANGE_CLASS_NAMES,
    trust,
  });
  return { layers: [scored.heat, classes, ...further(classes)], objects };
}
