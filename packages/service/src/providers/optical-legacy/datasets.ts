import { defineDataset, type ProviderDescriptor } from "../provider.ts";

/** Deprecated: its archive stays searchable, and deliveries in hand can still be ingested. */
export const opticalLegacy: ProviderDescriptor = {
  id: "optical-legacy",
  name: "Legacy optical imagery",
  aliases: ["gbdx"],
  ownImagery: false,
  datasets: [
    defineDataset({
      dataset: "idaho-pansharpened",
      // The other products of the archive, which existing clients name; only this one is kept.
      aliases: ["idaho-panchromatic", "idaho-swir"],
      name: "IDAHO pansharpened",
      type: "optical",
      resolutionClass: "high",
      resolutionM: [0.3, 1],
      attribution: "© optical-legacy",
      changeGroup: "optical-high",
      externalProvider: "Legacy optical imagery",
      canBeIngested: true,
    }),
  ],
};
