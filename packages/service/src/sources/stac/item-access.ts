import { ServiceError } from "@swath/kernel/errors/service-error";
import type { SceneSource } from "@swath/raster/source/scene-source";
import { resolveHref } from "./item-address.ts";
import type { CatalogueItem } from "./item-scene.ts";
import { thumbnailOfItem } from "./item-thumbnail.ts";
import { openItem, type OpenItemDeps } from "./open-item.ts";
import type { ItemFiles } from "./item-files.ts";

/** Pixels and pictures of the items of a catalogue, until it is disposed. */
export interface ItemAccess extends Pick<SceneSource, "open" | "thumbnail">, AsyncDisposable {
  /** A signal that ends with the access too. */
  live(this: void, signal: AbortSignal): AbortSignal;
}

/**
 * Takes over the catalogue: disposing ends it.
 *
 * @param requireItem the item of a scene; throws ServiceError NON-EXISTING-SCENE
 */
export function itemAccess(
  catalogue: ItemFiles,
  requireItem: (sceneId: string, signal: AbortSignal) => Promise<CatalogueItem>,
): ItemAccess {
  const ended = new AbortController();
  const live = (signal: AbortSignal): AbortSignal => {
    signal.throwIfAborted();
    return AbortSignal.any([signal, ended.signal]);
  };
  return {
    live,

    async open(scene, window, signal) {
      const both = live(signal);
      const item = await requireItem(scene.sceneId, both);
      return openItem(item, window, filesOf(catalogue, item), both);
    },

    async thumbnail(scene, signal) {
      const both = live(signal);
      const item = await requireItem(scene.sceneId, both);
      return thumbnailOfItem(catalogue, item, filesOf(catalogue, item), both);
    },

    [Symbol.asyncDispose]() {
      ended.abort(new ServiceError("SERVICE-UNAVAILABLE", `${catalogue.name} is no longer asked: the service stops`));
      catalogue[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}

export function filesOf(catalogue: ItemFiles, item: CatalogueItem): OpenItemDeps {
  const { client, headers, clock, config } = catalogue;
  const resolve = (href: string): URL | null => resolveHref(catalogue, item, href);
  return { client, headers, clock, resolve, maxSceneBytes: config.maxSceneBytes ?? 16_000_000_000 };
}
