import { ServiceError } from "@swath/kernel/errors/service-error";
import { HeaderCache } from "@swath/raster/remote/http-byte-source";
import type { PixelSource } from "@swath/raster/source/scene-source";
import type { Db } from "../../platform/context.ts";
import { connectHosts, type PeerDeps } from "../stac/connect-peer.ts";
import { filesOf, itemAccess } from "../stac/item-access.ts";
import type { ItemFiles } from "../stac/item-files.ts";
import { sceneOfItem, type CatalogueItem } from "../stac/item-scene.ts";
import { openItem } from "../stac/open-item.ts";
import type { ItemFilesSettings } from "./item-hosts.ts";
import { ItemReader } from "./item-reader.ts";
import { parseItem } from "./item-row.ts";
import type { ReadItems } from "./read-items.ts";
import type { ItemTarget } from "./registered-id.ts";
import * as store from "./store.ts";
import { withGrids } from "./with-grids.ts";

type Json = Readonly<Record<string, unknown>>;

/** Items whose files stay where they are, on hosts that the operator allows. */
export interface RegisteredItems extends AsyncDisposable {
  /** Whether the operator allows hosts of files. */
  readonly isOpen: boolean;
  /** Reads lines of JSON; no file is asked. @throws {ServiceError} BAD-REQUEST as `ItemReader` */
  read(lines: Uint8Array, target: ItemTarget, signal: AbortSignal): Promise<ReadItems>;
  /**
   * Reads the header of each file of an item, and adds the grids that the item does not state.
   *
   * @param item as `read` has accepted it
   * @throws {ServiceError} SCENE-UNREADABLE; UNSUPPORTED-IMAGERY; SERVICE-UNAVAILABLE for a host that does not answer
   */
  check(item: Json, target: ItemTarget, signal: AbortSignal): Promise<Json>;
  /** The pixels of a scene that is registered, else null. */
  sourceOf(sceneId: string): Promise<PixelSource | null>;
}

export interface RegisteredItemsDeps extends PeerDeps {
  readonly db: Db;
}

/** Base of relative addresses: a host that no list allows. */
const NO_BASE = new URL("https://relative.invalid/");
const NAME = "registered items";

/** @throws {Error} when the settings contradict themselves or a secret is missing */
export function createRegisteredItems(settings: ItemFilesSettings, deps: RegisteredItemsDeps): RegisteredItems {
  const { db, clock } = deps;
  const hosts = connectHosts(settings, deps);
  const files: ItemFiles = { ...hosts, config: settings, headers: new HeaderCache(clock), name: NAME, root: NO_BASE };
  const access = itemAccess(files, async (sceneId) => storedItem(db, sceneId));
  const reader = new ItemReader();
  const source: PixelSource = {
    isComputed: false,
    readsParts: true,
    open: access.open,
    thumbnail: access.thumbnail,
  };
  return {
    isOpen: (settings.hosts ?? []).length > 0,

    read: (bytes, target, signal) => {
      const { hosts: allowed = [], rewriteHrefs = [] } = settings;
      return reader.read({ bytes, target, hosts: { hosts: allowed, rewriteHrefs } }, access.live(signal));
    },

    async check(item, target, signal) {
      const both = access.live(signal);
      const found = await catalogueItem(item, target);
      await using opened = await openItem(found, null, filesOf(files, found), both);
      return withGrids(item, found, opened.rasters);
    },

    sourceOf: async (sceneId) => ((await store.isRegistered(db, sceneId)) ? source : null),

    async [Symbol.asyncDispose]() {
      await reader[Symbol.asyncDispose]();
      await access[Symbol.asyncDispose]();
    },
  };
}

/** @throws {ServiceError} NON-EXISTING-SCENE */
async function storedItem(db: Db, sceneId: string): Promise<CatalogueItem> {
  const row = await store.readStoredItem(db, sceneId);
  if (row === null || row.item === null)
    throw new ServiceError("NON-EXISTING-SCENE", `there is no registered scene ${sceneId}`);
  const found = await catalogueItem(parseItem(row.item), row);
  return { ...found, scene: { ...found.scene, sceneId } };
}

async function catalogueItem(
  item: Json,
  { provider, dataset }: { readonly provider: string; readonly dataset: string },
): Promise<CatalogueItem> {
  const found = await sceneOfItem(item, { provider, dataset, collections: [] });
  if (typeof found !== "string") return found;
  throw new ServiceError("SCENE-UNREADABLE", `the item is no scene any more: ${found}`);
}
