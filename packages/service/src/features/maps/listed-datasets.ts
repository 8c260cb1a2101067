import { providers } from "../../providers/registry.ts";
import type { ListedDataset } from "./map-type-listing.ts";

/** Every dataset of every provider, as the listing of map types needs it. */
export const listedDatasets: readonly ListedDataset[] = providers.flatMap((provider) =>
  provider.datasets.map(({ dataset, type, resolutionM }) => ({
    provider: provider.id,
    dataset,
    datasetType: type,
    finestResolutionM: resolutionM[0],
  })),
);
