import { LRUCache } from "lru-cache";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import { type Log, silentLog } from "@swath/base/log/log";
import { fitPicture } from "@swath/raster/remote/fit-picture";
import type { HostBreakers } from "@swath/raster/remote/host-breakers";
import { HeaderCache } from "@swath/raster/remote/http-byte-source";
import { createHostRules, displayUrl } from "@swath/raster/remote/host-rules";
import { createHttpTransport, type HttpTransport } from "@swath/raster/remote/http-transport";
import { createRemoteClient, type RemoteClient, type Timers } from "@swath/raster/remote/remote-client";
import { readStacAssets, type StacAsset } from "@swath/raster/scene-metadata/stac-item";
import type { SceneSource } from "@swath/raster/source/scene-source";
import type { StacDatasetConfig, StacSourceConfig } from "./config.ts";
import { createAuthorize } from "./credentials.ts";
import { itemDigest, itemOfSceneId } from "./item-id.ts";
import { type CatalogueItem, sceneOfItem, type SkipReason } from "./item-scene.ts";
import { pictureOfItem } from "./item-picture.ts";
import { openItem, type OpenItemDeps } from "./open-item.ts";
import { createItemSearch, intervalText } from "./search-items.ts";
import { createStacApi } from "./stac-api.ts";

export interface StacSourceDeps {
  readonly clock: Clock;
  readonly log?: Log;
  /** Time of pauses and timeouts; the system's unless given. */
  readonly timers?: Timers;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: () => number;
  /** Laid around the source's own transport, for measuring and tests. */
  readonly observe?: (transport: HttpTransport) => HttpTransport;
  /** Whether hosts are well, shared with other sources; of its own unless given. */
  readonly breakers?: HostBreakers;
  /** Beginnings of files, shared with sources that have the same credentials; of its own unless given. */
  readonly headers?: HeaderCache;
}

