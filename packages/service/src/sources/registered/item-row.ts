import { sceneOutline } from "@swath/kernel/scenes/scene-outline";
import { parseInstant } from "@swath/kernel/time/instant";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import type { RegisteredItem } from "./read-item.ts";

/** An item as the database has it; plain data, for threads. */
export interface ItemRow {
  readonly itemId: string;
  readonly sceneId: string;
  /** Whole seconds of ISO 8601. */
  readonly acquiredAt: string;
  /** Text of a `box`. */
  readonly bbox: string;
  /** Hexadecimal, of `encodeFootprint`. */
  readonly footprint: string;
  readonly areaKm2: number;
  /** JSON of the scene but its footprint. */
  readonly document: string;
  /** JSON of the kept members of the item. */
  readonly item: string;
}

/**
 * Rows by columns, each a text of its values with `SEPARATOR` between them. Threads and the database take few long texts
 * sooner than many short ones.
 */
export interface ItemColumns extends Readonly<Record<keyof ItemRow, string>> {
  readonly count: number;
}

/** JSON, numbers, hexadecimal texts and identifiers of items never hold it. */
export const SEPARATOR = "\u0001";

type Json = Readonly<Record<string, unknown>>;

/** @throws {RangeError} if the footprint has no area, or the time cannot be read */
export function itemRow({ itemId, scene, text }: RegisteredItem): ItemRow {
  const acquiredMs = parseInstant(scene.datetime);
  if (acquiredMs === null) throw new RangeError(`the time "${scene.datetime}" cannot be read`);
  const { bounds, footprint, areaKm2 } = sceneOutline(scene.footprint);
  const [west, south, east, north] = bounds;
  const { footprint: _, ...document } = { ...scene, areaKm2 };
  return {
    itemId,
    sceneId: scene.sceneId,
    acquiredAt: new Date(Math.floor(acquiredMs / 1000) * 1000).toISOString(),
    bbox: `(${east},${north}),(${west},${south})`,
    footprint: hexadecimal(footprint),
    areaKm2,
    document: JSON.stringify(document),
    item: text,
  };
}

export function columnsOf(rows: readonly ItemRow[]): ItemColumns {
  const column = (name: keyof ItemRow): string => rows.map((row) => row[name]).join(SEPARATOR);
  return {
    count: rows.length,
    itemId: column("itemId"),
    sceneId: column("sceneId"),
    acquiredAt: column("acquiredAt"),
    bbox: column("bbox"),
    footprint: column("footprint"),
    areaKm2: column("areaKm2"),
    document: column("document"),
    item: column("item"),
  };
}

export function rowsOf({ count, ...columns }: ItemColumns): readonly ItemRow[] {
  if (count === 0) return [];
  const lists = new Map(Object.entries(columns).map(([name, text]) => [name, text.split(SEPARATOR)]));
  const at = (name: keyof ItemRow, index: number): string => lists.get(name)?.[index] ?? "";
  return Array.from({ length: count }, (_, index) => ({
    itemId: at("itemId", index),
    sceneId: at("sceneId", index),
    acquiredAt: at("acquiredAt", index),
    bbox: at("bbox", index),
    footprint: at("footprint", index),
    areaKm2: Number(at("areaKm2", index)),
    document: at("document", index),
    item: at("item", index),
  }));
}

/** The item of a row. */
export function parseItem(text: string): Json {
  const item: unknown = JSON.parse(text);
  if (!isRecord(item)) throw new Error("a registered item is no object");
  return item;
}

function hexadecimal(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
