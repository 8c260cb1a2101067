import { ServiceError } from "../../errors.ts";
import { findDataset, findProvider } from "../../providers/registry.ts";

export interface IngestTarget {
  readonly provider: string;
  readonly dataset: string;
}

/**
 * Provider and dataset that a request ingests into, by their own identifiers.
 *
 * @throws {ServiceError} BAD-REQUEST when the provider is not one whose scenes come in by ingestion
 */
export function ingestTarget(request: { readonly provider: string; readonly dataset?: string }): IngestTarget {
  const provider = findProvider(request.provider);
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
  return { provider: provider.id, dataset: named.dataset };
}
