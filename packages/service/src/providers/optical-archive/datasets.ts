import { defineDataset, type ProviderDescriptor } from "../provider.ts";

const shared = {
  type: "optical",
  resolutionClass: "high",
  attribution: "© optical-archive",
  changeGroup: "optical-high",
  externalProvider: "Optical archive",
} as const;

export const opticalArchive: ProviderDescriptor = {
  id: "optical-archive",
  name: "Optical archive",
  aliases: [],
  ownImagery: false,
  datasets: [
    defineDataset({
      ...shared,
      dataset: "ard",
      largestSceneKm2: 100,
      name: "Analysis-ready tiles",
      resolutionM: [0.3, 1],
    }),
    defineDataset({
      ...shared,
      dataset: "ard_clipped",
      largestSceneKm2: 10_000,
      name: "Analysis-ready scenes, clipped",
      resolutionM: [0.3, 1],
      clip: "required",
      minAreaKm2: 0.1,
    }),
    defineDataset({
      ...shared,
      dataset: "ortho_4ps",
      largestSceneKm2: 10_000,
      name: "Pansharpened ortho scenes, four bands, clipped",
      resolutionM: [0.3, 0.6],
      clip: "required",
      minAreaKm2: 0.1,
    }),
  ],
};
