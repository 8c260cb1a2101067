import { ServiceError } from "@swath/kernel/errors/service-error";
import type { SceneSource } from "@swath/raster/source/scene-source";
import type { StacDatasetConfig, StacSourceConfig } from "./config.ts";
import { findItem, requireItem } from "./find-item.ts";
import { itemAccess } from "./item-access.ts";
import type { SkipReason } from "./item-scene.ts";
import { createItemSearch } from "./search-items.ts";
import { connectCatalogue, keepItem, type StacCatalogue, type StacSourceDeps } from "./stac-catalogue.ts";

/** A STAC catalogue as a source, with counts of the items that it left out. */
export interface StacSource extends SceneSource {
  /** Items that were no scenes, by reason, since the start. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
}

/**
 * A STAC API as a source of scenes. Nothing is asked before the first use; the configuration is checked here.
 *
 * @throws {Error} when the configuration contradicts itself or a secret is missing
 */
export function createStacSource(config: StacSourceConfig, deps: StacSourceDeps): StacSource {
  const catalogue = connectCatalogue(config, deps);
  const skipped: Partial<Record<SkipReason, number>> = {};
  const search = itemSearch(catalogue, skipped);
  const access = itemAccess(catalogue, (sceneId, signal) => requireItem(catalogue, sceneId, signal));
  const { live } = access;

  return {
    isComputed: false,
    skipped,
    open: access.open,
    thumbnail: access.thumbnail,
    [Symbol.asyncDispose]: access[Symbol.asyncDispose],

    async search(query, signal) {
      const both = live(signal);
      return search(query, datasetOf(catalogue, query.provider, query.dataset), both);
    },

    async scene(sceneId, signal) {
      return (await findItem(catalogue, sceneId, live(signal)))?.scene ?? null;
    },
  };
}

function itemSearch(catalogue: StacCatalogue, skipped: Partial<Record<SkipReason, number>>) {
  const { api, clock, config, log, name } = catalogue;
  return createItemSearch({
    api,
    clock,
    name,
    pageSize: config.pageSize ?? 100,
    maxPages: config.maxPages ?? 50,
    sort: config.sort ?? "auto",
    onItem: (item) => keepItem(catalogue, item),
    onSkip: (reason) => {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
      if (reason !== "not wanted") log.debug({ catalogue: name, reason }, "item skipped");
    },
  });
}

function datasetOf({ config, name }: StacCatalogue, provider: string, dataset: string): StacDatasetConfig {
  const found = config.datasets.find((one) => one.provider === provider && one.dataset === dataset);
  if (found !== undefined) return found;
  throw new ServiceError(
    "DATASET-NOT-SUPPORTED-FOR-SEARCH",
    `${name} does not serve the dataset ${provider} ${dataset}`,
  );
}
