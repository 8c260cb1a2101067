import type { AnalysisBlock, AnalysisSurvey } from "../../analysis/block.ts";
import { boxMean } from "../../analysis/shape/box-mean.ts";
import { addToHistogram, emptyHistogram, isBimodal, otsuSplit } from "../../analysis/water/otsu.ts";

/** What is learnt of the whole scene. Plain data. */
export interface CanopyModel {
  /** Vegetation index from which something grows. */
  readonly growsFrom: number;
  /** Mean of the visible bands where there is no light but that of the air: the darkest pixels. */
  readonly haze: number;
  /** Mean of the visible bands that bright vegetation has, lawns and sunlit tops, without haze; NaN where little grows. */
  readonly brightVisible: number;
  /** Median of what leaves reflect, near infrared or green; NaN where little grows. */
  readonly usualLeaves: number;
}

/** Planes of a block and where something stands that may be a crown. */
export interface Canopy {
  /** 1 where leaves of trees are likely. */
  readonly set: Uint8Array;
  /** 1 where all bands are known. */
  readonly valid: Uint8Array;
  /** Mean of the visible bands; NaN where invalid. */
  readonly visible: Float32Array;
  /** Near infrared, or green where there is none; NaN where invalid. */
  readonly leaves: Float32Array;
}

/** With near infrared the index is NDVI, without it is the excess of green over red and blue by their sum. */
const GROWS = { nir: { least: 0.3, most: 0.5, fixed: 0.4 }, rgb: { least: 0.05, most: 0.15, fixed: 0.08 } } as const;
/** Share of vegetation that is brighter than what stands for lawns. */
const BRIGHT_QUANTILE = 0.85;
/** Crowns shade themselves: they are darker than lawns by this factor at least, or rough. */
const DARK = 0.66;
/** What reflects less than this share of the usual is in shade, or a gap between crowns. */
const SHADE = 0.55;
/** What reflects more than so many times the usual is a meadow or a lawn, however dark in visible light. */
const LUSH = 1.4;
/**
 * Standard deviation by mean, of what grows, over five metres: 0.08 to 0.11 on lawns, 0.13 to 0.35 on crowns of real
 * scenes. The least of the windows around counts: at the edge of a lawn one of them is smooth.
 */
const ROUGH = 0.11;
const ROUGH_RADIUS_M = 2;
/** Of what grows within this distance, the majority decides: crowns have bright tops, lawns a rough place. */
const MAJORITY_RADIUS_M = 1.6;
const LEAST_PIXELS = 200;
/** Share of pixels that are as good as black. */
const DARKEST = 0.005;
/** Share of the light of bright vegetation that may come from the air. */
const MOST_HAZE = 0.5;
const QUANTILE_BINS = 1024;

/** Learns from windows at full resolution, or from the overview where there are none, what grows and how bright it is. */
export function surveyCanopy({ overview, windows }: AnalysisSurvey, hasNir: boolean): CanopyModel {
  const blocks = windows.length > 0 ? windows : [overview];
  const limits = hasNir ? GROWS.nir : GROWS.rgb;
  const indices = emptyHistogram(-1, 1);
  for (const block of blocks) {
    const { index } = leavesOf(block, hasNir);
    for (const value of index) if (value === value) addToHistogram(indices, value);
  }
  const split = otsuSplit(indices);
  const growsFrom =
    split !== null && isBimodal(split) ? Math.min(limits.most, Math.max(limits.least, split.threshold)) : limits.fixed;
  const [all, green, reflected]: [number[], number[], number[]] = [[], [], []];
  for (const block of blocks) {
    const { index, visible, leaves } = leavesOf(block, hasNir);
    // One pixel in nine tells as much as all of them.
    for (let i = 0; i < index.length; i += 9) {
      if (visible[i] === visible[i]) all.push(visible[i]!);
      if (!(index[i]! >= growsFrom)) continue;
      green.push(visible[i]!);
      reflected.push(leaves[i]!);
    }
  }
  if (green.length < LEAST_PIXELS) return { growsFrom, haze: 0, brightVisible: Number.NaN, usualLeaves: Number.NaN };
  const bright = quantile(green, BRIGHT_QUANTILE);
  // A scene without anything dark tells nothing of the air.
  const haze = Math.min(quantile(all, DARKEST), MOST_HAZE * bright);
  return { growsFrom, haze, brightVisible: bright - haze, usualLeaves: quantile(reflected, 0.5) };
}

