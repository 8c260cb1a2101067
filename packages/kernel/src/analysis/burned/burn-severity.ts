import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult, Parameters } from "../block.ts";
import {
  CLOUD_MARGIN_PX,
  cloudMask,
  MASK_CLEAR,
  overviewMask,
  surveyClouds,
  type CloudModel,
} from "../cloud/cloud-model.ts";
import { withoutSpecks } from "../land-cover/regularise.ts";
import {
  opticalBands,
  opticalParameters,
  planeOf,
  processingOffset,
  type OpticalBands,
} from "../optical/optical-block.ts";
import { normalisedDifference, STEPS } from "../texture/int-plane.ts";

/** Pixel values of severity; the names and limits are those of the United States Geological Survey (Key and Benson 2006). */
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

interface SeverityModel {
  readonly offsets: readonly number[];
  readonly clouds: readonly CloudModel[];
  /** Median of dNBR of what has hardly changed: differences of season and light, ten-thousandths. */
  readonly shift: number;
}

/** What may count as unburned when the shift is learnt. */
const HARDLY_CHANGED = 1500;
/** Water turns over between scenes; there is nothing to burn. */
const MAX_WATER_NIR = 1000;
const SMALLEST_PX = 4;

export const SEVERITY_MARGIN_PX = CLOUD_MARGIN_PX + SMALLEST_PX + 1;

/** `(N - S2) / (N + S2)`, with the narrow near-infrared band where there is only that. */
export function normalisedBurnRatio(bands: OpticalBands): Int16Array {
  return normalisedDifference(nearInfrared(bands), planeOf(bands, "S2"));
}

export function nearInfrared(bands: OpticalBands): Int16Array {
  return bands.planes.N ?? planeOf(bands, "N2");
}

function isWater(bands: OpticalBands, i: number): boolean {
  const nir = nearInfrared(bands);
  return nir[i]! < MAX_WATER_NIR && planeOf(bands, "G")[i]! > nir[i]!;
}

function survey(surveyed: AnalysisSurvey, given: Parameters): SeverityModel {
  const parameters = opticalParameters(given);
  const offsets = [0, 1].map((scene) => processingOffset(surveyed, scene, parameters));
  const clouds = offsets.map((offset, scene) => surveyClouds(surveyed, scene, parameters, offset));
  const [before, after] = offsets.map((offset, scene) => opticalBands(surveyed.overview, scene, parameters, offset));
  const first = normalisedBurnRatio(before!);
  const second = normalisedBurnRatio(after!);
  const masks = [before!, after!].map((bands, scene) => overviewMask(bands, clouds[scene]!, parameters));
  const differences: number[] = [];
  for (let i = 0; i < first.length; i++) {
    if (masks[0]![i] !== MASK_CLEAR || masks[1]![i] !== MASK_CLEAR || isWater(before!, i) || isWater(after!, i))
      continue;
    const difference = first[i]! - second[i]!;
    if (Math.abs(difference) < HARDLY_CHANGED) differences.push(difference);
  }
  const sorted = Int32Array.from(differences).toSorted();
  return { offsets, clouds, shift: sorted[Math.floor(sorted.length / 2)] ?? 0 };
}

function compute(block: AnalysisBlock, model: SeverityModel, given: Parameters): BlockResult {
  const parameters = opticalParameters(given);
  const { columns } = block.rect;
  const [before, after] = model.offsets.map((offset, scene) => opticalBands(block, scene, parameters, offset));
  const [maskBefore, maskAfter] = [before!, after!].map((bands, scene) =>
    cloudMask(bands, model.clouds[scene]!, parameters, block.rect),
  );
  const first = normalisedBurnRatio(before!);
  const second = normalisedBurnRatio(after!);
  const labels = new Uint8Array(first.length);
  const values = new Float32Array(first.length).fill(Number.NaN);
  for (let i = 0; i < labels.length; i++) {
    if (maskBefore![i] !== MASK_CLEAR || maskAfter![i] !== MASK_CLEAR) continue;
    if (isWater(before!, i) || isWater(after!, i)) {
      labels[i] = UNBURNED;
      values[i] = 0;
      continue;
    }
    const difference = first[i]! - second[i]! - model.shift;
    values[i] = difference / STEPS;
    let severity = 1;
    while (severity <= LIMITS.length && difference >= LIMITS[severity - 1]!) severity++;
    labels[i] = severity;
  }
  return { layers: [withoutSpecks(labels, columns, SMALLEST_PX), values], objects: [] };
}

function describe({ shift, offsets, clouds }: SeverityModel): Readonly<Record<string, unknown>> {
  return {
    shift: shift / STEPS,
    processingOffsets: offsets,
    cloudShares: clouds.map(({ cloudShare }) => Number(cloudShare.toFixed(4))),
  };
}

/** How severely fires between two scenes have burned, by the difference of the normalised burn ratio. */
export const burnSeverity: BlockAlgorithm<SeverityModel> = { survey, compute, describe };
