import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../../platform/context.ts";
import type { ImageryService } from "../imagery/service.ts";
import type { IngestionService } from "../ingestion/service.ts";
import { collectionsOf, type Collection } from "./collections.ts";
import { itemDocument } from "./item-document.ts";
import { withOwnProperties } from "./with-own-properties.ts";

type Document = Readonly<Record<string, unknown>>;

/** The caller, the origin of links, and the end of the request. */
export interface StacRequest {
  readonly caller: Caller;
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

/** Where items are read and written. */
export interface ItemDeps {
  readonly imagery: ImageryService;
  /** Absent where items can only be read. */
  readonly ingestion?: Pick<IngestionService, "deleteScene" | "items">;
}

/** @throws {ServiceError} DATA-NOT-AVAILABLE for collections that the caller may not search */
export function collectionNamed(imagery: ImageryService, caller: Caller, collectionId: string): Collection {
  const found = collectionsOf(imagery.listDatasets(caller)).find(({ id }) => id === collectionId);
  if (found !== undefined) return found;
  throw new ServiceError("DATA-NOT-AVAILABLE", `there is no collection ${collectionId.slice(0, 100)}`);
}

export function browsed(collections: readonly Collection[]) {
  return collections.map(({ id, listing: { provider, dataset } }) => ({ name: id, provider, dataset }));
}

/** @throws {ServiceError} DATA-NOT-AVAILABLE; NON-EXISTING-SCENE */
export async function readItem(
  { imagery, ingestion }: ItemDeps,
  collectionId: string,
  name: string,
  { caller, baseUrl, signal }: StacRequest,
): Promise<Document> {
  const collection = collectionNamed(imagery, caller, collectionId);
  const itemId = ingestion?.items.sceneIdOf(collection.listing, name, caller) ?? name;
  const { scenes } = await imagery.browse(
    { ...EVERYTHING, datasets: browsed([collection]), sceneIds: [itemId], limit: 1 },
    caller,
    signal,
  );
  const [found] = scenes;
  if (found === undefined) throw new ServiceError("NON-EXISTING-SCENE", `there is no item ${name.slice(0, 128)}`);
  return withOwnProperties(itemDocument(found, collection, baseUrl), found.item);
}

const EVERYTHING = { from: null, to: null, extent: null, filter: null, order: [], offset: 0 } as const;
