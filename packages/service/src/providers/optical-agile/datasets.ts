import { defineDataset, type ProviderDescriptor } from "../provider.ts";
import { expressTasking } from "../tasking-info.ts";
import { newSatSensors } from "./tasking.ts";

const shared = {
  type: "optical",
  resolutionClass: "high",
  attribution: "© optical-agile",
  externalProvider: "Agile optical constellation",
} as const;

export const opticalAgile: ProviderDescriptor = {
  id: "optical-agile",
  name: "Agile optical constellation",
  aliases: [],
  ownImagery: false,
  datasets: [
    defineDataset({
      ...shared,
      dataset: "newsat",
      largestSceneKm2: 2_000,
      name: "NewSat",
      resolutionM: [1, 1],
      changeGroup: "newsat",
      sensors: newSatSensors,
      taskingInfo: expressTasking({ preallocationAreaKm2: 25, resolutionM: { min: 1, max: 1.5 } }),
    }),
    defineDataset({
      ...shared,
      dataset: "newsat_sr",
      largestSceneKm2: 2_000,
      name: "NewSat super-resolution",
      resolutionM: [0.7, 0.7],
      changeGroup: "newsat-sr",
      sensors: newSatSensors,
      taskingInfo: expressTasking({ preallocationAreaKm2: 25, resolutionM: { min: 0.7, max: 1 } }),
    }),
  ],
};
