import type { Clock } from "@swath/base/clock";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { normalForm } from "@swath/kernel/geometry/antimeridian";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { AggregateQuery, CollectionsQuery } from "@swath/contract/features/stac/contract";
import type { Caller } from "../../platform/context.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { BrowseConditions } from "../imagery/browse/browse-scenes.ts";
import { groundOf } from "../imagery/browse/ground-of.ts";
import type { ImageryService } from "../imagery/service.ts";
import { createTransactions, type Transactions } from "./transactions.ts";
import { aggregateDocument, aggregationsDocument, readAggregationNames } from "./aggregation.ts";
import { bboxNumbers, boxPolygon, isWholeWorld, readBbox } from "./bbox.ts";
import { badRequest } from "./bad-request.ts";
import { collectionDocument, type CollectionExtent } from "./collection-document.ts";
import { collectionsOf, type Collection } from "./collections.ts";
import { readPeriod } from "./datetime.ts";
import { selectFields } from "./fields.ts";
import { conformanceOf } from "./conformance.ts";
import { itemDocument } from "./item-document.ts";
import { childrenDocument, collectionsDocument, landingDocument } from "./landing.ts";
import { collectionHref, rootOf } from "./link.ts";
import { pageToken, readPageToken } from "./page-token.ts";
import { queryablesDocument } from "./queryables.ts";
import { browsed, collectionNamed, readItem, type ItemDeps, type StacRequest } from "./read-item.ts";
import { withOwnProperties } from "./with-own-properties.ts";
import { inputOfQuery, type SearchInput } from "./search-input.ts";

type Document = Readonly<Record<string, unknown>>;

/** A page of items, without the links of the way it was asked for. */
export interface ItemsPage {
  readonly document: Document;
  /** Token of the next page; null on the last. */
  readonly next: string | null;
}

/** Scenes and datasets as STAC 1.1.0. Datasets without the right to search are absent. */
export interface StacService extends Transactions {
  landing(request: StacRequest): Document;
  /** Conformance classes. */
  conformance(): readonly string[];
  /** Whether the operator allows hosts of files. */
  readonly hasTransactions: boolean;
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
}

export interface StacDeps extends ItemDeps {
  readonly areas: Pick<Areas, "read">;
  readonly clock: Clock;
}

const MAX_POSITIONS = 50_000;

export function createStacService(deps: StacDeps): StacService {
  const { imagery } = deps;
  const hasTransactions = deps.ingestion?.items.isOpen === true;
  const conformsTo = conformanceOf(hasTransactions);
  return {
    hasTransactions,
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

function askedCollections(
  imagery: ImageryService,
  caller: Caller,
  { collections }: SearchInput,
  home: string | null,
): readonly Collection[] {
  const all = collectionsOf(imagery.listDatasets(caller));
  const named = home === null ? collections : [collectionNamed(imagery, caller, home).id];
  return named === null ? all : all.filter(({ id }) => named.includes(id));
}

async function conditionsOf(
  areas: Pick<Areas, "read">,
  input: SearchInput,
  collections: readonly Collection[],
  signal: AbortSignal,
): Promise<BrowseConditions> {
  const extent = await extentOf(areas, input, signal);
  return { datasets: browsed(collections), sceneIds: input.ids, ...input.period, extent, filter: input.filter };
}

async function aggregateItems(
  { areas, imagery }: StacDeps,
  { aggregations, ...query }: AggregateQuery,
  home: string | null,
  { caller, baseUrl, signal }: StacRequest,
): Promise<Document> {
  const names = readAggregationNames(aggregations);
  const input = inputOfQuery(query);
  const collections = askedCollections(imagery, caller, input, home);
  const conditions = await conditionsOf(areas, input, collections, signal);
  const rows = await imagery.aggregate(conditions, names, caller, signal);
  const self = `${homeOf(baseUrl, home)}/aggregate?${addressOf({ ...query, aggregations })}`;
  return aggregateDocument(names, rows, self, baseUrl);
}

async function searchItems(
  { areas, clock, imagery }: StacDeps,
  input: SearchInput,
  home: string | null,
  { caller, baseUrl, signal }: StacRequest,
): Promise<ItemsPage> {
  const collections = askedCollections(imagery, caller, input, home);
  const { limit, token, fields, ...search } = input;
  const offset = readPageToken({ ...search, home }, token);
  const order = input.sort.map(({ field, isDescending }) => ({ field, isDescending }));
  const conditions = await conditionsOf(areas, input, collections, signal);
  const { scenes, matched } = await imagery.browse({ ...conditions, order, offset, limit }, caller, signal);
  const byDataset = new Map(collections.map((one) => [`${one.listing.provider} ${one.listing.dataset}`, one]));
  const features = scenes.flatMap((found) => {
    const collection = byDataset.get(`${found.scene.provider} ${found.scene.dataset}`);
    if (collection === undefined) return [];
    const item = withOwnProperties(itemDocument(found, collection, baseUrl), found.item);
    return [fields === null ? item : selectFields(item, fields)];
  });
  const end = offset + scenes.length;
  return {
    document: {
      type: "FeatureCollection",
      features,
      numberMatched: matched,
      numberReturned: features.length,
      timeStamp: clock.now().toISOString(),
    },
    next: scenes.length > 0 && end < matched ? pageToken({ ...search, home }, end) : null,
  };
}

/** The ground of `bbox` or `intersects`; null for the whole world. @throws {ServiceError} BAD-REQUEST */
async function extentOf(
  areas: Pick<Areas, "read">,
  { bbox, intersects }: SearchInput,
  signal: AbortSignal,
): Promise<MultiPolygon | null> {
  if (bbox !== null) {
    if (isWholeWorld(bbox)) return null;
    return { type: "MultiPolygon", coordinates: normalForm([boxPolygon(bbox).coordinates]) };
  }
  if (intersects === null) return null;
  try {
    const rules = { path: "/intersects", maxLatitudeDeg: 90, sceneCount: 1, maxPositions: MAX_POSITIONS };
    return await areas.read(groundOf(intersects), rules, signal);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "VALIDATION-ERROR")
      throw badRequest("intersects", error.message);
    throw error;
  }
}
