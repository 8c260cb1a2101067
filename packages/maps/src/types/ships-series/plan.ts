import type { ShipSeriesParameters } from "./ship-series.ts";
import type { RadarSearchParameters } from "../ships/ships.ts";
import type { AnalysisPlan } from "../../planning/analysis.ts";
import { lacksPolarisation, powerPlanes } from "../../planning/compared-scenes.ts";
import { firstScene, type PlannedScene } from "../../planning/planned-scene.ts";
import { unsupported } from "../../planning/refusals.ts";
import { planShips } from "../ships/plan.ts";

export const MAX_SERIES_SCENES = 16;
/** Planes in memory at once: longer series are searched in the co-polarised power alone. */
const MAX_PLANES = 16;
const DAY_MS = 86_400_000;

/** Any radar scenes of one place: the same stands there whatever orbit sees it. */
export function planShipSeries(scenes: readonly PlannedScene[]): AnalysisPlan<ShipSeriesParameters> {
  const start = firstScene(scenes);
  const searches: RadarSearchParameters[] = [];
  const reductions: number[] = [];
  for (const planned of scenes) {
    const plan = planShips([planned]);
    if (!plan.accepted) return plan;
    if (plan.parameters.mode !== "radar") {
      return unsupported(`ships-series compares radar scenes: ${planned.scene.sceneId} is optical`);
    }
    searches.push(plan.parameters);
    reductions.push(plan.reduction);
  }
  const planes = powerPlanes(scenes, Math.max(1, Math.floor(MAX_PLANES / scenes.length)));
  const grid = planes[0]?.[0];
  if (grid === undefined) return lacksPolarisation("ships-series", scenes);
  // All are searched on the grid of the first.
  const { pixelM, resolutionM, sizeM } = searches[0]!;
  const days = scenes.map((planned) => Math.round(((timeMs(planned) - timeMs(start)) / DAY_MS) * 1000) / 1000);
  return {
    accepted: true,
    gridPosition: grid.position,
    reduction: reductions[0]!,
    planes,
    parameters: {
      mode: "series",
      searches: searches.map((search) => ({ ...search, pixelM, resolutionM, sizeM })),
      days,
      pixelM,
    },
  };
}

/** Datetimes are UTC, "YYYY-MM-DD HH:mm:ss". */
function timeMs({ scene }: PlannedScene): number {
  return Date.parse(`${scene.datetime.replace(" ", "T")}Z`);
}
