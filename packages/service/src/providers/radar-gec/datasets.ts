import { defineDataset, type ProviderDescriptor } from "../provider.ts";

export const radarGec: ProviderDescriptor = {
  id: "radar-gec",
  name: "Geocoded spotlight radar",
  aliases: [],
  offline: false,
  datasets: [
    defineDataset({
      dataset: "spotlight_GEC",
      name: "Spotlight, geocoded ellipsoid corrected",
      type: "sar-grd",
      resolutionClass: "high",
      resolutionM: [0.25, 1],
      attribution: "© radar-gec",
      changeGroup: "spotlight-gec",
      externalProvider: "Geocoded spotlight radar",
    }),
  ],
};
