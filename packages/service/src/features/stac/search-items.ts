import { MAX_FILE_ITEMS } from "@swath/contract/features/stac/contract";
import type { Clock } from "@swath/base/clock";
import type { Caller } from "../../platform/context.ts";
import type { FileAnswer } from "../../platform/sent-file.ts";
import type { ParquetWriters } from "../../platform/parquet/parquet-writers.ts";
import type { BrowsedScene } from "../imagery/browse/browse-scenes.ts";
import type { ImageryService } from "../imagery/service.ts";
import { askedCollections } from "./asked-collections.ts";
import { badRequest } from "./bad-request.ts";
import type { Collection } from "./collections.ts";
import { selectFields, type Fields } from "./fields.ts";
import { itemDocument } from "./item-document.ts";
import { itemView, wantsAssets, type ItemViewDeps } from "./item-view.ts";
import { pageToken, readPageToken } from "./page-token.ts";
import { itemsFile, requireFileSize } from "./parquet/items-file.ts";
import { conditionsOf, type SearchConditionsDeps } from "./search-conditions.ts";
import type { SearchInput } from "./search-input.ts";
import { withOwnProperties } from "./with-own-properties.ts";

type Document = Readonly<Record<string, unknown>>;

/** The caller, the origin of links, and the end of the request. */
export interface StacRequest {
  readonly caller: Caller;
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

/** A page of items, without the links of the way it was asked for. */
export interface ItemsPage {
  readonly document: Document;
  /** Token of the next page; null on the last. */
  readonly next: string | null;
}

/** A file of items. */
export interface ItemsFile {
  readonly answer: FileAnswer;
  /** Token of the next file of the same limit; null on the last. */
  readonly next: string | null;
}

export interface SearchItemsDeps extends SearchConditionsDeps, ItemViewDeps {
  readonly credits: SearchConditionsDeps["credits"] & ItemViewDeps["credits"];
  readonly clock: Clock;
  readonly imagery: ImageryService;
}

/** One page. */
export async function searchItems(
  deps: SearchItemsDeps,
  input: SearchInput,
  home: string | null,
  request: StacRequest,
): Promise<ItemsPage> {
  const { clock, imagery } = deps;
  const { caller, signal } = request;
  const collections = askedCollections(imagery, caller, input, home);
  const { limit, fields } = input;
  const { offset, next } = pageOf(input, home);
  const query = { ...(await conditionsOf(deps, input, collections, request)), offset, limit };
  const { scenes, matched } = await imagery.browse({ ...query, withRasters: wantsAssets(fields) }, caller, signal);
  const items = await documentsOf(deps, scenes, collections, { fields, request });
  const features = fields === null ? items : items.map((item) => selectFields(item, fields));
  return {
    document: {
      type: "FeatureCollection",
      features,
      numberMatched: matched,
      numberReturned: features.length,
      timeStamp: clock.now().toISOString(),
    },
    next: next(scenes.length, matched),
  };
}

/** All items, or as many as the request names. */
export async function fileOfItems(
  deps: SearchItemsDeps,
  writers: ParquetWriters,
  { home, input, limit }: { readonly input: SearchInput; readonly limit: number | null; readonly home: string | null },
  request: StacRequest,
): Promise<ItemsFile> {
  const { imagery } = deps;
  const { caller, signal } = request;
  if (input.fields !== null) throw badRequest("fields", "cannot be chosen of a Parquet file");
  const collections = askedCollections(imagery, caller, input, home);
  const { offset, next } = pageOf(input, home);
  const query = {
    ...(await conditionsOf(deps, input, collections, request)),
    offset,
    limit: Math.min(limit ?? MAX_FILE_ITEMS, MAX_FILE_ITEMS),
    withRasters: true,
  };
  const selected = await imagery.selectScenes(query, caller, signal);
  if (limit === null) requireFileSize(selected.matched - offset);
  const answer = await itemsFile(writers, {
    selected,
    items: (scenes) => documentsOf(deps, scenes, collections, { fields: null, request }),
    signal,
    share: caller.userId,
  });
  return { answer, next: next(selected.sceneKeys.length, selected.matched) };
}

/** The place of a page in its search, and the token of the page after it. */
function pageOf(input: SearchInput, home: string | null) {
  const { bbox, collections, filter, ids, intersects, period, sort, token } = input;
  const search = { bbox, collections, filter, home, ids, intersects, period, sort };
  const offset = readPageToken(search, token);
  const next = (items: number, matched: number): string | null =>
    items > 0 && offset + items < matched ? pageToken(search, offset + items) : null;
  return { offset, next };
}

/** The items of scenes, in the order of the scenes. */
async function documentsOf(
  deps: SearchItemsDeps,
  scenes: readonly BrowsedScene[],
  collections: readonly Collection[],
  { fields, request }: { readonly fields: Fields | null; readonly request: StacRequest },
): Promise<readonly Document[]> {
  const view = await itemView(deps, scenes, fields, request);
  const byDataset = new Map(collections.map((one) => [`${one.listing.provider} ${one.listing.dataset}`, one]));
  return scenes.flatMap((found) => {
    const collection = byDataset.get(`${found.scene.provider} ${found.scene.dataset}`);
    return collection === undefined ? [] : [withOwnProperties(itemDocument(found, collection, view), found.item)];
  });
}
