import { defineDataset, type ProviderDescriptor } from "../provider.ts";

export const noaa: ProviderDescriptor = {
  id: "noaa",
  name: "National Oceanic and Atmospheric Administration",
  aliases: [],
  ownImagery: false,
  datasets: [
    defineDataset({
      dataset: "VIIRS/Monthly",
      name: "VIIRS monthly night-time lights",
      type: "environmental",
      resolutionClass: "low",
      resolutionM: [463.83, 463.83],
      attribution: "Earth Observation Group, NOAA / Colorado School of Mines",
      changeGroup: "viirs-monthly",
      externalProvider: "Earth Observation Group",
      wholeWorld: true,
    }),
  ],
};
