import { ServiceError } from "@swath/kernel/errors/service-error";
import type { SceneSource } from "@swath/raster/source/scene-source";
import type { StacDatasetConfig, StacSourceConfig } from "./config.ts";
import { findItem, requireItem } from "./find-item.ts";
import { resolveHref } from "./item-address.ts";
import type { CatalogueItem, SkipReason } from "./item-scene.ts";
import { thumbnailOfItem } from "./item-thumbnail.ts";
import { openItem, type OpenItemDeps } from "./open-item.ts";
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
  const { name } = catalogue;
  const skipped: Partial<Record<SkipReason, number>> = {};
  const search = itemSearch(catalogue, skipped);
  const ended = new AbortController();
  const live = (signal: AbortSignal): AbortSignal => {
    signal.throwIfAborted();
    return AbortSignal.any([signal, ended.signal]);
  };

  return {
    isComputed: false,
    skipped,

    async search(query, signal) {
      const both = live(signal);
      return search(query, datasetOf(catalogue, query.provider, query.dataset), both);
    },

    async scene(sceneId, signal) {
      return (await findItem(catalogue, sceneId, live(signal)))?.scene ?? null;
    },

    async open(scene, window, signal) {
      const both = live(signal);
      const item = await requireItem(catalogue, scene.sceneId, both);
      return openItem(item, window, filesOf(catalogue, item), both);
    },

    async thumbnail(scene, signal) {
      const both = live(signal);
      const item = await requireItem(catalogue, scene.sceneId, both);
      return thumbnailOfItem(catalogue, item, filesOf(catalogue, item), both);
    },

    async [Symbol.asyncDispose]() {
      ended.abort(new ServiceError("SERVICE-UNAVAILABLE", `${name} is no longer asked: the service stops`));
      catalogue[Symbol.dispose]();
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

function filesOf(catalogue: StacCatalogue, item: CatalogueItem): OpenItemDeps {
  const { client, headers, clock, config } = catalogue;
  const resolve = (href: string): URL | null => resolveHref(catalogue, item, href);
  return { client, headers, clock, resolve, maxSceneBytes: config.maxSceneBytes ?? 16_000_000_000 };
}
