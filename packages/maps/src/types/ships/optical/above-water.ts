import { nthSmallest } from "../sea/nth-smallest.ts";
import type { AnalysisBlock } from "../../../analysis/block.ts";

/** Bands of a search and their quantity. */
export interface SearchedBands {
  readonly roles: readonly string[];
  readonly isReflectance: boolean;
}

/**
 * Least near infrared in parts of the visible light, both above the sea around. Water absorbs 4 to 5 per metre at 840 nm:
 * half a metre of it leaves a hundredth of the light of the bottom on the way down and up. Foam and paint keep a third and more.
 */
const LEAST_INFRARED_SHARE = 0.15;
/** Without calibration: standard deviations of the sea. */
const LEAST_INFRARED_NOISE = 2;
const SHOWN_NOISE = 3;
/** Floating weed and overgrown islets: vegetation index, and reflectance in the near infrared. */
const PLANT_NDVI = 0.4;
const PLANT_INFRARED = 0.12;
/** Sea around an object, pixels from its bounding box. */
const AROUND_PX = 12;
const MIN_AROUND = 30;

export type Surface = "above-water" | "under-water" | "plants";

/**
 * Whether an object rises above the water, by the near infrared of its pixels. Without that band everything does.
 *
 * @param background 1 on sea without objects
 */
export function surfaceOf(
  members: Int32Array,
  { rect, scenes }: AnalysisBlock,
  background: Uint8Array,
  { roles, isReflectance }: SearchedBands,
): Surface {
  const at = (role: string): Float32Array | undefined => scenes[0]![roles.indexOf(role)];
  const [infrared, red] = [at("N"), at("R")];
  if (infrared === undefined) return "above-water";
  const around = seaAround(members, background, rect.columns, rect.rows);
  if (around.length < MIN_AROUND) return "above-water";
  const near = excessOver(infrared, members, around);
  const visible = ["B", "G", "R"].flatMap((role) => {
    const plane = at(role);
    return plane === undefined ? [] : [excessOver(plane, members, around)];
  });
  const brightest = visible.toSorted((a, b) => b.excess - a.excess)[0];
  if (brightest !== undefined && brightest.excess > SHOWN_NOISE * brightest.noise) {
    const least = isReflectance ? LEAST_INFRARED_SHARE * brightest.excess : LEAST_INFRARED_NOISE * near.noise;
    if (near.excess < least) return "under-water";
  }
  if (!isReflectance || red === undefined) return "above-water";
  const [n, r] = [meanOf(infrared, members), meanOf(red, members)];
  return n > PLANT_INFRARED && n - r > PLANT_NDVI * (n + r) ? "plants" : "above-water";
}

function seaAround(members: Int32Array, background: Uint8Array, columns: number, rows: number): readonly number[] {
  let [left, right, top, bottom] = [columns, 0, rows, 0];
  for (const i of members) {
    const row = Math.floor(i / columns);
    const column = i - row * columns;
    left = Math.min(left, column);
    right = Math.max(right, column);
    top = Math.min(top, row);
    bottom = Math.max(bottom, row);
  }
  const around: number[] = [];
  for (let row = Math.max(0, top - AROUND_PX); row <= Math.min(rows - 1, bottom + AROUND_PX); row++) {
    for (let column = Math.max(0, left - AROUND_PX); column <= Math.min(columns - 1, right + AROUND_PX); column++) {
      if (background[row * columns + column] === 1) around.push(row * columns + column);
    }
  }
  return around;
}

/** Mean of the object over the middle of the sea around, and the standard deviation of that sea by its quartiles. */
function excessOver(
  plane: Float32Array,
  members: Int32Array,
  around: readonly number[],
): { readonly excess: number; readonly noise: number } {
  const sea = Float64Array.from(around, (i) => plane[i]!);
  const quantile = (share: number): number => nthSmallest(sea, Math.floor(share * (sea.length - 1)));
  const noise = (quantile(0.75) - quantile(0.25)) / 1.349;
  return { excess: meanOf(plane, members) - quantile(0.5), noise };
}

function meanOf(plane: Float32Array, members: Int32Array): number {
  let sum = 0;
  for (const i of members) sum += plane[i]!;
  return sum / members.length;
}
