import { FIXED, shipSeries, type ShipSeriesParameters } from "@swath/kernel/analysis/ships/ship-series";
import { BACKGROUND, SHIP } from "@swath/kernel/analysis/ships/ship-classes";
import { SHIPS_MARGIN_PX, type ShipParameters } from "@swath/kernel/analysis/ships/ships";
import type { Analysis, AnalysisPlan, PlannedScene } from "../analysis.ts";
import { powerPlanes, unsupported } from "../compared-scenes.ts";
import { resultMapType } from "../result/result-map-type.ts";
import { planShips } from "../ships/plan.ts";

const MAX_SCENES = 16;
/** Planes in memory at once: longer series are searched in the co-polarised power alone. */
const MAX_PLANES = 16;
const DAY_MS = 86_400_000;

/** Any radar scenes of one place: the same stands there whatever orbit sees it. */
export function planShipSeries(scenes: readonly PlannedScene[]): AnalysisPlan {
  const searches: ShipParameters[] = [];
  let first: Extract<AnalysisPlan, { readonly accepted: true }> | null = null;
  for (const planned of scenes) {
    const plan = planShips([planned]);
    if (!plan.accepted) return plan;
    if (plan.parameters["mode"] !== "radar") {
      return unsupported(`ships-series compares radar scenes: ${planned.scene.sceneId} is optical`);
    }
    first ??= plan;
    // All are searched on the grid of the first.
    searches.push({ ...plan.parameters, ...sizesOf(first) } as unknown as ShipParameters);
  }
  const planes = powerPlanes(scenes, Math.max(1, Math.floor(MAX_PLANES / scenes.length)));
  const grid = planes[0]?.[0];
  const [start] = scenes;
  if (first === null || grid === undefined || start === undefined) {
    return unsupported("ships-series needs a polarisation that all scenes have");
  }
  const days = scenes.map((planned) => Math.round(((timeMs(planned) - timeMs(start)) / DAY_MS) * 1000) / 1000);
  const parameters: ShipSeriesParameters = {
    mode: "series",
    searches,
    days,
    pixelM: Number(first.parameters["pixelM"]),
  };
  return {
    accepted: true,
    gridPosition: grid.position,
    reduction: first.reduction,
    planes,
    parameters: { ...parameters },
  };
}

/** Datetimes are UTC, "YYYY-MM-DD HH:mm:ss". */
function timeMs({ scene }: PlannedScene): number {
  return Date.parse(`${scene.datetime.replace(" ", "T")}Z`);
}

function sizesOf({ parameters }: Extract<AnalysisPlan, { readonly accepted: true }>): Record<string, unknown> {
  return { pixelM: parameters["pixelM"], resolutionM: parameters["resolutionM"], sizeM: parameters["sizeM"] };
}

const analysis: Analysis = {
  name: "ships-series",
  algoVersion: 1,
  scenes: { min: 3, max: MAX_SCENES },
  layers: [
    {
      kind: "classes",
      name: "ships",
      classes: [
        { name: "ships", value: SHIP, color: [255, 196, 0] },
        { name: "fixed", value: FIXED, color: [171, 71, 188] },
      ],
      backgroundValue: BACKGROUND,
    },
  ],
  marginPx: SHIPS_MARGIN_PX,
  wantsLand: true,
  plan: planShipSeries,
  algorithm: shipSeries,
};

/** Ships of the last of several radar scenes, apart from what stands at one place. */
export const shipsSeries = resultMapType({
  id: "ships-series",
  group: "objects",
  description: `Ships in the last of 3 to ${MAX_SCENES} radar scenes, apart from platforms, turbines and buoys, which stand through the series`,
  analysis,
  datasetTypes: ["sar-grd", "sar-slc"],
  objectsFile: "detections.geojson",
  settings: { maxGsdM: 40, minSizePx: 2 },
  quality: {
    note: "fixed is what at least three scenes show within 30 m over more than 20 days; ships that lie at one anchor for as long count, too",
    expected: "that of ships for each date; fixed targets that most dates show are told from ships",
  },
});
