import { defineDataset, type DatasetDescriptor, type ProviderDescriptor } from "../provider.ts";
import { opticalTasking } from "../tasking-info.ts";
import { skySatSensors } from "./tasking.ts";

const shared = {
  type: "optical",
  resolutionClass: "medium-high",
  attribution: "Includes copyrighted material of Planet Labs PBC. All rights reserved.",
  externalProvider: "Planet",
  analysisResolutionM: 3.125,
} as const;

function planetScope(dataset: string, name: string, changeGroup: string): DatasetDescriptor {
  return defineDataset({ ...shared, dataset, name, resolutionM: [3, 4.2], largestSceneKm2: 1_500, changeGroup });
}

/** For small regions: only the tiles that are needed are ingested. */
function inTiles(dataset: DatasetDescriptor): DatasetDescriptor {
  return { ...dataset, hasStoreTiles: true };
}

function skySat(dataset: string, name: string): DatasetDescriptor {
  return defineDataset({
    ...shared,
    dataset,
    name,
    resolutionM: [0.5, 0.9],
    largestSceneKm2: 1_500,
    changeGroup: "skysat",
    sensors: skySatSensors,
    taskingInfo: opticalTasking({ preallocationAreaKm2: 25, resolutionM: { min: 0.5, max: 0.9 } }),
  });
}

export const pl: ProviderDescriptor = {
  id: "pl",
  name: "Planet",
  aliases: [],
  ownImagery: false,
  datasets: [
    planetScope("PSScene", "PlanetScope, eight bands", "planetscope"),
    planetScope("PSScene4Band", "PlanetScope, four bands", "planetscope"),
    inTiles(planetScope("PSScene4Band_tile", "PlanetScope, four bands, in tiles", "planetscope")),
    planetScope("PSScene_analytic_4b_sr", "PlanetScope surface reflectance, four bands", "planetscope-sr"),
    inTiles(
      planetScope(
        "PSScene_analytic_4b_sr_tile",
        "PlanetScope surface reflectance, four bands, in tiles",
        "planetscope-sr",
      ),
    ),
    inTiles(planetScope("PSScene_tile", "PlanetScope, eight bands, in tiles", "planetscope")),
    skySat("SkySatCollect", "SkySat collection"),
    skySat("SkySatCollect_pansharpened", "SkySat collection, pansharpened"),
    skySat("SkySatScene", "SkySat single scene"),
  ],
};
