import type { AnalysisBlock, AnalysisSurvey } from "../../../analysis/block.ts";
import {
  cloudMask,
  MASK_CLOUD,
  MASK_SHADOW,
  overviewMask,
  surveyClouds,
  type CloudModel,
} from "../../../analysis/cloud/cloud-model.ts";
import { opticalBands, processingOffset, type OpticalParameters } from "../../../analysis/optical/optical-block.ts";

/** Search for clouds in each of two scenes; `roles` lists all planes of a scene, the compared planes first. */
export type CloudSearch = readonly [first: OpticalParameters, second: OpticalParameters];

/** Model of the clouds of one scene. Plain data. */
interface SceneClouds {
  /** Reflectance that is no light. */
  readonly offset: number;
  readonly clouds: CloudModel;
}

export type ClearGroundModel = readonly SceneClouds[];

/** Learns the clouds of both scenes, each on its own. */
export function surveyClearGround(survey: AnalysisSurvey, search: CloudSearch): ClearGroundModel {
  return search.map((parameters, scene) => {
    const offset = processingOffset(survey, scene, parameters);
    return { offset, clouds: surveyClouds(survey, scene, parameters, offset) };
  });
}

/**
 * The compared planes without data under clouds and shadows of the same scene: a cloud is no change of the ground.
 *
 * @param compared planes of a scene that are compared
 */
export function clearGround(
  block: AnalysisBlock,
  search: CloudSearch,
  model: ClearGroundModel,
  compared: number,
): AnalysisBlock {
  return withMask(block, search, model, compared, (bands, clouds, parameters) =>
    cloudMask(bands, clouds, parameters, block.rect),
  );
}

/** The survey of clear ground that statistics are estimated on. */
export function clearSurvey(
  { overview, windows }: AnalysisSurvey,
  search: CloudSearch,
  model: ClearGroundModel,
  compared: number,
): AnalysisSurvey {
  return {
    overview: withMask(overview, search, model, compared, overviewMask),
    windows: windows.map((window) => clearGround(window, search, model, compared)),
  };
}

function withMask(
  block: AnalysisBlock,
  search: CloudSearch,
  model: ClearGroundModel,
  compared: number,
  maskOf: typeof overviewMask,
): AnalysisBlock {
  const scenes = block.scenes.map((planes, scene) => {
    const { offset, clouds } = model[scene]!;
    const parameters = search[scene]!;
    const mask = maskOf(opticalBands(block, scene, parameters, offset), clouds, parameters);
    return planes
      .slice(0, compared)
      .map((plane) =>
        plane.map((value, i) => (mask[i] === MASK_CLOUD || mask[i] === MASK_SHADOW ? Number.NaN : value)),
      );
  });
  return { ...block, scenes };
}