/** Where crowns can be in a block. @param hasNir whether the fourth plane is near infrared */
export function canopyOf(block: AnalysisBlock, model: CanopyModel, hasNir: boolean): Canopy {
  const { columns, rows } = block.rect;
  const { metresPerPixelX, metresPerPixelY } = block.ground;
  const { index, visible, leaves } = leavesOf(block, hasNir);
  const metresPerPixel = Math.sqrt(metresPerPixelX * metresPerPixelY);
  const radius = Math.max(1, Math.round(ROUGH_RADIUS_M / metresPerPixel));
  const darkest = Number.isNaN(model.brightVisible) ? 0 : model.haze + DARK * model.brightVisible;
  const shade = Number.isNaN(model.usualLeaves) ? 0 : SHADE * model.usualLeaves;
  const lush = Number.isNaN(model.usualLeaves) ? Infinity : LUSH * model.usualLeaves;
  const growing = leaves.map((value, i) => (index[i]! >= model.growsFrom && value >= shade ? value : Number.NaN));
  const means = boxMean(growing, columns, rows, radius);
  const squares = boxMean(
    growing.map((value) => value * value),
    columns,
    rows,
    radius,
  );
  const roughness = means.map((mean, i) => Math.sqrt(Math.max(0, squares[i]! - mean * mean)) / mean);
  const likely = new Float32Array(index.length).fill(Number.NaN);
  const valid = new Uint8Array(index.length);
  for (let i = 0; i < likely.length; i++) {
    if (index[i] !== index[i]) continue;
    valid[i] = 1;
    if (growing[i] !== growing[i]) continue;
    const isDark = visible[i]! < darkest && growing[i]! <= lush;
    likely[i] = isDark || leastAround(roughness, i, columns, rows, radius) > ROUGH ? 1 : 0;
  }
  const majority = boxMean(likely, columns, rows, Math.max(1, Math.round(MAJORITY_RADIUS_M / metresPerPixel)));
  const set = Uint8Array.from(likely, (value, i) => (value === value && majority[i]! >= 0.5 ? 1 : 0));
  return { set, valid, visible, leaves };
}

/** Least value here and at the corners of a square around, of those that are known. */
function leastAround(plane: Float32Array, at: number, columns: number, rows: number, radius: number): number {
  const row = Math.floor(at / columns);
  const column = at - row * columns;
  let least = plane[at]!;
  for (let corner = 0; corner < 4; corner++) {
    const x = column + ((corner & 1) === 0 ? -radius : radius);
    const y = row + ((corner & 2) === 0 ? -radius : radius);
    if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
    const value = plane[y * columns + x]!;
    if (value < least) least = value;
  }
  return least;
}

interface Leaves {
  /** Vegetation index, NaN where invalid. */
  readonly index: Float32Array;
  readonly visible: Float32Array;
  readonly leaves: Float32Array;
}

/** Planes are blue, green, red and, when `hasNir`, near infrared. */
function leavesOf({ scenes }: AnalysisBlock, hasNir: boolean): Leaves {
  const [blue, green, red, nir] = scenes[0]!;
  if (blue === undefined || green === undefined || red === undefined) throw new RangeError("trees need three bands");
  if (hasNir && nir === undefined) throw new RangeError("the plan gave no near infrared");
  const index = new Float32Array(blue.length);
  const visible = new Float32Array(blue.length);
  const leaves = new Float32Array(blue.length);
  for (let i = 0; i < index.length; i++) {
    const [b, g, r] = [blue[i]!, green[i]!, red[i]!];
    const n = hasNir ? nir![i]! : g;
    const sum = hasNir ? n + r : 2 * g + r + b;
    const difference = hasNir ? n - r : 2 * g - r - b;
    index[i] = sum > 0 && b + g + r > 0 ? difference / sum : Number.NaN;
    visible[i] = index[i] === index[i] ? (b + g + r) / 3 : Number.NaN;
    leaves[i] = index[i] === index[i] ? n : Number.NaN;
  }
  return { index, visible, leaves };
}

/** Of positive values, to a thousandth of the largest. */
function quantile(values: readonly number[], share: number): number {
  let highest = 0;
  for (const value of values) if (value > highest) highest = value;
  const counts = new Uint32Array(QUANTILE_BINS);
  for (const value of values) counts[Math.min(QUANTILE_BINS - 1, Math.floor((value / highest) * QUANTILE_BINS))]!++;
  let left = share * values.length;
  let bin = 0;
  while (bin < QUANTILE_BINS - 1 && left > counts[bin]!) left -= counts[bin++]!;
  return ((bin + 0.5) / QUANTILE_BINS) * highest;
}
