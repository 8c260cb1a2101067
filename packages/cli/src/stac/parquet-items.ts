import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";

/** Rows that are decoded at once. */
const ROWS = 5_000;
const MAX_PAGE_BYTES = 512 * 1024 * 1024;
/** Columns that are members of the item, not properties. */
const MEMBERS = new Set([
  "type",
  "stac_version",
  "stac_extensions",
  "id",
  "geometry",
  "bbox",
  "links",
  "assets",
  "collection",
]);

const limit = { maxOutputLength: MAX_PAGE_BYTES };
const compressors = {
  GZIP: (bytes: Uint8Array) => new Uint8Array(gunzipSync(bytes, limit)),
  BROTLI: (bytes: Uint8Array) => new Uint8Array(brotliDecompressSync(bytes, limit)),
  ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdDecompressSync(bytes, limit)),
};

/** The items of a STAC-GeoParquet file. @see https://github.com/stac-utils/stac-geoparquet */
export async function* parquetItems(path: string): AsyncGenerator {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const count = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < count; rowStart += ROWS) {
    const rowEnd = Math.min(count, rowStart + ROWS);
    const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors });
    for (const row of rows) yield itemOfRow(row);
  }
}

function itemOfRow(row: Readonly<Record<string, unknown>>): unknown {
  const item: Record<string, unknown> = { type: "Feature", properties: {} };
  const properties: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const plain = plainOf(value);
    if (plain === undefined) continue;
    if (MEMBERS.has(name)) item[name] = plain;
    else properties[name] = plain;
  }
  const { bbox, assets, links } = item;
  if (isRecord(bbox)) item["bbox"] = [bbox["xmin"], bbox["ymin"], bbox["xmax"], bbox["ymax"]];
  if (typeof assets === "string") item["assets"] = JSON.parse(assets);
  if (!Array.isArray(links)) item["links"] = [];
  return { ...item, type: "Feature", properties };
}

/** A value of JSON; columns have null for members that an item lacks. */
function plainOf(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array, Number);
  if (Array.isArray(value)) return value.map((one) => plainOf(one) ?? null);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, plainOf(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
