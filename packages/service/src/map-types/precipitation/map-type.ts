import { rainRate } from "@swath/kernel/analysis/rain/rain-rate";
import type { Analysis, AnalysisPlan, PlannedScene, WantedPlane } from "../analysis.ts";
import { resultMapType } from "../result/result-map-type.ts";

/** Gauge-adjusted rates exist for final images, near-real-time ones for all. */
const BANDS = ["hourlyPrecipRateGC", "hourlyPrecipRate"] as const;

/** An image holds the mean rate of an hour. */
export const HOURS_PER_SCENE = 1;

function planesOf({ scene }: PlannedScene): readonly WantedPlane[] {
  return BANDS.flatMap((name) => {
    const position = scene.bands.findIndex(({ names }) => names.includes(name));
    return position < 0 ? [] : [{ position, quantity: "stored", resampling: "nearest" } as const];
  });
}

/** The rates of every scene, the gauge-adjusted one first. */
export function planRain(mapType: string, scenes: readonly PlannedScene[]): AnalysisPlan {
  const planes = scenes.map(planesOf);
  const without = scenes.find((_, index) => planes[index]!.length === 0);
  if (without !== undefined) {
    return {
      accepted: false,
      errorCode: "UNSUPPORTED-IMAGERY",
      errorMessage: `${mapType} needs the band ${BANDS.join(" or ")}; scene ${without.scene.sceneId} has neither`,
    };
  }
  return {
    accepted: true,
    gridPosition: planes[0]![0]!.position,
    reduction: 1,
    planes,
    parameters: { hoursPerScene: HOURS_PER_SCENE },
  };
}

const analysis: Analysis = {
  name: "rain-rate",
  algoVersion: 1,
  scenes: { min: 1, max: 1 },
  layers: [{ kind: "values", name: "precipitation", unit: "mm/h", range: [0, 20], ramp: "rain", drawnFrom: 0.1 }],
  marginPx: 0,
  wantsLand: false,
  plan: (scenes) => planRain("precipitation", scenes),
  algorithm: rainRate,
};

/** Rain that fell in an hour. Outside 60 degrees north and south there is no data, which is not the same as no rain. */
export const precipitation = resultMapType({
  id: "precipitation",
  group: "atmosphere",
  description: "Hourly precipitation of GSMaP, mm/h, gauge-adjusted where it is final",
  analysis,
  datasetTypes: ["environmental"],
  quality: {
    note: "rates as delivered; provisional images are replaced by final ones",
    expected: "hourly satellite rain is within a factor of two of gauges where it rains steadily",
  },
});
