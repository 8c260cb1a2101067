import { Readable } from "node:stream";
import type { transactionContract } from "@swath/contract/features/stac/transaction-contract";
import { AnswerWithHeaders } from "../../platform/answer-with-headers.ts";
import type { Handlers } from "../../platform/context.ts";
import { Created } from "../../platform/created.ts";
import { JSON_TYPE } from "./link.ts";
import type { StacService } from "./service.ts";

type Document = Readonly<Record<string, unknown>>;

/** An item with the entity tag of its registration. */
export function withEtag(item: Document, etag: string | null): Document | AnswerWithHeaders<Document> {
  return etag === null ? item : new AnswerWithHeaders(item, { etag });
}

export function transactionHandlers(service: StacService): Handlers<typeof transactionContract> {
  return {
    async createItems({ collectionId, ...body }, context) {
      const { document, href } = await service.createItems(collectionId, body, context);
      return new Created(document, href);
    },
    async replaceItem({ collectionId, itemId, ...item }, context) {
      const document = await service.replaceItem(collectionId, itemId, item, context);
      return withEtag(document, await service.itemEtag(document));
    },
    async patchItem({ collectionId, itemId, ...patch }, context) {
      const document = await service.patchItem(collectionId, itemId, patch, context);
      return withEtag(document, await service.itemEtag(document));
    },
    deleteItem: ({ collectionId, itemId }, context) => service.deleteItem(collectionId, itemId, context),
    async importItems({ params: { collectionId }, body }, context) {
      const answer = await service.importItems(collectionId, body ?? Readable.from([]), context);
      return { status: 200, mediaType: JSON_TYPE, body: new TextEncoder().encode(JSON.stringify(answer)) };
    },
  };
}
