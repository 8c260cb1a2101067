import { defineDataset, type ProviderDescriptor } from "../provider.ts";
import { opticalTasking } from "../tasking-info.ts";
import { pleiadesNeoSensors, pleiadesSensors, spotSensors } from "./tasking.ts";

const shared = {
  type: "optical",
  resolutionClass: "high",
  clip: "required",
  attribution: "© AB",
  changeGroup: "optical-high",
  externalProvider: "AB",
  minAreaKm2: 0.1,
} as const;

export const ab: ProviderDescriptor = {
  id: "ab",
  name: "AB",
  aliases: [],
  ownImagery: false,
  datasets: [
    defineDataset({
      ...shared,
      dataset: "pleiades",
      largestSceneKm2: 10_000,
      name: "Pléiades",
      resolutionM: [0.5, 0.5],
      sensors: pleiadesSensors,
      taskingInfo: opticalTasking({ preallocationAreaKm2: 25, resolutionM: { min: 0.5, max: 0.8 } }),
    }),
    defineDataset({
      ...shared,
      dataset: "pleiades-neo",
      largestSceneKm2: 10_000,
      name: "Pléiades Neo",
      resolutionM: [0.3, 0.3],
      sensors: pleiadesNeoSensors,
      taskingInfo: opticalTasking({ preallocationAreaKm2: 25, resolutionM: { min: 0.3, max: 0.5 } }),
    }),
    defineDataset({
      ...shared,
      dataset: "spot",
      largestSceneKm2: 40_000,
      name: "SPOT",
      resolutionM: [1.5, 1.5],
      sensors: spotSensors,
      taskingInfo: opticalTasking({ preallocationAreaKm2: 100, resolutionM: { min: 1.5, max: 2.2 } }),
    }),
  ],
};
