import type { AnalysisBlock, AnalysisSurvey } from "../block.ts";
import { leeFiltered } from "./lee-filter.ts";
import { INVALID } from "../texture/int-plane.ts";
import { addToHistogram, emptyHistogram, isBimodal, otsuSplit } from "../water/otsu.ts";

/** What the plan of a radar analysis tells its algorithm. */
export interface RadarParameters {
  /** Whether the second plane is cross-polarised. */
  readonly hasCross: boolean;
  /** What brings each plane to linear power. */
  readonly powerScales: readonly number[];
  readonly gsdM: number;
  /** Equivalent number of looks of a pixel. */
  readonly looks: number;
}

/** Backscatter in hundredths of a decibel after the speckle filter; `INVALID` where there is none. */
export interface RadarPlanes {
  readonly copol: Int16Array;
  readonly cross: Int16Array | null;
  readonly valid: Uint8Array;
}

/** Below this power there is only noise: -40 dB. */
const LEAST_POWER = 1e-4;

/** Hundredths of a decibel of power times a scale; `INVALID` where the power is NaN. */
export function decibels(power: Float32Array, scale: number): Int16Array {
  const values = new Int16Array(power.length);
  for (let i = 0; i < power.length; i++) {
    const value = power[i]!;
    values[i] = value === value ? Math.round(1000 * Math.log10(Math.max(LEAST_POWER, value * scale))) : INVALID;
  }
  return values;
}

/** Planes of the first scene without speckle, hundredths of a decibel; `INVALID` in both where either is. */
export function radarPlanes(block: AnalysisBlock, { hasCross, looks, powerScales }: RadarParameters): RadarPlanes {
  const { columns, rows } = block.rect;
  const [first, second] = block.scenes[0]!;
  const copol = decibels(leeFiltered(first!, columns, rows, looks), powerScales[0] ?? 1);
  const cross = hasCross ? decibels(leeFiltered(second!, columns, rows, looks), powerScales[1] ?? 1) : null;
  const valid = new Uint8Array(copol.length);
  for (let i = 0; i < valid.length; i++) {
    valid[i] = copol[i] !== INVALID && (cross === null || cross[i] !== INVALID) ? 1 : 0;
    if (valid[i] === 1) continue;
    copol[i] = INVALID;
    if (cross !== null) cross[i] = INVALID;
  }
  return { copol, cross, valid };
}

/** A threshold of backscatter that a scene has taught, decibels. */
export interface LearntThreshold {
  readonly db: number;
  readonly isLearnt: boolean;
}

/**
 * The split of the windows' backscatter, when there are two groups of it and it lies within the limits; else `fallbackDb`.
 * Histograms are of 0.25 dB.
 */
export function learnThreshold(
  planes: readonly Int16Array[],
  limitsDb: readonly [lowest: number, highest: number],
  fallbackDb: number,
): LearntThreshold {
  const histogram = emptyHistogram(-40, 10, 200);
  for (const plane of planes) {
    for (const value of plane) if (value !== INVALID) addToHistogram(histogram, value / 100);
  }
  const split = otsuSplit(histogram);
  const isLearnt =
    split !== null && isBimodal(split) && split.threshold >= limitsDb[0] && split.threshold <= limitsDb[1];
  return { db: isLearnt ? split.threshold : fallbackDb, isLearnt };
}

/** The filtered windows of the survey: what thresholds are learnt from. */
export function surveyedPlanes(surveyed: AnalysisSurvey, parameters: RadarParameters): readonly RadarPlanes[] {
  const blocks = surveyed.windows.length === 0 ? [surveyed.overview] : surveyed.windows;
  return blocks.map((block) => radarPlanes(block, parameters));
}
