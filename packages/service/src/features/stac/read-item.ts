import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ImageryService } from "../imagery/service.ts";
import type { IngestionService } from "../ingestion/service.ts";
import type { TilesetService } from "../maps/tilesets/service.ts";
import { browsed, collectionNamed } from "./asked-collections.ts";
import { itemDocument } from "./item-document.ts";
import { itemView, type ItemViewDeps } from "./item-view.ts";
import { mapLinks } from "./map-links.ts";
import type { StacRequest } from "./search-items.ts";
import { withOwnProperties } from "./with-own-properties.ts";

type Document = Readonly<Record<string, unknown>>;

/** Where items are read and written. */
export interface ItemDeps extends ItemViewDeps {
  readonly imagery: ImageryService;
  /** Absent where items can only be read. */
  readonly ingestion?: Pick<IngestionService, "deleteScene" | "items">;
  /** Absent where no maps are made. */
  readonly tilesets?: Pick<TilesetService, "released">;
}

/**
 * An item with links to the maps of its scene that the reader has released. Pages of items have no such links: each
 * takes some statements.
 *
 * @throws {ServiceError} DATA-NOT-AVAILABLE; NON-EXISTING-SCENE
 */
export async function readItem(
  deps: ItemDeps,
  collectionId: string,
  name: string,
  request: StacRequest,
): Promise<Document> {
  const { imagery, ingestion } = deps;
  const { caller, signal } = request;
  const collection = collectionNamed(imagery, caller, collectionId);
  const itemId = ingestion?.items.sceneIdOf(collection.listing, name, caller) ?? name;
  const { scenes } = await imagery.browse(
    { ...EVERYTHING, datasets: browsed([collection]), sceneIds: [itemId], limit: 1, withRasters: true },
    caller,
    signal,
  );
  const [found] = scenes;
  if (found === undefined) throw new ServiceError("NON-EXISTING-SCENE", `there is no item ${name.slice(0, 128)}`);
  const view = await itemView(deps, scenes, null, request);
  const released = (await deps.tilesets?.released(caller.userId, found.scene.sceneId)) ?? [];
  return withOwnProperties(itemDocument(found, collection, view, mapLinks(released, view.baseUrl)), found.item);
}

const EVERYTHING = { from: null, to: null, extent: null, filter: null, order: [], offset: 0 } as const;
