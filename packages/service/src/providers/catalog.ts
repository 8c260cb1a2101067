import type { DatasetDescriptor, ProviderDescriptor } from "./provider.ts";

export interface RegisteredDataset {
  readonly provider: ProviderDescriptor;
  readonly dataset: DatasetDescriptor;
}

/** The providers and datasets of a service as its operator has configured them: without those that are off. */
export interface Catalog {
  /** In the order of the registry. */
  readonly providers: readonly ProviderDescriptor[];
  /** By identifier or alias; null when there is none. */
  findProvider(this: void, id: string): ProviderDescriptor | null;
  /** By identifiers or aliases; null when there is none. */
  findDataset(this: void, provider: string, dataset: string): RegisteredDataset | null;
}

/** Looks up what is in a list of providers; of equal names the first counts. */
export function createCatalog(providers: readonly ProviderDescriptor[]): Catalog {
  const byProvider = new Map<string, ProviderDescriptor>();
  const byDataset = new Map<ProviderDescriptor, ReadonlyMap<string, RegisteredDataset>>();
  for (const provider of providers) {
    for (const id of [provider.id, ...provider.aliases]) if (!byProvider.has(id)) byProvider.set(id, provider);
    const datasets = new Map<string, RegisteredDataset>();
    for (const dataset of provider.datasets) {
      for (const id of [dataset.dataset, ...dataset.aliases]) {
        if (!datasets.has(id)) datasets.set(id, { provider, dataset });
      }
    }
    byDataset.set(provider, datasets);
  }
  const findProvider = (id: string): ProviderDescriptor | null => byProvider.get(id) ?? null;
  return {
    providers,
    findProvider,
    findDataset(providerId, datasetId) {
      const provider = findProvider(providerId);
      return provider === null ? null : (byDataset.get(provider)?.get(datasetId) ?? null);
    },
  };
}
