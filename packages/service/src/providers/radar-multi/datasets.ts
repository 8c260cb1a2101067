import { defineDataset, type DatasetDescriptor, type ProviderDescriptor } from "../provider.ts";

function mode(dataset: string, name: string, resolutionM: readonly [number, number]): DatasetDescriptor {
  return defineDataset({
    dataset,
    name,
    type: "sar-grd",
    resolutionClass: "high",
    resolutionM,
    attribution: "© radar-multi",
    changeGroup: `radar-multi-${dataset}`,
    externalProvider: "Multi-mode radar constellation",
  });
}

export const radarMulti: ProviderDescriptor = {
  id: "radar-multi",
  name: "Multi-mode radar constellation",
  aliases: [],
  offline: false,
  datasets: [
    mode("sliding_spotlight", "Sliding spotlight", [0.5, 1.3]),
    mode("spotlight", "Spotlight", [0.3, 0.6]),
    mode("stripmap", "Stripmap", [0.7, 1.5]),
  ],
};
