import { LRUCache } from "lru-cache";
import { HeaderCache } from "@swath/raster/remote/http-byte-source";
import type { StacSourceConfig } from "./config.ts";
import { connectPeer, type ConnectedPeer, type PeerDeps } from "./connect-peer.ts";
import type { CatalogueItem } from "./item-scene.ts";
import { createStacApi, type StacApi } from "./stac-api.ts";

export interface StacSourceDeps extends PeerDeps {
  /** Beginnings of files, shared with sources that have the same credentials; by default its alone. */
  readonly headers?: HeaderCache;
}

/** A configured catalogue: its API, its hosts and its last items. */
export interface StacCatalogue extends ConnectedPeer {
  readonly config: StacSourceConfig;
  readonly api: StacApi;
  readonly headers: HeaderCache;
  /** Items by scene identifier, and the moment at which they were read. */
  readonly kept: LRUCache<string, { readonly item: CatalogueItem; readonly atMs: number }>;
}

/** Items kept for opening and pictures after a search found them. */
const KEPT_ITEMS = 1000;

/**
 * Sends nothing yet; the configuration is checked here.
 *
 * @throws {Error} when the configuration contradicts itself or a secret is missing
 */
export function connectCatalogue(config: StacSourceConfig, deps: StacSourceDeps): StacCatalogue {
  const peer = connectPeer(config, deps);
  const { client, name, root } = peer;
  return {
    ...peer,
    config,
    api: createStacApi({ client, url: root, name, method: config.method ?? "auto" }),
    headers: deps.headers ?? new HeaderCache(deps.clock),
    kept: new LRUCache({ max: KEPT_ITEMS }),
  };
}

export function keepItem({ kept, clock }: StacCatalogue, item: CatalogueItem): CatalogueItem {
  kept.set(item.scene.sceneId, { item, atMs: clock.now().getTime() });
  return item;
}
