import { defineDataset, type ProviderDescriptor } from "../provider.ts";

export const esa: ProviderDescriptor = {
  id: "esa",
  name: "European Space Agency",
  aliases: [],
  ownImagery: false,
  datasets: [
    defineDataset({
      dataset: "COPERNICUS/S1_SLC",
      largestSceneKm2: 100_000,
      name: "Sentinel-1 SLC",
      type: "sar-slc",
      resolutionClass: "low",
      resolutionM: [2.3, 43],
      attribution: "Contains modified Copernicus Sentinel data",
      changeGroup: "sentinel-1-slc",
      externalProvider: "European Space Agency",
    }),
  ],
};
