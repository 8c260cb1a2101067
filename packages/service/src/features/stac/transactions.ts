import type { Readable } from "node:stream";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { RequestContext } from "../../platform/context.ts";
import type { IngestionService } from "../ingestion/service.ts";
import { badRequest } from "./bad-request.ts";
import { itemHref } from "./link.ts";
import { collectionNamed } from "./asked-collections.ts";
import { readItem, type ItemDeps } from "./read-item.ts";

type Document = Readonly<Record<string, unknown>>;

/** Items as they are after a change, or the address of the first. */
interface ChangedItems {
  readonly document: Document;
  readonly href: string;
}

/** The Transaction extension. Collections without the right to search them are absent. */
export interface Transactions {
  /** The entity tag of an item document; null for items that were not registered. */
  itemEtag(item: Document): Promise<string | null>;
  /** @throws {ServiceError} as `create` of `ItemService`; DATA-NOT-AVAILABLE */
  createItems(collectionId: string, body: Document, context: RequestContext): Promise<ChangedItems>;
  /** @throws {ServiceError} as `replace` of `ItemService`; DATA-NOT-AVAILABLE */
  replaceItem(collectionId: string, itemId: string, item: Document, context: RequestContext): Promise<Document>;
  /** @throws {ServiceError} as `patch` of `ItemService`; DATA-NOT-AVAILABLE */
  patchItem(collectionId: string, itemId: string, patch: Document, context: RequestContext): Promise<Document>;
  /** @throws {ServiceError} as `deleteScene` of ingestion; DATA-NOT-AVAILABLE */
  deleteItem(
    collectionId: string,
    itemId: string,
    context: RequestContext,
  ): Promise<{ id: string; restorableUntil: string | null }>;
  /** @throws {ServiceError} as `importItems` of `ItemService`; DATA-NOT-AVAILABLE */
  importItems(
    collectionId: string,
    body: Readable,
    context: RequestContext,
  ): ReturnType<IngestionService["items"]["importItems"]>;
}

export function createTransactions(deps: ItemDeps): Transactions {
  const open = (collectionId: string, { caller }: RequestContext) => {
    const { listing } = collectionNamed(deps.imagery, caller, collectionId);
    if (deps.ingestion === undefined) throw new ServiceError("BAD-REQUEST", "items can only be read here");
    return { listing, ingestion: deps.ingestion, items: deps.ingestion.items };
  };
  return {
    async itemEtag({ id }) {
      return (await deps.ingestion?.items.etag(String(id))) ?? null;
    },

    async createItems(collectionId, body, context) {
      const { items, listing } = open(collectionId, context);
      const isOne = body["type"] === "Feature";
      const ids = await items.create(listing, isOne ? [body] : featuresOf(body), context);
      const documents = await Promise.all(ids.map((id) => readItem(deps, collectionId, id, context)));
      const [first = {}] = documents;
      return {
        document: isOne ? first : { type: "FeatureCollection", features: documents },
        href: itemHref(context.baseUrl, collectionId, ids[0] ?? ""),
      };
    },

    async replaceItem(collectionId, itemId, item, context) {
      const { items, listing } = open(collectionId, context);
      return await readItem(deps, collectionId, await items.replace(listing, itemId, item, context), context);
    },

    async patchItem(collectionId, itemId, patch, context) {
      const { items, listing } = open(collectionId, context);
      return await readItem(deps, collectionId, await items.patch(listing, itemId, patch, context), context);
    },

    async deleteItem(collectionId, itemId, context) {
      const { ingestion, items, listing } = open(collectionId, context);
      const sceneId = items.sceneIdOf(listing, itemId, context.caller);
      // An item of another collection does not exist in this one, and neither does a deleted one.
      await readItem(deps, collectionId, itemId, context);
      const { restorableUntil } = await ingestion.deleteScene(sceneId, context);
      return { id: sceneId, restorableUntil };
    },

    async importItems(collectionId, body, context) {
      const { items, listing } = open(collectionId, context);
      return await items.importItems(listing, body, context);
    },
  };
}

/** @throws {ServiceError} BAD-REQUEST */
function featuresOf({ features }: Document): readonly Document[] {
  if (Array.isArray(features)) return features as readonly Document[];
  throw badRequest("features", "is missing, expected the items of the FeatureCollection");
}
