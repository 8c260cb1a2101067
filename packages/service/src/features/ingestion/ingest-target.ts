import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Catalog } from "../../providers/catalog.ts";
import type { DatasetDescriptor } from "../../providers/provider.ts";

export interface IngestTarget {
  readonly provider: string;
  readonly dataset: string;
  /** Whether it takes complex Sentinel-1 products, by their documents; and whether it takes rasters. */
  readonly takes: { readonly slcProducts: boolean; readonly rasters: boolean };
}

/**
 * Provider and dataset that a request ingests into, by their identifiers whatever aliases it uses. A dataset that can
 * be ingested takes rasters. Other datasets of complex radar imagery take products, whose orbits baselines need.
 *
 * @throws {ServiceError} BAD-REQUEST when the provider or the dataset takes no uploads
 */
export function ingestTarget(
  request: { readonly provider: string; readonly dataset?: string },
  catalog: Pick<Catalog, "findDataset" | "findProvider">,
): IngestTarget {
  const provider = catalog.findProvider(request.provider);
  const takers = provider?.datasets.filter((one) => takesUploads(one)) ?? [];
  if (provider === null || takers.length === 0) {
    throw refused(`provider ${request.provider}`, "local or another provider with a dataset that can be ingested");
  }
  const dataset =
    request.dataset === undefined
      ? (takers.find(({ canBeIngested }) => canBeIngested) ?? takers[0])
      : catalog.findDataset(provider.id, request.dataset)?.dataset;
  if (dataset === undefined || !takesUploads(dataset)) {
    const names = takers.map((one) => one.dataset).join(", ");
    throw refused(`dataset ${request.dataset ?? "of that provider"}`, `one of: ${names}`);
  }
  const takes = { slcProducts: !dataset.canBeIngested, rasters: dataset.canBeIngested };
  return { provider: provider.id, dataset: dataset.dataset, takes };
}

function takesUploads({ canBeIngested, type }: DatasetDescriptor): boolean {
  return canBeIngested || type === "sar-slc";
}

function refused(taker: string, expected: string): ServiceError {
  return new ServiceError("BAD-REQUEST", `${taker} takes no uploads, expected ${expected}`);
}
