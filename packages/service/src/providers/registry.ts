import { ab } from "./ab/datasets.ts";
import { ee } from "./ee/datasets.ts";
import { esa } from "./esa/datasets.ts";
import { local } from "./local/datasets.ts";
import { noaa } from "./noaa/datasets.ts";
import { opticalAgile } from "./optical-agile/datasets.ts";
import { opticalArchive } from "./optical-archive/datasets.ts";
import { opticalLegacy } from "./optical-legacy/datasets.ts";
import { pl } from "./pl/datasets.ts";
import { radarGec } from "./radar-gec/datasets.ts";
import { radarLegacy } from "./radar-legacy/datasets.ts";
import { radarMulti } from "./radar-multi/datasets.ts";
import type { DatasetDescriptor, ProviderDescriptor } from "./provider.ts";

/** Every provider, one line each, by identifier. */
export const providers: readonly ProviderDescriptor[] = [
  ab,
  ee,
  esa,
  local,
  noaa,
  opticalAgile,
  opticalArchive,
  opticalLegacy,
  pl,
  radarGec,
  radarLegacy,
  radarMulti,
];

const byId = new Map<string, ProviderDescriptor>(
  providers.flatMap((provider) => [provider.id, ...provider.aliases].map((id) => [id, provider] as const)),
);

/** The provider with that identifier or alias, or null. */
export function findProvider(id: string): ProviderDescriptor | null {
  return byId.get(id) ?? null;
}

export interface RegisteredDataset {
  readonly provider: ProviderDescriptor;
  readonly dataset: DatasetDescriptor;
}

/** The dataset of a provider, which may be named by an alias, or null. */
export function findDataset(providerId: string, datasetId: string): RegisteredDataset | null {
  const provider = findProvider(providerId);
  const dataset = provider?.datasets.find((one) => one.dataset === datasetId);
  return provider === null || dataset === undefined ? null : { provider, dataset };
}
