import type { OpportunityRequest, PageQuery } from "@swath/contract/features/stapi/requests";
import { ServiceError } from "@swath/kernel/errors/service-error";
import canonicalize from "canonicalize";
import type { Caller, Db, RequestContext } from "../../platform/context.ts";
import { pageOf } from "../../platform/page-of.ts";
import type { PipelineService } from "../../platform/queue/pipeline-service.ts";
import { productNamed } from "./known-products.ts";
import { GEOJSON_TYPE, JSON_TYPE, nextLinks, productHref, searchHref, type Link } from "./link.ts";
import { opportunityDocument } from "./opportunity.ts";
import { invalidToken, limitOf, sliceOf } from "./page.ts";
import type { Preference } from "./preference.ts";
import { searchDocument, searchesDocument, searchStatusesDocument } from "./search-document.ts";
import { requireFinite } from "./require-finite.ts";
import { checkSearch, type FoundOpportunities, type SearchDeps } from "./search-opportunities.ts";
import { readSearch, SEARCH_KIND, SEARCH_LANE, selectSearches } from "./search-store.ts";
import type { KeptRequest, SearchPlace, SearchRow } from "./search-store.ts";

type Document = Readonly<Record<string, unknown>>;
/** The caller, the origin of links, and the end of the request. */
export type StapiRequest = Pick<RequestContext, "baseUrl" | "beginWait" | "caller" | "signal">;

/** Opportunities, or the record of a search that goes on. */
type SearchAnswer =
  | { readonly kind: "found"; readonly document: Document }
  | { readonly kind: "record"; readonly document: Document; readonly location: string };

/** Searches for opportunities: pipelines of a separate lane. */
export interface Searches {
  /** @throws {ServiceError} DATA-NOT-AVAILABLE, BAD-REQUEST, INVALID-CURSOR; as studies of tasking */
  searchOpportunities(asked: OpportunityRequest, preference: Preference, request: StapiRequest): Promise<SearchAnswer>;
  /** @throws {ServiceError} NON-EXISTENT-PIPELINE, PIPELINE-NOT-PROCESSED, DATA-NOT-AVAILABLE, INVALID-CURSOR */
  opportunities(productId: string, searchId: string, query: PageQuery, request: StapiRequest): Promise<Document>;
  searches(query: PageQuery, request: StapiRequest): Promise<Document>;
  /** @throws {ServiceError} NON-EXISTENT-PIPELINE */
  search(searchId: string, request: StapiRequest): Promise<Document>;
  /** @throws {ServiceError} NON-EXISTENT-PIPELINE */
  searchStatuses(searchId: string, request: StapiRequest): Promise<Document>;
}

export interface SearchesDeps extends SearchDeps {
  readonly db: Db;
  readonly queue: Pick<PipelineService, "enqueue" | "retrieve" | "waitFor">;
  /** Days that searches stay. */
  readonly retentionDays: number;
}

export function createSearches(deps: SearchesDeps): Searches {
  return {
    searchOpportunities: (asked, preference, request) => searchOpportunities(deps, asked, preference, request),
    async opportunities(productId, searchId, query, request) {
      const row = await rowOf(deps, searchId, request.caller);
      if (row.request.productId !== productId) throw noSearch(searchId);
      const home = `${productHref(request.baseUrl, productId)}/opportunities/${encodeURIComponent(searchId)}`;
      const { collection, page } = await collectionOf(deps, row, query, request);
      const self: Link = { rel: "self", href: home, type: GEOJSON_TYPE };
      return { ...collection, links: [self, ...nextLinks(home, page, GEOJSON_TYPE)] };
    },
    searches: (query, request) => listSearches(deps, query, request),
    search: async (searchId, { baseUrl, caller }) => searchDocument(await rowOf(deps, searchId, caller), baseUrl),
    async searchStatuses(searchId, { baseUrl, caller }) {
      return searchStatusesDocument(await rowOf(deps, searchId, caller), baseUrl);
    },
  };
}

async function searchOpportunities(
  deps: SearchesDeps,
  { limit, next, ...asked }: OpportunityRequest,
  preference: Preference,
  request: StapiRequest,
): Promise<SearchAnswer> {
  const { baseUrl, caller } = request;
  requireFinite(asked.filter, "/filter");
  const query = limit === undefined ? {} : { limit };
  if (next !== undefined) return await followingPage(deps, asked, next, query, request);
  const product = await productNamed(deps, caller, asked.productId);
  await checkSearch(deps, caller, product, asked);
  const search = { kind: SEARCH_KIND, lane: SEARCH_LANE, request: asked, caller, baseUrl };
  const { pipelineId } = await deps.queue.enqueue(deps.db, search);
  const status = await endOf(deps, pipelineId, preference, request);
  const row = await rowOf(deps, pipelineId, caller);
  if (status === "NEW" || status === "PROCESSING") {
    return { kind: "record", document: searchDocument(row, baseUrl), location: searchHref(baseUrl, row.id) };
  }
  return { kind: "found", document: await pageByBody(deps, row, query, request) };
}

