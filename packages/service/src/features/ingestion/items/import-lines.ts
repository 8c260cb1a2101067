import type { Readable } from "node:stream";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { MAX_IMPORT_BYTES, MAX_IMPORT_LINES } from "@swath/kernel/scenes/import-limits";
import type { Caller, Db, Trx } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import { columnsOf, type ItemRow } from "../../../sources/registered/item-row.ts";
import type { RefusedItem } from "../../../sources/registered/read-items.ts";
import type { RegisteredItems } from "../../../sources/registered/registered-items.ts";
import type { ItemTarget } from "../../../sources/registered/registered-id.ts";
import type { ItemPlace } from "../../imagery/items/write-items.ts";
import type { ImageryService } from "../../imagery/service.ts";

/** Counts of an import, and its first refusals. */
export interface ImportedItems {
  readonly created: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly refused: number;
  /** Line 0 is an item that cannot be replaced. */
  readonly refusals: readonly RefusedItem[];
}

/** Scenes as an import needs them. */
export type ImportedScenes = Pick<ImageryService, "createItems" | "replaceItem" | "unchangedItems">;

export interface ImportDeps {
  readonly db: Db;
  readonly items: RegisteredItems;
  readonly imagery: ImportedScenes;
}

export interface ItemsImport {
  readonly body: Readable;
  readonly target: ItemTarget;
  readonly place: ItemPlace;
  readonly caller: Caller;
  /** Runs in the transaction of the items. */
  readonly record: (trx: Trx, answer: ImportedItems) => Promise<void>;
}

const MAX_TOLD = 100;
const LINE_FEED = 0x0a;

/**
 * Registers lines of JSON in one transaction: items that are there are replaced, refused ones counted. Files are not
 * asked.
 *
 * @throws {ServiceError} PAYLOAD-TOO-LARGE; BAD-REQUEST as `ItemReader`
 */
export async function importLines(
  { db, items, imagery }: ImportDeps,
  { body, target, place, caller, record }: ItemsImport,
  signal: AbortSignal,
): Promise<ImportedItems> {
  const bytes = await bytesOf(body, signal);
  const { columns, refused, refusedCount } = await items.read(bytes, target, signal);
  return await inTransaction(db, async (trx) => {
    const counts = { created: 0, replaced: 0, unchanged: 0, refused: refusedCount };
    const refusals: RefusedItem[] = [...refused];
    for (const part of columns) {
      signal.throwIfAborted();
      const { created, others } = await imagery.createItems(trx, part, place, "unrecorded");
      counts.created += created.length;
      if (others.length === 0) continue;
      const same = new Set(await imagery.unchangedItems(trx, columnsOf(others)));
      counts.unchanged += same.size;
      for (const row of others.filter(({ sceneId }) => !same.has(sceneId))) {
        const reason = await replaced(imagery, trx, caller, row);
        if (reason === null) counts.replaced += 1;
        else {
          counts.refused += 1;
          if (refusals.length < MAX_TOLD) refusals.push({ line: 0, id: row.itemId, reason });
        }
      }
    }
    const answer = { ...counts, refusals };
    await record(trx, answer);
    return answer;
  });
}

/** The reason why an item is not replaced; null when it is. */
async function replaced(imagery: ImportedScenes, trx: Trx, caller: Caller, row: ItemRow): Promise<string | null> {
  try {
    await imagery.replaceItem(trx, caller, row);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

/** @throws {ServiceError} PAYLOAD-TOO-LARGE */
async function bytesOf(body: Readable, signal: AbortSignal): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  let lines = 1;
  for await (const piece of body as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    size += piece.length;
    if (size > MAX_IMPORT_BYTES) {
      throw new ServiceError("PAYLOAD-TOO-LARGE", `the body is larger than ${MAX_IMPORT_BYTES} bytes; send parts`);
    }
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) lines += 1;
    if (lines > MAX_IMPORT_LINES + 1) {
      throw new ServiceError("PAYLOAD-TOO-LARGE", `the body has more than ${MAX_IMPORT_LINES} lines; send parts`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
