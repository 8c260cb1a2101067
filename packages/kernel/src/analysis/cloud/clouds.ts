import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, BlockResult, Parameters } from "../block.ts";
import { opticalBands, opticalParameters, processingOffset } from "../optical/optical-block.ts";
import { cloudMask, surveyClouds, type CloudModel } from "./cloud-model.ts";

interface CloudsModel {
  readonly offset: number;
  readonly clouds: CloudModel;
}

function survey(surveyed: AnalysisSurvey, given: Parameters): CloudsModel {
  const parameters = opticalParameters(given);
  const offset = processingOffset(surveyed, 0, parameters);
  return { offset, clouds: surveyClouds(surveyed, 0, parameters, offset) };
}

function compute(block: AnalysisBlock, { offset, clouds }: CloudsModel, given: Parameters): BlockResult {
  const parameters = opticalParameters(given);
  const bands = opticalBands(block, 0, parameters, offset);
  return { layers: [cloudMask(bands, clouds, parameters, block.rect)], objects: [] };
}

function describe({ offset, clouds }: CloudsModel): Readonly<Record<string, unknown>> {
  return {
    minBrightness: clouds.minBrightness / 10_000,
    minProbability: Number(clouds.minProbability.toFixed(4)),
    cloudShare: Number(clouds.cloudShare.toFixed(4)),
    shadowsMatched: clouds.shadows.found,
    processingOffset: offset,
  };
}

/** Clear, cloud, shadow and snow of one optical scene. */
export const clouds: BlockAlgorithm<CloudsModel> = { survey, compute, describe };
