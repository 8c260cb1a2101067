import { Readable } from "node:stream";
import { MAX_FILE_ITEMS, PARQUET_TYPE } from "@swath/contract/features/stac/contract";
import type { FileAnswer } from "../../../platform/sent-file.ts";
import type { ParquetWriters, ParquetWriting } from "../../../platform/parquet/parquet-writers.ts";
import { sceneFileNames } from "../../assets/scene-files.ts";
import type { BrowsedScene, SelectedScenes } from "../../imagery/browse/browse-scenes.ts";
import { badRequest } from "../bad-request.ts";
import { ITEM_METADATA, itemColumns } from "./item-columns.ts";
import { itemRow } from "./item-row.ts";

/** Items that are in memory at a time, besides a group of rows in the thread. */
const ITEMS_TOGETHER = 100;
/** Names of files beyond it have no column: memory follows the number of columns. */
const MOST_FILES = 60;
/** Different lists of bands that are looked at for names. */
const MOST_BAND_LISTS = 1_000;

type Document = Readonly<Record<string, unknown>>;

interface ItemsOfFile {
  readonly selected: SelectedScenes;
  /** The documents of some scenes. */
  readonly items: (scenes: readonly BrowsedScene[]) => Promise<readonly Document[]>;
  readonly signal: AbortSignal;
  /** Whose files are bounded. */
  readonly share: string;
}

/** @throws {ServiceError} BAD-REQUEST for more items than a file has, unless the request names a limit */
export function requireFileSize(items: number): void {
  if (items > MAX_FILE_ITEMS) {
    throw badRequest("f", `parquet has at most ${MAX_FILE_ITEMS} items, the search finds ${items}: add a limit`);
  }
}

/** STAC-GeoParquet of the selected scenes, written as its reader takes it. @throws {ServiceError} as `ParquetWriters.open` */
export async function itemsFile(writers: ParquetWriters, items: ItemsOfFile): Promise<FileAnswer> {
  const columns = itemColumns(await fileNames(items.selected));
  const writing = writers.open(items.share, { columns, metadata: ITEM_METADATA });
  const body = Readable.from(bytesOf(writing, items), { objectMode: false });
  // Also when nobody reads the first byte.
  body.once("close", () => writing[Symbol.dispose]());
  return {
    status: 200,
    mediaType: PARQUET_TYPE,
    body,
    headers: { "content-disposition": 'attachment; filename="items.parquet"' },
  };
}

async function fileNames(selected: SelectedScenes): Promise<readonly string[]> {
  const lists = await selected.bandNames(MOST_BAND_LISTS);
  const names = new Set(lists.flatMap(({ masks, names: bands }) => sceneFileNames(bands, masks)));
  return [...names].slice(0, MOST_FILES);
}

async function* bytesOf(writing: ParquetWriting, { items, selected, signal }: ItemsOfFile): AsyncGenerator<Uint8Array> {
  const { sceneKeys } = selected;
  for (let start = 0; start < sceneKeys.length; start += ITEMS_TOGETHER) {
    signal.throwIfAborted();
    const scenes = await selected.read(sceneKeys.slice(start, start + ITEMS_TOGETHER));
    const bytes = await writing.add((await items(scenes)).map(itemRow));
    if (bytes.byteLength > 0) yield bytes;
  }
  yield await writing.finish();
}
