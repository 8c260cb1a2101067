import { rainRate, type RainParameters } from "../precipitation/rain-rate.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { resultMapType } from "../../planning/result-map-type.ts";
import { HOURS_PER_SCENE, planRain } from "../precipitation/map-type.ts";

/** More than the hours of two days: as many scenes as one release takes. */
const MAX_SCENES = 50;

const analysis: Analysis<RainParameters> = {
  name: "rain-sum",
  algoVersion: 1,
  scenes: { min: 2, max: MAX_SCENES },
  layers: [
    {
      kind: "values",
      name: "precipitation-sum",
      unit: "mm",
      range: [0, 100],
      ramp: "rain",
      drawnFrom: 1,
      total: { name: "volume", unit: "m3", perSquareMetre: 1e-3 },
    },
  ],
  marginPx: 0,
  wantsLand: false,
  plan(scenes) {
    const planned = planRain("precipitation-sum", scenes);
    if (!planned.accepted) return planned;
    const datetimes = scenes.map(({ scene }) => scene.datetime);
    return {
      ...planned,
      parameters: { ...planned.parameters, hours: scenes.length * HOURS_PER_SCENE, datetimes },
    };
  },
  algorithm: rainRate,
};

/** Rain that fell over a group of hourly scenes; a pixel that any of them lacks is no data. */
export const precipitationSum = resultMapType({
  id: "precipitation-sum",
  longName: "Accumulated precipitation",
  group: "atmosphere",
  description: "Precipitation accumulated over 2 to 50 hourly scenes, mm",
  maturity: "self-tested",
  measuredBy: ["environment"],
  analysis,
  datasetTypes: ["environmental"],
  quality: {
    note: "each scene stands for one hour; hours without a scene are not counted, see hours and datetimes in algorithm.params",
    expected: "sums of a day are within a third of gauges where it rains steadily",
  },
});