/** A STAC catalogue as a source, with what it has come across. */
export interface StacSource extends SceneSource {
  /** Items that were no scenes, by reason, since the start. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
}

/** Items kept for opening and pictures after a search found them. */
const KEPT_ITEMS = 1000;
/** Addresses in items may be signed and end. */
const KEPT_MS = 600_000;
const MAX_PICTURE_BYTES = 16 * 1024 * 1024;
const THUMBNAIL_PX = 512;
const DIGEST_PAGES = 20;

/**
 * A STAC API as a source of scenes. Nothing is asked before the first use; the configuration is checked here.
 *
 * @throws {Error} when the configuration contradicts itself or a secret is missing
 */
export function createStacSource(config: StacSourceConfig, deps: StacSourceDeps): StacSource {
  const { clock, log = silentLog } = deps;
  const root = new URL(config.url);
  const name = config.name ?? root.host;
  const rules = createHostRules({
    hosts: [`${root.protocol}//${root.host}`, ...(config.hosts ?? [])],
    ...(config.privateHosts === undefined ? {} : { privateHosts: config.privateHosts }),
  });
  const authorize = createAuthorize(config.credentials ?? [], clock, () => client);
  const own = createHttpTransport({ rules, authorize, maxSockets: config.concurrency ?? 8 });
  const client: RemoteClient = createRemoteClient({
    transport: deps.observe?.(own) ?? own,
    clock,
    log,
    ...(deps.timers === undefined ? {} : { timers: deps.timers }),
    ...(deps.random === undefined ? {} : { random: deps.random }),
    attempts: config.attempts ?? 4,
    timeoutMs: config.timeoutMs ?? 30_000,
    concurrency: config.concurrency ?? 8,
    ...(deps.breakers === undefined ? {} : { breakers: deps.breakers }),
  });
  const api = createStacApi({ client, url: root, name, method: config.method ?? "auto" });
  const headers = deps.headers ?? new HeaderCache(clock);
  const kept = new LRUCache<string, { readonly item: CatalogueItem; readonly atMs: number }>({ max: KEPT_ITEMS });
  const skipped: Partial<Record<SkipReason, number>> = {};
  const ended = new AbortController();

  const keep = (item: CatalogueItem): CatalogueItem => {
    kept.set(item.scene.sceneId, { item, atMs: clock.now().getTime() });
    return item;
  };
  const search = createItemSearch({
    api,
    clock,
    name,
    pageSize: config.pageSize ?? 100,
    maxPages: config.maxPages ?? 50,
    sort: config.sort ?? "auto",
    onItem: keep,
    onSkip: (reason) => {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
      if (reason !== "not wanted") log.debug({ catalogue: name, reason }, "item skipped");
    },
  });

  const datasetOf = (provider: string, dataset: string): StacDatasetConfig => {
    const found = config.datasets.find((one) => one.provider === provider && one.dataset === dataset);
    if (found !== undefined) return found;
    throw new ServiceError(
      "DATASET-NOT-SUPPORTED-FOR-SEARCH",
      `${name} does not serve the dataset ${provider} ${dataset}`,
    );
  };
  const datasetOfScene = (sceneId: string): StacDatasetConfig | null =>
    config.datasets.find((one) => itemOfSceneId(one, sceneId) !== null) ?? null;

  const findItem = async (sceneId: string, signal: AbortSignal): Promise<CatalogueItem | null> => {
    const dataset = datasetOfScene(sceneId);
    const address = dataset === null ? null : itemOfSceneId(dataset, sceneId);
    if (dataset === null || address === null) return null;
    if (address.kind === "id") {
      const json = await api.item(address.collection, address.id, signal);
      const item = json === null ? null : await sceneOfItem(json, dataset);
      return item === null || typeof item === "string" || item.scene.sceneId !== sceneId ? null : keep(item);
    }
    let pages = 0;
    const interval = intervalText(address.acquiredAtMs, address.acquiredAtMs);
    const request = { collections: dataset.collections, datetime: interval, newestFirst: false, limit: 100 };
    for await (const page of api.pages(request, signal)) {
      for (const json of page.items) {
        const item = await sceneOfItem(json, dataset);
        if (typeof item !== "string" && itemDigest(item.collection, item.itemId) === address.digest) return keep(item);
      }
      pages += 1;
      if (pages >= DIGEST_PAGES) break;
    }
    return null;
  };

  const itemOf = async (sceneId: string, signal: AbortSignal): Promise<CatalogueItem> => {
    const known = kept.get(sceneId);
    if (known !== undefined && clock.now().getTime() - known.atMs <= KEPT_MS) return known.item;
    const item = await findItem(sceneId, signal);
    if (item === null) throw new ServiceError("NON-EXISTING-SCENE", `${name} has no scene ${sceneId}`);
    return item;
  };

  /** Null for addresses that are neither http nor rewritten to it. */
  const resolve = (item: CatalogueItem, href: string): URL | null => {
    const rule = (config.rewriteHrefs ?? []).find(({ from }) => href.startsWith(from));
    const address = rule === undefined ? href : rule.to + href.slice(rule.from.length);
    const base = baseOf(item, root);
    if (!URL.canParse(address, base)) return null;
    const url = new URL(address, base);
    return url.protocol === "http:" || url.protocol === "https:" ? url : null;
  };

  const picture = async (item: CatalogueItem, asset: StacAsset, signal: AbortSignal) => {
    const url = resolve(item, asset.href);
    if (url === null || !rules.allows(url)) return null;
    const answer = await client.send({ url, maxBytes: MAX_PICTURE_BYTES }, signal);
    if (answer.status !== 200 || answer.body === null) return null;
    return fitPicture(answer.body, THUMBNAIL_PX, displayUrl(url));
  };

  const openDeps = (item: CatalogueItem): OpenItemDeps => ({
    client,
    headers,
    clock,
    resolve: (href) => resolve(item, href),
    maxSceneBytes: config.maxSceneBytes ?? 16_000_000_000,
  });

  /** A picture from the files themselves; null when they cannot be drawn. */
  const drawn = async (item: CatalogueItem, signal: AbortSignal) => {
    try {
      return await pictureOfItem(item, THUMBNAIL_PX, openDeps(item), signal);
    } catch (error) {
      const isImpossible =
        error instanceof ServiceError && (error.code === "UNSUPPORTED-IMAGERY" || error.code === "SCENE-UNREADABLE");
      if (!isImpossible) throw error;
      log.debug({ catalogue: name, scene: item.scene.sceneId, reason: error.message }, "no picture");
      return null;
    }
  };

  const live = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, ended.signal]);

  return {
    isComputed: false,
    skipped,

    async search(query, signal) {
      signal.throwIfAborted();
      return search(query, datasetOf(query.provider, query.dataset), live(signal));
    },

    async scene(sceneId, signal) {
      signal.throwIfAborted();
      return (await findItem(sceneId, live(signal)))?.scene ?? null;
    },

    async open(scene, window, signal) {
      signal.throwIfAborted();
      const item = await itemOf(scene.sceneId, live(signal));
      return openItem(item, window, openDeps(item), live(signal));
    },

    async thumbnail(scene, signal) {
      signal.throwIfAborted();
      const item = await itemOf(scene.sceneId, live(signal));
      for (const asset of picturesOf(item)) {
        try {
          // oxlint-disable-next-line no-await-in-loop -- the next is asked for when this one cannot be had
          const fitted = await picture(item, asset, live(signal));
          if (fitted !== null) return fitted;
        } catch (error) {
          if (!(error instanceof ServiceError) || error.code !== "SCENE-UNREADABLE") throw error;
          log.debug({ catalogue: name, scene: scene.sceneId, reason: error.message }, "picture left out");
        }
      }
      return drawn(item, live(signal));
    },

    [Symbol.asyncDispose]: async () => {
      ended.abort(new ServiceError("SERVICE-UNAVAILABLE", `${name} is no longer asked: the service stops`));
      own[Symbol.dispose]();
    },
  };
}

/** Small pictures first, then larger ones. */
function picturesOf({ item }: CatalogueItem): readonly StacAsset[] {
  const pictures = readStacAssets(item).filter(
    ({ mediaType, href }) =>
      /image\/(?:png|jpe?g|webp)/.test(mediaType) || /\.(?:png|jpe?g|webp)(?:[?#]|$)/i.test(href),
  );
  return pictures.filter((asset) => rankOf(asset) < 3).toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ roles, key }: StacAsset): number {
  if (roles.includes("thumbnail") || key === "thumbnail") return 0;
  if (roles.includes("overview") || key === "overview") return 1;
  return /preview|browse|quicklook/i.test(key) ? 2 : 3;
}

/** Relative addresses are relative to the item itself. */
function baseOf({ item, collection, itemId }: CatalogueItem, root: URL): URL {
  const links: unknown = item["links"];
  const self = Array.isArray(links)
    ? links.find((link: unknown): link is { rel: "self"; href: string } => isSelfLink(link))
    : undefined;
  if (self !== undefined && URL.canParse(self.href)) return new URL(self.href);
  const folder = new URL(root);
  if (!folder.pathname.endsWith("/")) folder.pathname += "/";
  return new URL(`collections/${encodeURIComponent(collection)}/items/${encodeURIComponent(itemId)}`, folder);
}

function isSelfLink(link: unknown): link is { readonly rel: "self"; readonly href: string } {
  return (
    typeof link === "object" &&
    link !== null &&
    "rel" in link &&
    link.rel === "self" &&
    "href" in link &&
    typeof link.href === "string"
  );
}
