import type { AnalysisBlock, AnalysisSurvey } from "../block.ts";
import { leeFiltered } from "./lee-filter.ts";
import { INVALID } from "../texture/int-plane.ts";

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

/** Planes of a window. */
export interface SurveyedPlanes extends RadarPlanes {
  readonly columns: number;
}

/** The filtered windows of the survey: what thresholds are learnt from. */
export function surveyedPlanes(surveyed: AnalysisSurvey, parameters: RadarParameters): readonly SurveyedPlanes[] {
  const blocks = surveyed.windows.length === 0 ? [surveyed.overview] : surveyed.windows;
  return blocks.map((block) => ({ ...radarPlanes(block, parameters), columns: block.rect.columns }));
}
