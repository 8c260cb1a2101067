import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { AggregateQuery, CollectionsQuery } from "@swath/contract/features/stac/contract";
import type { Caller } from "../../platform/context.ts";
import { createParquetWriters } from "../../platform/parquet/parquet-writers.ts";
import type { ImageryService } from "../imagery/service.ts";
import { createTransactions, type Transactions } from "./transactions.ts";
import { aggregateDocument, aggregationsDocument, readAggregationNames } from "./aggregation.ts";
import { askedCollections, browsed, collectionNamed } from "./asked-collections.ts";
import { bboxNumbers, readBbox } from "./bbox.ts";
import { collectionDocument, type CollectionExtent } from "./collection-document.ts";
import { collectionsOf, type Collection } from "./collections.ts";
import { readPeriod } from "./datetime.ts";
import { conformanceOf } from "./conformance.ts";
import { childrenDocument, collectionsDocument, landingDocument } from "./landing.ts";
import { collectionHref, rootOf } from "./link.ts";
import { pageToken, readPageToken } from "./page-token.ts";
import { queryablesDocument } from "./queryables.ts";
import { readItem, type ItemDeps } from "./read-item.ts";
import { conditionsOf } from "./search-conditions.ts";
import { inputOfQuery, type SearchInput } from "./search-input.ts";
import {
  fileOfItems,
  searchItems,
  type ItemsFile,
  type ItemsPage,
  type SearchItemsDeps,
  type StacRequest,
} from "./search-items.ts";

type Document = Readonly<Record<string, unknown>>;

/** Scenes and datasets as STAC 1.1.0. Datasets without the right to search are absent. */
export interface StacService extends Transactions {
  landing(request: StacRequest): Document;
  /** Conformance classes. */
  conformance(): readonly string[];
  /** The collections of the landing page as documents. */
  children(request: StacRequest): Promise<Document>;
  collections(query: CollectionsQuery, request: StacRequest): Promise<Document>;
  /** @throws {ServiceError} DATA-NOT-AVAILABLE */
  collection(collectionId: string, request: StacRequest): Promise<Document>;
  /** @throws {ServiceError} DATA-NOT-AVAILABLE */
  queryables(collectionId: string | null, request: StacRequest): Document;
  /** @throws {ServiceError} DATA-NOT-AVAILABLE; NON-EXISTING-SCENE */
  item(collectionId: string, itemId: string, request: StacRequest): Promise<Document>;
  /** @throws {ServiceError} DATA-NOT-AVAILABLE */
  aggregations(collectionId: string | null, request: StacRequest): Document;
  /** @throws {ServiceError} BAD-REQUEST; EXTENT-TOO-LARGE; DATA-NOT-AVAILABLE for a missing home */
  aggregate(query: AggregateQuery, home: string | null, request: StacRequest): Promise<Document>;
  /** @throws {ServiceError} BAD-REQUEST; INVALID-CURSOR; EXTENT-TOO-LARGE; DATA-NOT-AVAILABLE for a missing home */
  search(input: SearchInput, home: string | null, request: StacRequest): Promise<ItemsPage>;
  /**
   * The items of a search as STAC-GeoParquet.
   *
   * @param limit null: all of them
   * @throws {ServiceError} as `search`; BAD-REQUEST for more than a file has; TOO-MANY-REQUESTS; SERVICE-UNAVAILABLE
   */
  file(input: SearchInput, limit: number | null, home: string | null, request: StacRequest): Promise<ItemsFile>;
}

export type StacDeps = ItemDeps & SearchItemsDeps;

export function createStacService(deps: StacDeps): StacService {
  const { imagery } = deps;
  const conformsTo = conformanceOf(deps.ingestion?.items.isOpen === true);
  const writers = createParquetWriters();
  return {
    ...createTransactions(deps),
    conformance: () => conformsTo,
    landing: (request) => landingDocument(landingCollections(imagery, request.caller), conformsTo, request.baseUrl),
    async children({ caller, baseUrl }) {
      const collections = landingCollections(imagery, caller);
      return childrenDocument(collections, { extents: await extentsOf(imagery, collections, caller), baseUrl });
    },
    collections: (query, request) => listCollections(imagery, query, request),
    async collection(collectionId, { caller, baseUrl }) {
      const collection = collectionNamed(imagery, caller, collectionId);
      const extents = await extentsOf(imagery, [collection], caller);
      return collectionDocument(collection, extents.get(collectionId) ?? null, baseUrl);
    },
    queryables(collectionId, { caller, baseUrl }) {
      if (collectionId === null) return queryablesDocument(`${rootOf(baseUrl)}/queryables`);
      const { id } = collectionNamed(imagery, caller, collectionId);
      return queryablesDocument(`${rootOf(baseUrl)}/collections/${encodeURIComponent(id)}/queryables`);
    },
    aggregations(collectionId, { caller, baseUrl }) {
      if (collectionId !== null) collectionNamed(imagery, caller, collectionId);
      return aggregationsDocument(homeOf(baseUrl, collectionId), baseUrl);
    },
    aggregate: (query, home, request) => aggregateItems(deps, query, home, request),
    item: (collectionId, itemId, request) => readItem(deps, collectionId, itemId, request),
    search: (input, home, request) => searchItems(deps, input, home, request),
    file: (input, limit, home, request) => fileOfItems(deps, writers, { input, limit, home }, request),
  };
}

