import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm } from "../../analysis/block.ts";
import { MAX_SHIFT_PX } from "../../analysis/coregistration/scene-shift.ts";
import { CLOUDS } from "../../analysis/land-cover/classes.ts";
import {
  LAND_COVER_MARGIN_PX,
  opticalLandCover,
  type LandCoverModel,
} from "../../analysis/land-cover/optical-land-cover.ts";
import type { OpticalParameters } from "../../analysis/optical/optical-block.ts";
import type { CoverPlanes } from "../change/change.ts";
import { withoutSmallGroups } from "../change/change-mask.ts";
import {
  alignedPlanes,
  scoreOptical,
  surveyOpticalChange,
  type OpticalChangeModel,
  type OpticalChangeParameters,
} from "../change/optical/optical-change.ts";

interface LandCoverChangeModel {
  readonly change: OpticalChangeModel;
  readonly scenes: readonly LandCoverModel[];
}

export const LAND_COVER_CHANGE_MARGIN_PX = LAND_COVER_MARGIN_PX + MAX_SHIFT_PX;
/** Value of pixels whose class is the same, in the layers of what came and what went. */
export const SAME_CLASS = 6;
/** Minimum mapping unit. */
const MIN_PIXELS = 4;

/** What the plan tells the comparison of two maps of land cover. */
export interface LandCoverChangeParameters extends OpticalChangeParameters, Pick<CoverPlanes, "red" | "nir"> {
  /** What each scene's own map is told. */
  readonly scenes: readonly OpticalParameters[];
}

function only(block: AnalysisBlock, planes: readonly Float32Array[]): AnalysisBlock {
  return { ...block, scenes: [planes] };
}

function onlyScene({ overview, windows }: AnalysisSurvey, scene: number): AnalysisSurvey {
  return {
    overview: only(overview, overview.scenes[scene]!),
    windows: windows.map((window) => only(window, window.scenes[scene]!)),
  };
}

/**
 * What of each class came and went between two optical scenes, and how NDVI changed. Each scene is classified by itself; a
 * pixel's class has changed where the classes differ, the pixels themselves differ at the level `alpha`, and neither is under
 * a cloud (which itself counts as come or gone). Layers: class added, class removed, rise and fall of NDVI.
 */
export const landCoverChange: BlockAlgorithm<LandCoverChangeParameters, LandCoverChangeModel> = {
  survey(survey, parameters) {
    const { scenes } = parameters;
    const parts = scenes.map((_, scene) => onlyScene(survey, scene));
    return {
      change: surveyOpticalChange(survey, parameters),
      scenes: parts.map((part, scene) => {
        if (opticalLandCover.survey === undefined) throw new RangeError("land cover is not learnt from the scene");
        return opticalLandCover.survey(part, scenes[scene]!);
      }),
    };
  },

  compute(block, model, parameters) {
    const { scenes, red, nir } = parameters;
    const { columns, rows } = block.rect;
    const before = block.scenes[0]!;
    const after = alignedPlanes(block, model.change.coregistration);
    const { statistic, threshold } = scoreOptical(block, after, model.change);
    const [first, second] = [before, after].map(
      (planes, scene) => opticalLandCover.compute(only(block, planes), model.scenes[scene]!, scenes[scene]!).layers[0]!,
    );
    const size = columns * rows;
    const differs = new Uint8Array(size);
    for (let at = 0; at < size; at++) {
      const known = first![at] !== 0 && second![at] !== 0;
      const moved = model.change.method === "none" || statistic[at]! >= threshold;
      differs[at] = known && moved && first![at] !== second![at] ? 1 : 0;
    }
    const changed = withoutSmallGroups(differs, columns, rows, MIN_PIXELS);
    const added = new Uint8Array(size);
    const removed = new Uint8Array(size);
    const rise = new Float32Array(size).fill(Number.NaN);
    const fall = new Float32Array(size).fill(Number.NaN);
    for (let at = 0; at < size; at++) {
      const from = first![at]!;
      const to = second![at]!;
      if (from === 0 || to === 0) continue;
      added[at] = changed[at] === 1 && from !== CLOUDS ? to : SAME_CLASS;
      removed[at] = changed[at] === 1 && to !== CLOUDS ? from : SAME_CLASS;
      if (from === CLOUDS || to === CLOUDS) continue;
      const change =
        vegetation(after[nir]![at]!, after[red]![at]!, model.change.offsets[1]) -
        vegetation(before[nir]![at]!, before[red]![at]!, model.change.offsets[0]);
      rise[at] = Math.max(0, change);
      fall[at] = Math.max(0, -change);
    }
    return { layers: [added, removed, rise, fall], objects: [] };
  },

  describe: ({ change, scenes }) => ({
    coregistration: change.coregistration,
    method: change.method,
    samples: change.samples,
    landCover: scenes.map((scene) => opticalLandCover.describe?.(scene) ?? {}),
  }),
};

function vegetation(nir: number, red: number, offset: number): number {
  const sum = nir + red - 2 * offset;
  return Math.abs(sum) < 1e-6 ? Number.NaN : (nir - red) / sum;
}