function endOf({ queue }: SearchesDeps, id: string, { waitS }: Preference, { beginWait, signal }: StapiRequest) {
  return waitS === 0 ? ("NEW" as const) : queue.waitFor(id, signal, waitS * 1000, beginWait);
}

/** A page after the first: the token names the search, whose request the body must repeat. */
async function followingPage(
  deps: SearchesDeps,
  asked: KeptRequest,
  next: string,
  query: PageQuery,
  request: StapiRequest,
): Promise<SearchAnswer> {
  const [, searchId = "", offset = ""] = /^([0-9A-Za-z]{20})\.(\d{1,6})$/u.exec(next) ?? [];
  const row = searchId === "" ? null : await readSearch(deps.db, searchId, request.caller, deps.retentionDays);
  if (row === null || canonicalize(row.request) !== canonicalize(asked)) throw invalidToken();
  return { kind: "found", document: await pageByBody(deps, row, { ...query, next: offset }, request) };
}

/** A page whose next one is asked for by the body of another request. */
async function pageByBody(
  deps: SearchesDeps,
  row: SearchRow,
  query: PageQuery,
  request: StapiRequest,
): Promise<Document> {
  const { collection, page } = await collectionOf(deps, row, query, request);
  const href = `${productHref(request.baseUrl, row.request.productId)}/opportunities`;
  const { productId: _, ...asked } = row.request;
  const body = { ...asked, limit: page.limit, next: `${row.id}.${page.next}` };
  const following: Link = { rel: "next", href, type: JSON_TYPE, method: "POST", body };
  const search: Link = { rel: "search", href: searchHref(request.baseUrl, row.id), type: JSON_TYPE };
  return { ...collection, links: [search, ...(page.next === null ? [] : [following])] };
}

async function collectionOf(deps: SearchesDeps, row: SearchRow, query: PageQuery, { baseUrl, caller }: StapiRequest) {
  const found = await resultOf(deps, row.id, caller);
  const product = await productNamed(deps, caller, row.request.productId);
  const { entries, ...page } = sliceOf(found.passes, query);
  const search = { ...found, product, request: row.request };
  const features = entries.map((pass) => opportunityDocument(pass, search, baseUrl));
  return { collection: { type: "FeatureCollection", id: row.id, features }, page };
}

/** @throws {ServiceError} with the code of a search that failed, as if it were asked now */
async function resultOf({ queue }: SearchesDeps, pipelineId: string, caller: Caller): Promise<FoundOpportunities> {
  try {
    return (await queue.retrieve({ kind: SEARCH_KIND, pipelineId, caller })) as FoundOpportunities;
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.isFinal) throw error;
    throw new ServiceError(error.code, error.message, { cause: error });
  }
}

async function rowOf({ db, retentionDays }: SearchesDeps, searchId: string, caller: Caller): Promise<SearchRow> {
  const row = await readSearch(db, searchId, caller, retentionDays);
  if (row === null) throw noSearch(searchId);
  return row;
}

function noSearch(searchId: string): ServiceError {
  return new ServiceError("NON-EXISTENT-PIPELINE", `there is no search ${searchId}`);
}

async function listSearches(
  deps: SearchesDeps,
  query: PageQuery,
  { baseUrl, caller }: StapiRequest,
): Promise<Document> {
  const limit = limitOf(query);
  const { retentionDays } = deps;
  const after = query.next === undefined ? null : placeOf(query.next);
  const rows = await selectSearches(deps.db, caller.userId, { after, retentionDays, limit: limit + 1 });
  const { cursor, results } = pageOf(rows, limit, (row) => row, tokenOf);
  return searchesDocument(results, { limit, next: cursor }, baseUrl);
}

function tokenOf({ createdMicros, id }: SearchPlace): string {
  return `${createdMicros}.${id}`;
}

function placeOf(token: string): SearchPlace {
  const [, createdMicros, id] = /^(\d{1,17})\.([0-9A-Za-z]{20})$/u.exec(token) ?? [];
  if (createdMicros === undefined || id === undefined) throw invalidToken();
  return { createdMicros, id };
}
