import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult } from "../block.ts";
import type { ModelManifest } from "../../models/model-manifest.ts";
import { processingOffset, type OpticalParameters } from "../optical/optical-block.ts";
import { cloudMask, MASK_CLOUD, MASK_THIN, surveyClouds, type CloudModel } from "./cloud-model.ts";
import { bandsWithThermal, maskOfClassification, reflectanceOf, type CompanionParameters } from "./companion-planes.ts";

/** What the plan of the mask tells its algorithm. */
export interface CloudsParameters extends OpticalParameters, CompanionParameters {
  /** The network that tells clouds; absent where rules do. */
  readonly manifest?: ModelManifest;
}

export interface CloudsModel {
  readonly offset: number;
  /** Null where the product has classified itself. */
  readonly clouds: CloudModel | null;
  /** Name and version of the network; null where rules decide. */
  readonly network: string | null;
  /** Share of the overview. */
  readonly cloudShare: number;
}

function survey(surveyed: AnalysisSurvey, parameters: CloudsParameters): CloudsModel {
  const { overview } = surveyed;
  if (parameters.classification) {
    const mask = maskOfClassification(overview.scenes[0]![parameters.roles.length]!);
    const valid = mask.reduce((sum, value) => sum + (value === 0 ? 0 : 1), 0);
    const cloudy = mask.reduce((sum, value) => sum + (value === MASK_CLOUD || value === MASK_THIN ? 1 : 0), 0);
    return { offset: 0, clouds: null, network: null, cloudShare: valid === 0 ? 0 : cloudy / valid };
  }
  const optical = { ...surveyed, overview: reflectanceOf(overview, parameters) };
  const offset = processingOffset(optical, 0, parameters);
  const bands = bandsWithThermal(overview, parameters, offset);
  const clouds = surveyClouds(optical, 0, parameters, offset, bands);
  const { manifest } = parameters;
  const network = manifest === undefined ? null : `${manifest.id} ${manifest.version}`;
  return { offset, clouds, network, cloudShare: clouds.cloudShare };
}

function compute(block: AnalysisBlock, { offset, clouds }: CloudsModel, parameters: CloudsParameters): BlockResult {
  if (clouds === null) {
    return { layers: [maskOfClassification(block.scenes[0]![parameters.roles.length]!)], objects: [] };
  }
  const bands = bandsWithThermal(block, parameters, offset);
  return { layers: [cloudMask(bands, clouds, parameters, block.rect, MASK_THIN)], objects: [] };
}

function describe({ offset, clouds, network, cloudShare }: CloudsModel): Readonly<Record<string, unknown>> {
  const share = { cloudShare: Number(cloudShare.toFixed(4)) };
  if (clouds === null) return { source: "scene classification of the product", ...share };
  return {
    source: network === null ? "rules" : `network ${network} and rules`,
    minBrightness: clouds.minBrightness / 10_000,
    minOpaque: clouds.minOpaque / 10_000,
    minProbability: Number(clouds.minProbability.toFixed(4)),
    ...share,
    shadowsMatched: clouds.shadows.found,
    shadowDirection: clouds.shadows.direction,
    processingOffset: offset,
  };
}

/** Clear, cloud, thin cloud, shadow and snow of one optical scene. */
export const clouds: BlockAlgorithm<CloudsParameters, CloudsModel> = { survey, compute, describe };