/** The landing page is open to everybody: without the right to list, it leads to no collection. */
function landingCollections(imagery: ImageryService, caller: Caller): readonly Collection[] {
  try {
    return collectionsOf(imagery.listDatasets(caller));
  } catch (error) {
    if (error instanceof ServiceError && error.code === "NOT-AUTHORIZED") return [];
    throw error;
  }
}

function extentsOf(
  imagery: ImageryService,
  collections: readonly Collection[],
  caller: Caller,
): Promise<ReadonlyMap<string, CollectionExtent>> {
  return imagery.browseExtents(browsed(collections), caller);
}

async function listCollections(
  imagery: ImageryService,
  query: CollectionsQuery,
  { caller, baseUrl }: StacRequest,
): Promise<Document> {
  const all = collectionsOf(imagery.listDatasets(caller));
  const extents = await extentsOf(imagery, all, caller);
  const period = readPeriod(query.datetime);
  const bounds = query.bbox === undefined ? null : readBbox(bboxNumbers(query.bbox));
  const words = (query.q ?? "")
    .toLowerCase()
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const matching = all.filter((one) => {
    const extent = extents.get(one.id) ?? null;
    const { providerName, datasetName, datasetType, attribution } = one.listing;
    const text = [one.id, providerName, datasetName, datasetType, attribution].join(" ").toLowerCase();
    if (words.length > 0 && !words.some((word) => text.includes(word))) return false;
    return meets(extent, bounds) && lastsInto(extent, period);
  });
  // Without a limit there is one page: datasets are few.
  const limit = query.limit ?? matching.length;
  const { token: _, limit: __, ...search } = query;
  const offset = readPageToken(search, query.token);
  const page = matching.slice(offset, offset + limit);
  const token = offset + limit < matching.length ? pageToken(search, offset + limit) : null;
  const next = token === null ? null : `${rootOf(baseUrl)}/collections?${addressOf({ ...query, token })}`;
  return collectionsDocument(page, matching.length, next, { extents, baseUrl });
}

/** The query of an address. */
export function addressOf(members: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

function meets(extent: CollectionExtent | null, box: Bounds | null): boolean {
  if (box === null) return true;
  if (extent === null) return false;
  const [west, south, east, north] = extent.bounds;
  if (south > box[3] || north < box[1]) return false;
  return [-360, 0, 360].some((turn) => west + turn <= box[2] && east + turn >= box[0]);
}

function lastsInto(extent: CollectionExtent | null, { from, to }: ReturnType<typeof readPeriod>): boolean {
  if (from === null && to === null) return true;
  return extent !== null && (from === null || extent.last >= from) && (to === null || extent.first <= to);
}

/** The address of the root or of a collection. */
function homeOf(baseUrl: string, collectionId: string | null): string {
  return collectionId === null ? rootOf(baseUrl) : collectionHref(baseUrl, collectionId);
}

async function aggregateItems(
  deps: SearchItemsDeps,
  { aggregations, ...query }: AggregateQuery,
  home: string | null,
  request: StacRequest,
): Promise<Document> {
  const { imagery } = deps;
  const { caller, baseUrl, signal } = request;
  const names = readAggregationNames(aggregations);
  const input = inputOfQuery(query);
  const collections = askedCollections(imagery, caller, input, home);
  const conditions = await conditionsOf(deps, input, collections, request);
  const rows = await imagery.aggregate(conditions, names, caller, signal);
  const self = `${homeOf(baseUrl, home)}/aggregate?${addressOf({ ...query, aggregations })}`;
  return aggregateDocument(names, rows, self, baseUrl);
}
