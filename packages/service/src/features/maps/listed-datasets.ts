import type { Catalog } from "../../providers/catalog.ts";
import type { ListedDataset } from "./map-type-listing.ts";

/** Every dataset of the catalogue, as the listing of map types needs it. */
export function listedDatasets({ providers }: Pick<Catalog, "providers">): readonly ListedDataset[] {
  return providers.flatMap((provider) =>
    provider.datasets.map(({ dataset, type, resolutionM }) => ({
      provider: provider.id,
      dataset,
      datasetType: type,
      finestResolutionM: resolutionM[0],
    })),
  );
}
