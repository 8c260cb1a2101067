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
import { createCatalog } from "./catalog.ts";
import type { ProviderDescriptor } from "./provider.ts";

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

const catalog = createCatalog(providers);

/** The provider with that identifier or alias as built in, or null. `Catalog` holds the configured ones. */
export const findProvider = catalog.findProvider;

/** The dataset of a provider as built in, either of which may be named by an alias, or null. */
export const findDataset = catalog.findDataset;
