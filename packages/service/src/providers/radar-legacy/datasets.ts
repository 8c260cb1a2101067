import { defineDataset, type DatasetDescriptor, type ProviderDescriptor } from "../provider.ts";

/** Existing clients search it, although the provider has no catalogue. The demonstration therefore simulates it. */
const SEARCHED: ReadonlySet<string> = new Set(["Spotlight_SLC"]);

function product(
  dataset: string,
  name: string,
  type: "sar-slc" | "sar-grd",
  resolutionM: readonly [number, number],
): DatasetDescriptor {
  return defineDataset({
    dataset,
    name,
    type,
    resolutionClass: "high",
    resolutionM,
    attribution: "© radar-legacy",
    changeGroup: dataset.toLowerCase(),
    externalProvider: "Legacy radar imagery",
    canBeIngested: true,
    catalogAccess: false,
    standIn: SEARCHED.has(dataset),
  });
}

/** Offline and without a catalogue: deliveries in hand are ingested and searched here. */
export const radarLegacy: ProviderDescriptor = {
  id: "radar-legacy",
  name: "Legacy radar imagery",
  aliases: ["iceye"],
  ownImagery: false,
  datasets: [
    product("SpotlightHigh_GRD", "Spotlight high, GRD", "sar-grd", [0.5, 0.5]),
    product("SpotlightHigh_SLC", "Spotlight high, SLC", "sar-slc", [1, 1]),
    product("Spotlight_GRD", "Spotlight, GRD", "sar-grd", [0.5, 0.5]),
    product("Spotlight_SLC", "Spotlight, SLC", "sar-slc", [1, 1]),
    product("StripmapHigh_GRD", "Stripmap high, GRD", "sar-grd", [2.5, 2.5]),
    product("StripmapHigh_SLC", "Stripmap high, SLC", "sar-slc", [3, 3]),
    product("Stripmap_GRD", "Stripmap, GRD", "sar-grd", [2.5, 2.5]),
    product("Stripmap_SLC", "Stripmap, SLC", "sar-slc", [3, 3]),
  ],
};
