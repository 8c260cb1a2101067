import { ServiceError } from "../../errors.ts";
import { findDataset, findProvider } from "../../providers/registry.ts";

export interface IngestTarget {
  readonly provider: string;
  readonly dataset: string;
  /** Whether it takes complex Sentinel-1 products, by their documents; and whether it takes rasters. */
  readonly takes: { readonly slcProducts: boolean; readonly rasters: boolean };
}

/**
 * Provider and dataset that a request ingests into, by their own identifiers. A dataset of complex radar imagery takes
 * products even where a catalogue has others of it, since their orbits are what baselines need.
 *
 * @throws {ServiceError} BAD-REQUEST when the provider is not one whose scenes come in by ingestion
 */
export function ingestTarget(request: { readonly provider: string; readonly dataset?: string }): IngestTarget {
  const provider = findProvider(request.provider);
  const complex = provider?.datasets.find(
    ({ dataset, type }) => type === "sar-slc" && (request.dataset === undefined || request.dataset === dataset),
  );
  if (provider !== null && !provider.offline && complex !== undefined) {
    return { provider: provider.id, dataset: complex.dataset, takes: { slcProducts: true, rasters: false } };
  }
  if (provider === null || !provider.offline) {
    throw new ServiceError(
      "BAD-REQUEST",
      `provider ${request.provider} takes no uploads, expected local or another offline provider`,
    );
  }
  const ingestible = provider.datasets.filter(({ canBeIngested }) => canBeIngested);
  const named = request.dataset === undefined ? ingestible[0] : findDataset(provider.id, request.dataset)?.dataset;
  if (named === undefined || !named.canBeIngested) {
    const names = ingestible.map(({ dataset }) => dataset).join(", ");
    throw new ServiceError(
      "BAD-REQUEST",
      `dataset ${request.dataset ?? "of that provider"} takes no uploads, expected one of: ${names}`,
    );
  }
  return { provider: provider.id, dataset: named.dataset, takes: { slcProducts: false, rasters: true } };
}
