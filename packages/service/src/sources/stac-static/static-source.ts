import { createHash } from "node:crypto";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { sceneIdPrefix } from "@swath/kernel/scenes/scene-id";
import { keyOf, type SceneKey } from "@swath/kernel/scenes/scene-key";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import type { SceneSource, SourcePage, SourceQuery } from "@swath/raster/source/scene-source";
import type { Db } from "../../platform/context.ts";
import { boundConfig } from "../stac/bound-config.ts";
import type { StacSourceConfig } from "../stac/config.ts";
import { itemAccess } from "../stac/item-access.ts";
import { sceneOfItem, type CatalogueItem } from "../stac/item-scene.ts";
import { connectCatalogue, keepItem, type StacCatalogue, type StacSourceDeps } from "../stac/stac-catalogue.ts";
import { currentCrawl, refreshIndex, type IndexScope } from "./refresh-index.ts";
import { crawlLimits, refreshMs, type StaticSettings } from "./settings.ts";
import * as store from "./store.ts";

export interface StaticSourceDeps extends StacSourceDeps {
  readonly db: Db;
}

/** A connected catalogue and its index. */
interface Connected {
  readonly catalogue: StacCatalogue;
  readonly scope: IndexScope;
}

/** Items of one page of the index; each may have a hundred kilobytes. */
const PAGE_ITEMS = 100;
/** Items are read from the index again after this time. */
const KEPT_MS = 600_000;

/**
 * A static STAC catalogue as a source. Searches read an index in the database, which `upkeep` fills; pixels are read
 * from the assets.
 *
 * @throws {Error} when the settings contradict themselves or a secret is missing
 */
export function createStaticSource(
  settings: StaticSettings,
  { provider, dataset }: { readonly provider: string; readonly dataset: string },
  deps: StaticSourceDeps,
): SceneSource & Required<Pick<SceneSource, "upkeep">> {
  const config = sourceConfig(settings, provider, dataset);
  const [bound] = config.datasets;
  if (bound === undefined) throw new Error("the configuration of a static catalogue has one dataset");
  const catalogue = connectCatalogue(config, deps);
  const { client, clock, log, name, root, rules } = catalogue;
  const scope: IndexScope = {
    client,
    clock,
    log,
    name,
    root,
    rules,
    db: deps.db,
    dataset: bound,
    limits: crawlLimits(settings),
    refreshMs: refreshMs(settings),
    settings: createHash("sha256").update(JSON.stringify(settings)).digest("hex"),
  };
  const connected = { catalogue, scope };
  const access = itemAccess(catalogue, (sceneId, signal) => requireIndexed(connected, sceneId, signal));
  const { live } = access;
  return {
    isComputed: false,
    search: async (query, signal) => searchIndex(connected, query, live(signal)),
    scene: async (sceneId, signal) => (await findIndexed(connected, sceneId, live(signal)))?.scene ?? null,
    upkeep: (signal) => refreshIndex(scope, live(signal)),
    open: access.open,
    thumbnail: access.thumbnail,
    [Symbol.asyncDispose]: access[Symbol.asyncDispose],
  };
}

/** The settings of a static catalogue as settings of an API with the same hosts and items. */
export function sourceConfig(settings: StaticSettings, provider: string, dataset: string): StacSourceConfig {
  const { refreshHours: _h, maxItems: _i, maxDepth: _d, maxMegabytes: _b, maxMinutes: _t, ...bound } = settings;
  return boundConfig(bound, provider, dataset);
}

/** @throws {ServiceError} SERVICE-UNAVAILABLE before the first crawl has ended */
async function indexOf({ scope }: Connected): Promise<store.CrawlRow> {
  const row = await currentCrawl(scope);
  if (row !== null && row.indexed_at !== null) return row;
  const documents = row === null ? 0 : await store.countDocuments(scope.db, row.crawl_key);
  const state =
    row?.fault == null
      ? `is read for the first time, ${documents} documents so far; ask again later`
      : `could not be read: ${row.fault}`;
  throw new ServiceError("SERVICE-UNAVAILABLE", `the catalogue ${scope.name} ${state}`);
}

async function searchIndex(connected: Connected, query: SourceQuery, signal: AbortSignal): Promise<SourcePage> {
  const { crawl_key: crawlKey } = await indexOf(connected);
  const limit = Math.min(query.limit, PAGE_ITEMS);
  const from = query.fromMs === null ? null : new Date(query.fromMs);
  const to = query.toMs === null ? null : new Date(query.toMs);
  let after: SceneKey | null = query.after;
  for (;;) {
    const found = { crawlKey, boxes: query.boxes, from, to, after, limit };
    const rows = await store.findItems(connected.scope.db, found);
    const items: CatalogueItem[] = [];
    for (const row of rows) {
      signal.throwIfAborted();
      const item = await itemOf(connected, row);
      if (item !== null) items.push(item);
    }
    const last = rows.at(-1);
    const end = rows.length < limit || last === undefined;
    if (end || items.length > 0) return { scenes: items.map(({ scene }) => scene), end };
    after = { acquiredAtMs: last.acquired_at.getTime(), sceneId: last.scene_id };
  }
}

/** Null when the row is no scene for this version of the service. */
async function itemOf({ catalogue, scope }: Connected, row: store.ItemRow): Promise<CatalogueItem | null> {
  const json: unknown = JSON.parse(row.item);
  const item = isRecord(json) ? await sceneOfItem(json, scope.dataset) : "unreadable";
  if (typeof item === "string" || keyOf(item.scene).sceneId !== row.scene_id) return null;
  return keepItem(catalogue, item);
}

async function findIndexed(connected: Connected, sceneId: string, signal: AbortSignal): Promise<CatalogueItem | null> {
  const { dataset, db } = connected.scope;
  if (!sceneId.startsWith(sceneIdPrefix(dataset.provider, dataset.dataset))) return null;
  const known = connected.catalogue.kept.get(sceneId);
  const nowMs = connected.catalogue.clock.now().getTime();
  if (known !== undefined && nowMs - known.atMs <= KEPT_MS) return known.item;
  const { crawl_key: crawlKey } = await indexOf(connected);
  signal.throwIfAborted();
  const row = await store.readItem(db, crawlKey, sceneId);
  return row === null ? null : itemOf(connected, row);
}

async function requireIndexed(connected: Connected, sceneId: string, signal: AbortSignal): Promise<CatalogueItem> {
  const item = await findIndexed(connected, sceneId, signal);
  if (item === null) throw new ServiceError("NON-EXISTING-SCENE", `${connected.scope.name} has no scene ${sceneId}`);
  return item;
}
