import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Catalog } from "../../providers/catalog.ts";

export interface IngestTarget {
  readonly provider: string;
  readonly dataset: string;
  /** Whether it takes complex Sentinel-1 products, by their documents; and whether it takes rasters. */
  readonly takes: { readonly slcProducts: boolean; readonly rasters: boolean };
}

/**
 * Provider and dataset that a request ingests into, by their own identifiers whatever aliases it uses. A dataset of complex radar imagery takes
 * products even where a catalogue has others of it, since their orbits are what baselines need.
 *
 * @throws {ServiceError} BAD-REQUEST when the provider is not one whose scenes come in by ingestion
 */
export function ingestTarget(
  request: { readonly provider: string; readonly dataset?: string },
  catalog: Pick<Catalog, "findDataset" | "findProvider">,
): IngestTarget {
  const provider = catalog.findProvider(request.provider);
  const asked =
    provider === null || request.dataset === undefined
      ? undefined
      : catalog.findDataset(provider.id, request.dataset)?.dataset;
  const complex =
    request.dataset === undefined
      ? provider?.datasets.find(({ type }) => type === "sar-slc")
      : asked?.type === "sar-slc"
        ? asked
        : undefined;
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
  const named = request.dataset === undefined ? ingestible[0] : asked;
  if (named === undefined || !named.canBeIngested) {
    const names = ingestible.map(({ dataset }) => dataset).join(", ");
    throw new ServiceError(
      "BAD-REQUEST",
      `dataset ${request.dataset ?? "of that provider"} takes no uploads, expected one of: ${names}`,
    );
  }
  return { provider: provider.id, dataset: named.dataset, takes: { slcProducts: false, rasters: true } };
}
