import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult } from "../../analysis/block.ts";
import {
  CLOUD_MARGIN_PX,
  cloudMask,
  MASK_CLEAR,
  overviewMask,
  surveyClouds,
  type CloudModel,
} from "../../analysis/cloud/cloud-model.ts";
import { withoutSpecks } from "../../analysis/land-cover/regularise.ts";
import {
  opticalBands,
  type OpticalParameters,
  planeOf,
  processingOffset,
  type OpticalBands,
} from "../../analysis/optical/optical-block.ts";
import { normalisedDifference, STEPS } from "../../analysis/texture/int-plane.ts";
import { isWater, nearInfrared, normalisedBurnRatio, relativeBurnRatio } from "../burned/burn-indices.ts";
import { burnLook } from "../burned/burn-look.ts";

/** Pixel values of severity, with names and limits of the United States Geological Survey (Key and Benson 2006). */
export const SEVERITIES = [
  "high-regrowth",
  "low-regrowth",
  "unburned",
  "low-severity",
  "moderate-low-severity",
  "moderate-high-severity",
  "high-severity",
] as const;
/** Upper limits of dNBR of all but the last, ten-thousandths. */
const LIMITS = [-2500, -1000, 1000, 2700, 4400, 6600];
export const UNBURNED = 3;
/** Burned, by bands that do not say how severely. */
export const UNRATED = 8;

interface SeverityModel {
  readonly offsets: readonly number[];
  readonly clouds: readonly CloudModel[];
  readonly method: "dNBR" | "dNDVI and darkness, low confidence";
  /** Median of dNBR, or of dNDVI, of what has hardly changed: differences of season and light, ten-thousandths. */
  readonly shift: number;
}

/** Largest difference of unburned pixels in the estimate of the shift. */
const HARDLY_CHANGED = 1500;
/** Loss of NDVI that a fire leaves at least, ten-thousandths, and the share of the near infrared that it leaves at most. */
const LEAST_LOSS = 300;
const MOST_LEFT = 0.7;
/** Regions of fewer pixels are taken away. */
export const SEVERITY_SMALLEST_PX = 4;

export const SEVERITY_MARGIN_PX = CLOUD_MARGIN_PX + SEVERITY_SMALLEST_PX + 1;

/** NBR, or NDVI where there is no band beyond 2 µm. */
function ratioOf(bands: OpticalBands): Int16Array {
  return bands.planes.S2 === undefined
    ? normalisedDifference(nearInfrared(bands), planeOf(bands, "R"))
    : normalisedBurnRatio(bands);
}

function survey(surveyed: AnalysisSurvey, parameters: OpticalParameters): SeverityModel {
  const offsets = [0, 1].map((scene) => processingOffset(surveyed, scene, parameters));
  const clouds = offsets.map((offset, scene) => surveyClouds(surveyed, scene, parameters, offset));
  const [before, after] = offsets.map((offset, scene) => opticalBands(surveyed.overview, scene, parameters, offset));
  const first = ratioOf(before!);
  const second = ratioOf(after!);
  const masks = [before!, after!].map((bands, scene) => overviewMask(bands, clouds[scene]!, parameters));
  const isRated = before!.planes.S2 !== undefined;
  // A fire changes NDVI of dry ground by no more than the season does.
  const dark = isRated ? null : burnLook(after!, masks[1]!).looks;
  const differences: number[] = [];
  for (let i = 0; i < first.length; i++) {
    if (masks[0]![i] !== MASK_CLEAR || masks[1]![i] !== MASK_CLEAR || isWater(before!, i) || isWater(after!, i))
      continue;
    if (dark !== null && dark[i] !== 0) continue;
    const difference = first[i]! - second[i]!;
    if (Math.abs(difference) < HARDLY_CHANGED) differences.push(difference);
  }
  const sorted = Int32Array.from(differences).toSorted();
  return {
    offsets,
    clouds,
    method: isRated ? "dNBR" : "dNDVI and darkness, low confidence",
    shift: sorted[Math.floor(sorted.length / 2)] ?? 0,
  };
}

function severityOf(difference: number): number {
  let severity = 1;
  while (severity <= LIMITS.length && difference >= LIMITS[severity - 1]!) severity++;
  return severity;
}

function compute(block: AnalysisBlock, model: SeverityModel, parameters: OpticalParameters): BlockResult {
  const { columns } = block.rect;
  const [before, after] = model.offsets.map((offset, scene) => opticalBands(block, scene, parameters, offset));
  const [maskBefore, maskAfter] = [before!, after!].map((bands, scene) =>
    cloudMask(bands, model.clouds[scene]!, parameters, block.rect),
  );
  const first = ratioOf(before!);
  const second = ratioOf(after!);
  const [nirBefore, nirAfter] = [nearInfrared(before!), nearInfrared(after!)];
  const dark = model.method === "dNBR" ? null : burnLook(after!, maskAfter!).looks;
  const labels = new Uint8Array(first.length);
  const values = new Float32Array(first.length).fill(Number.NaN);
  const relative = new Float32Array(first.length).fill(Number.NaN);
  for (let i = 0; i < labels.length; i++) {
    if (maskBefore![i] !== MASK_CLEAR || maskAfter![i] !== MASK_CLEAR) continue;
    const difference = first[i]! - second[i]! - model.shift;
    if (dark !== null) {
      const charred = dark[i] !== 0 && nirAfter[i]! < MOST_LEFT * nirBefore[i]!;
      labels[i] = charred && difference >= LEAST_LOSS ? UNRATED : UNBURNED;
      continue;
    }
    if (isWater(before!, i) || isWater(after!, i)) {
      labels[i] = UNBURNED;
      values[i] = 0;
      relative[i] = 0;
      continue;
    }
    values[i] = difference / STEPS;
    relative[i] = relativeBurnRatio(difference / STEPS, first[i]! / STEPS);
    labels[i] = severityOf(difference);
  }
  return { layers: [withoutSpecks(labels, columns, SEVERITY_SMALLEST_PX), values, relative], objects: [] };
}

function describe({ method, shift, offsets, clouds }: SeverityModel): Readonly<Record<string, unknown>> {
  return {
    method,
    shift: shift / STEPS,
    processingOffsets: offsets,
    cloudShares: clouds.map(({ cloudShare }) => Number(cloudShare.toFixed(4))),
  };
}

/** How severely fires between two scenes have burned, by the difference of the normalised burn ratio. */
export const burnSeverity: BlockAlgorithm<OpticalParameters, SeverityModel> = { survey, compute, describe };
