import { defineDataset, type ProviderDescriptor } from "../provider.ts";
import { radarTasking } from "../tasking-info.ts";
import { spotlightGecSensors } from "./tasking.ts";

export const radarGec: ProviderDescriptor = {
  id: "radar-gec",
  name: "Geocoded spotlight radar",
  aliases: [],
  ownImagery: false,
  datasets: [
    defineDataset({
      dataset: "spotlight_GEC",
      largestSceneKm2: 500,
      name: "Spotlight, geocoded ellipsoid corrected",
      type: "sar-grd",
      resolutionClass: "high",
      resolutionM: [0.25, 1],
      attribution: "© radar-gec",
      changeGroup: "spotlight-gec",
      externalProvider: "Geocoded spotlight radar",
      // Captures that were ordered are delivered; the archive is only listed.
      archiveDownload: false,
      sensors: spotlightGecSensors,
      taskingInfo: radarTasking({ preallocationAreaKm2: 25, resolutionM: { min: 0.25, max: 1 } }),
    }),
  ],
};
