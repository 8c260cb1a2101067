import { defineDataset, type ProviderDescriptor } from "../provider.ts";

/** Imagery of the operator's own. */
export const local: ProviderDescriptor = {
  id: "local",
  name: "Local imagery",
  aliases: [],
  ownImagery: true,
  datasets: [
    defineDataset({
      dataset: "uploads",
      name: "Uploaded imagery",
      type: "optical",
      resolutionClass: "high",
      resolutionM: [0.01, 1000],
      attribution: "Imagery of the operator",
      changeGroup: "uploads",
      externalProvider: "Operator of this service",
      canBeIngested: true,
      creditsPerKm2: 0.1,
    }),
  ],
};
