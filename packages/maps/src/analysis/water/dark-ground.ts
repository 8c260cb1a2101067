import type { AnalysisSurvey } from "../block.ts";
import { radarPlanes, surveyedPlanes, type RadarParameters, type RadarPlanes } from "../radar/radar-block.ts";
import { grown } from "../texture/grown.ts";
import { learnDarkMode, type DarkLevels, type DarkMode } from "./dark-mode.ts";

/** The levels of water in a radar scene. Plain data. */
export interface DarkGroundModel {
  /** Null where the scene does not show two groups. */
  readonly copol: DarkMode | null;
  /** Null without a cross-polarised band, too. */
  readonly cross: DarkMode | null;
  readonly learntFrom: "windows" | "overview" | "nothing";
}

/**
 * Brighter dark groups are not water: harvested fields average above these levels at C-band. The co-polarised power of
 * seas in strong wind does too; their cross-polarised power does not.
 */
const COPOL_LEVELS: DarkLevels = { brightestDb: -13, sureDb: -16 };
const CROSS_LEVELS: DarkLevels = { brightestDb: -19, sureDb: -22 };
/** Without two groups there is little water, and dry fields reach -16 dB. */
const FIXED_COPOL_DB = -18;
const FIXED_CROSS_DB = -24;
/** Seeds lie this far from the threshold towards the mean of the dark group. */
const SEED_DEPTH = 0.5;
/** Steps from seeds over all darker than the threshold. */
const GROWTH_STEPS = 12;

/** Pixels around that the answer for one pixel depends on, after the filter. */
export const DARK_GROUND_REACH_PX = GROWTH_STEPS;

/** Learns from windows at full resolution; where none holds both groups, from the overview, which shows lakes between windows. */
export function learnDarkGround(survey: AnalysisSurvey, parameters: RadarParameters): DarkGroundModel {
  const windows = surveyedPlanes(survey, parameters);
  const fromWindows = modesOf(windows);
  if (fromWindows.copol !== null || fromWindows.cross !== null) return { ...fromWindows, learntFrom: "windows" };
  const { overview } = survey;
  const fromOverview = modesOf([{ ...radarPlanes(overview, parameters), columns: overview.rect.columns }]);
  const isLearnt = fromOverview.copol !== null || fromOverview.cross !== null;
  return { ...fromOverview, learntFrom: isLearnt ? "overview" : "nothing" };
}

function modesOf(
  windows: readonly (RadarPlanes & { readonly columns: number })[],
): Pick<DarkGroundModel, "copol" | "cross"> {
  const copol = windows.map(({ copol: values, columns }) => ({ values, columns }));
  const cross = windows.flatMap(({ cross: values, columns }) => (values === null ? [] : [{ values, columns }]));
  return { copol: learnDarkMode(copol, COPOL_LEVELS), cross: learnDarkMode(cross, CROSS_LEVELS) };
}

/**
 * 1 on water: pixels well inside the dark group and, around them, those that are rather dark than bright. Polarisations that were
 * learnt are weighed by Fisher's linear discriminant without covariance; one alone decides where only it was learnt.
 * Without any, both polarisations must be below fixed levels.
 */
export function darkGround(planes: RadarPlanes, model: DarkGroundModel, columns: number): Uint8Array {
  const { valid } = planes;
  const mask = new Uint8Array(valid.length);
  if (model.copol === null && model.cross === null) {
    for (let i = 0; i < mask.length; i++) mask[i] = valid[i] === 1 && isBelowFixed(planes, i) ? 1 : 0;
    return mask;
  }
  const scores = new Float32Array(valid.length);
  const seedScore = addScores(scores, planes.copol, model.copol) + addScores(scores, planes.cross, model.cross);
  const seeds: number[] = [];
  for (let i = 0; i < mask.length; i++) {
    if (valid[i] === 0 || scores[i]! <= seedScore) continue;
    mask[i] = 1;
    seeds.push(i);
  }
  grown(seeds, GROWTH_STEPS, mask, columns, (i) => valid[i] === 1 && scores[i]! > 0);
  return mask;
}

function isBelowFixed({ copol, cross }: RadarPlanes, i: number): boolean {
  return copol[i]! < 100 * FIXED_COPOL_DB && (cross === null || cross[i]! < 100 * FIXED_CROSS_DB);
}

/** Adds how much darker than the threshold pixels are, in units of the discriminant, and returns the part of seeds. */
function addScores(scores: Float32Array, plane: Int16Array | null, mode: DarkMode | null): number {
  if (plane === null || mode === null) return 0;
  const { thresholdDb, darkDb, brightDb, spreadDb } = mode;
  const slope = (brightDb - darkDb) / spreadDb ** 2;
  for (let i = 0; i < scores.length; i++) scores[i]! += slope * (thresholdDb - plane[i]! / 100);
  return SEED_DEPTH * slope * (thresholdDb - darkDb);
}

/** Members of metadata.json. */
export function describeDarkGround({ copol, cross, learntFrom }: DarkGroundModel): Readonly<Record<string, unknown>> {
  const isLearnt = learntFrom !== "nothing";
  return {
    thresholdSource: learntFrom,
    copolThreshold: isLearnt ? copol : { thresholdDb: FIXED_COPOL_DB },
    crossThreshold: isLearnt ? cross : { thresholdDb: FIXED_CROSS_DB },
  };
}
