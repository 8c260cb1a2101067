import { isUtf8 } from "node:buffer";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { requireStorable } from "../../platform/json/parse-in-steps.ts";
import { itemAddresses, type ItemAddresses, type ItemHosts } from "./item-hosts.ts";
import { columnsOf, itemRow, type ItemColumns, type ItemRow } from "./item-row.ts";
import { keptSelection, type SelectAssets } from "./kept-selection.ts";
import { MAX_ITEM_CHARACTERS, readItem } from "./read-item.ts";
import type { ItemTarget } from "./registered-id.ts";

/** Items to read: lines of JSON. Plain data, for threads. */
export interface ItemsJob {
  readonly bytes: Uint8Array;
  readonly target: ItemTarget;
  readonly hosts: ItemHosts;
}

/** A line that is no item for the dataset. */
export interface RefusedItem {
  /** From 1. */
  readonly line: number;
  readonly id: string | null;
  readonly reason: string;
}

export interface ReadItems {
  /** Of at most 500 rows each. */
  readonly columns: readonly ItemColumns[];
  /** The first ones. */
  readonly refused: readonly RefusedItem[];
  readonly refusedCount: number;
}

const LINE_FEED = 0x0a;
const MAX_TOLD = 100;
/** A larger statement holds the event loop for more than some milliseconds. */
const ROWS = 500;

/** Reads lines of JSON. An empty line is no item and no fault. Of two items of one identifier the last counts. */
export async function readItems({ bytes, target, hosts }: ItemsJob): Promise<ReadItems> {
  const reading = { target, addresses: itemAddresses(hosts), select: keptSelection() };
  const rows = new Map<string, ItemRow>();
  const refused: RefusedItem[] = [];
  let refusedCount = 0;
  let line = 0;
  for (const text of linesOf(bytes)) {
    line += 1;
    if (text.length === 0) continue;
    const read = await readLine(text, reading);
    if ("sceneId" in read) {
      rows.set(read.sceneId, read);
      continue;
    }
    refusedCount += 1;
    if (refused.length < MAX_TOLD) refused.push({ line, ...read });
  }
  const all = [...rows.values()];
  const starts = Array.from({ length: Math.ceil(all.length / ROWS) }, (_, index) => index * ROWS);
  return { columns: starts.map((start) => columnsOf(all.slice(start, start + ROWS))), refused, refusedCount };
}

function* linesOf(bytes: Uint8Array): Generator<Buffer> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length;) {
    const found = buffer.indexOf(LINE_FEED, start);
    const end = found < 0 ? buffer.length : found;
    yield buffer.subarray(start, end);
    start = end + 1;
  }
}

interface Reading {
  readonly target: ItemTarget;
  readonly addresses: ItemAddresses;
  readonly select: SelectAssets;
}

async function readLine(
  bytes: Buffer,
  { target, addresses, select }: Reading,
): Promise<ItemRow | Omit<RefusedItem, "line">> {
  if (bytes.length > MAX_ITEM_CHARACTERS) {
    return { id: null, reason: `has ${bytes.length} bytes, expected at most ${MAX_ITEM_CHARACTERS}` };
  }
  let json: unknown;
  try {
    const text = bytes.toString("utf8");
    json = JSON.parse(text);
    requireStorable(json, text, "The item");
  } catch (error) {
    if (error instanceof ServiceError) return { id: null, reason: error.message };
    return { id: null, reason: isUtf8(bytes) ? "is no JSON" : "is not UTF-8" };
  }
  const verdict = await readItem(json, target, addresses, select);
  if ("refusal" in verdict) return { id: verdict.itemId, reason: verdict.refusal };
  try {
    return itemRow(verdict);
  } catch (error) {
    if (error instanceof RangeError) return { id: verdict.itemId, reason: error.message };
    throw error;
  }
}
