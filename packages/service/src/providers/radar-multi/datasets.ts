import { defineDataset, type DatasetDescriptor, type ProviderDescriptor } from "../provider.ts";
import { tieredRadarTasking } from "../tasking-info.ts";
import { sensorsOfMode } from "./tasking.ts";

function mode(
  dataset: string,
  name: string,
  resolutionM: readonly [number, number],
  preallocationAreaKm2: number,
): DatasetDescriptor {
  return defineDataset({
    dataset,
    name,
    type: "sar-grd",
    resolutionClass: "high",
    resolutionM,
    largestSceneKm2: 5_000,
    attribution: "© radar-multi",
    changeGroup: `radar-multi-${dataset}`,
    externalProvider: "Multi-mode radar constellation",
    sensors: sensorsOfMode(dataset),
    taskingInfo: tieredRadarTasking({
      preallocationAreaKm2,
      resolutionM: { min: resolutionM[0], max: resolutionM[1] },
    }),
  });
}

export const radarMulti: ProviderDescriptor = {
  id: "radar-multi",
  name: "Multi-mode radar constellation",
  aliases: [],
  ownImagery: false,
  datasets: [
    mode("sliding_spotlight", "Sliding spotlight", [0.5, 1.3], 50),
    mode("spotlight", "Spotlight", [0.3, 0.6], 25),
    mode("stripmap", "Stripmap", [0.7, 1.5], 100),
  ],
};
