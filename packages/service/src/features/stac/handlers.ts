import { PARQUET_TYPE, type SearchQuery, type stacContract } from "@swath/contract/features/stac/contract";
import type { Handlers, RequestContext } from "../../platform/context.ts";
import { SentFile } from "../../platform/sent-file.ts";
import { collectionHref, GEOJSON_TYPE, JSON_TYPE, rootOf, type Link } from "./link.ts";
import { openApiDocument } from "./openapi-document.ts";
import { inputOfBody, inputOfQuery } from "./search-input.ts";
import type { ItemsPage } from "./search-items.ts";
import { addressOf, type StacService } from "./service.ts";
import { transactionHandlers, withEtag } from "./transaction-handlers.ts";

/** Media ranges of `Accept` that are read. */
const MOST_TYPES = 32;

export function stacHandlers(service: StacService): Handlers<typeof stacContract> {
  return {
    landing: async (_request, context) => service.landing(context),
    ...transactionHandlers(service),
    conformance: async () => ({ conformsTo: [...service.conformance()] }),
    api: async (_request, { baseUrl }) => openApiDocument(baseUrl),
    children: async (_request, context) => service.children(context),
    collections: (query, context) => service.collections(query, context),
    collection: ({ collectionId }, context) => service.collection(collectionId, context),
    async items({ collectionId, ...query }, context) {
      const home = collectionHref(context.baseUrl, collectionId);
      if (wantsParquet(query, context))
        return await fileAnswer(service, query, `${home}/items`, { collectionId, context });
      const page = await service.search(inputOfQuery(query), collectionId, context);
      return withLinks(page, context.baseUrl, [
        { rel: "collection", href: home, type: JSON_TYPE },
        ...linksByQuery(`${home}/items`, query, page.next),
      ]);
    },
    async item({ collectionId, itemId }, context) {
      const item = await service.item(collectionId, itemId, context);
      return withEtag(item, await service.itemEtag(item));
    },
    async searchByQuery(query, context) {
      const href = `${rootOf(context.baseUrl)}/search`;
      if (wantsParquet(query, context)) return await fileAnswer(service, query, href, { collectionId: null, context });
      const page = await service.search(inputOfQuery(query), null, context);
      return withLinks(page, context.baseUrl, linksByQuery(href, query, page.next));
    },
    async search(body, context) {
      const page = await service.search(inputOfBody(body), null, context);
      const href = `${rootOf(context.baseUrl)}/search`;
      const next = { rel: "next", href, type: GEOJSON_TYPE, method: "POST", merge: true } as const;
      // Some clients send the body of the link alone, others merge it: both have the whole search.
      const links = page.next === null ? [] : [{ ...next, body: { ...body, token: page.next } }];
      return withLinks(page, context.baseUrl, links);
    },
    aggregations: async (_request, context) => service.aggregations(null, context),
    collectionAggregations: async ({ collectionId }, context) => service.aggregations(collectionId, context),
    aggregate: (query, context) => service.aggregate(query, null, context),
    collectionAggregate: ({ collectionId, ...query }, context) => service.aggregate(query, collectionId, context),
    queryables: async (_request, context) => service.queryables(null, context),
    collectionQueryables: async ({ collectionId }, context) => service.queryables(collectionId, context),
  };
}

/** The parameter decides before the header. */
function wantsParquet({ f }: Pick<SearchQuery, "f">, { headers }: Pick<RequestContext, "headers">): boolean {
  if (f !== undefined) return f === "parquet";
  const accept = headers?.["accept"] ?? "";
  return accept.split(",", MOST_TYPES).some((range) => range.split(";")[0]?.trim().toLowerCase() === PARQUET_TYPE);
}

async function fileAnswer(
  service: StacService,
  query: SearchQuery,
  href: string,
  { collectionId, context }: { readonly collectionId: string | null; readonly context: RequestContext },
): Promise<SentFile> {
  const { answer, next } = await service.file(inputOfQuery(query), query.limit ?? null, collectionId, context);
  const link = next === null ? {} : { link: `<${href}?${addressOf({ ...query, token: next })}>; rel="next"` };
  return new SentFile({ ...answer, headers: { ...answer.headers, ...link, vary: "accept" } });
}

function linksByQuery(href: string, query: Readonly<Record<string, unknown>>, next: string | null): readonly Link[] {
  const asked = addressOf(query);
  const self: Link = { rel: "self", href: asked === "" ? href : `${href}?${asked}`, type: GEOJSON_TYPE };
  if (next === null) return [self];
  const nextHref = `${href}?${addressOf({ ...query, token: next })}`;
  return [self, { rel: "next", href: nextHref, type: GEOJSON_TYPE, method: "GET" }];
}

function withLinks({ document }: ItemsPage, baseUrl: string, links: readonly Link[]) {
  return { ...document, links: [{ rel: "root", href: rootOf(baseUrl), type: JSON_TYPE }, ...links] };
}
