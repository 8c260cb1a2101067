import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Catalog } from "../../../providers/catalog.ts";
import type { SourceLookup } from "../fetch-scene.ts";
import { ingestTarget } from "../ingest-target.ts";

export interface DatasetOfItems {
  readonly provider: string;
  readonly dataset: string;
}

/**
 * A dataset that holds the scenes of groups, to which uploads and registered items belong.
 *
 * @throws {ServiceError} BAD-REQUEST for datasets that take no rasters, and for those with a catalogue of a provider
 */
export function requireItemDataset(
  named: DatasetOfItems,
  catalog: Pick<Catalog, "findDataset" | "findProvider">,
  sources: SourceLookup,
): DatasetOfItems {
  const { provider, dataset, takes } = ingestTarget(named, catalog);
  if (!takes.rasters || sources.sourceOf(provider, dataset) !== null) {
    throw new ServiceError(
      "BAD-REQUEST",
      `the dataset ${provider} ${dataset} has scenes of a provider, expected a dataset of uploads such as local.uploads`,
    );
  }
  return { provider, dataset };
}
