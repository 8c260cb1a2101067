import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { UsageError } from "../exit-code.ts";
import { catalogueItems } from "./catalogue-items.ts";
import { collectionItems } from "./collection-items.ts";
import { parquetItems } from "./parquet-items.ts";
import { withAbsoluteFiles } from "./with-absolute-files.ts";

const READ_BYTES = 1024 * 1024;
const LINES = new Set([".ndjson", ".jsonl", ".geojsonl", ".ndgeojson"]);

/**
 * The items of a source as lines of JSON, in pieces of any size.
 *
 * @param base address of the folder of the source, for relative addresses; null keeps them
 * @throws {UsageError} for a source of another kind
 */
export async function* itemTexts(source: string, base: string | null): AsyncGenerator<Buffer> {
  const found = await stat(source).catch(() => null);
  if (found === null) throw new UsageError(`there is no file or folder ${source}`);
  const kind = extname(source).toLowerCase();
  if (found.isDirectory()) yield* textsOf(catalogueItems(await rootIn(source), base));
  else if (LINES.has(kind)) yield* base === null ? linesOf(source) : textsOf(absolute(splitLines(source), base));
  else if (kind === ".parquet" || kind === ".geoparquet") yield* textsOf(absolute(parquetItems(source), base));
  else if (kind === ".json" || kind === ".geojson") yield* textsOf(documentItems(source, base));
  else throw new UsageError(`${source} is no folder, .json, .ndjson, .jsonl or .parquet`);
}

/** @throws {UsageError} */
async function rootIn(folder: string): Promise<string> {
  const names = await readdir(folder);
  const root = ["catalog.json", "collection.json"].find((name) => names.includes(name));
  if (root === undefined) throw new UsageError(`${folder} has neither catalog.json nor collection.json`);
  return join(folder, root);
}

/** A document of JSON by its type: large ones are item collections, which are read in pieces. */
async function* documentItems(path: string, base: string | null): AsyncGenerator {
  const head = await headOf(path);
  if (/"type"\s*:\s*"FeatureCollection"|"features"\s*:\s*\[/u.test(head)) {
    yield* absolute(collectionItems(createReadStream(path, { highWaterMark: READ_BYTES })), base);
    return;
  }
  const document: unknown = JSON.parse(await readFile(path, "utf8"));
  const isItem = typeof document === "object" && document !== null && "type" in document && document.type === "Feature";
  if (isItem) yield base === null ? document : withAbsoluteFiles(document, base);
  else yield* catalogueItems(path, base);
}

async function headOf(path: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(path, { end: READ_BYTES - 1 })) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path, { highWaterMark: READ_BYTES })) yield piece as Buffer;
  // The next source begins a new line.
  yield Buffer.from("\n");
}

async function* splitLines(path: string): AsyncGenerator {
  let rest = "";
  for await (const piece of createReadStream(path, { highWaterMark: READ_BYTES, encoding: "utf8" })) {
    const lines = (rest + String(piece)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
  }
  if (rest.trim() !== "") yield JSON.parse(rest);
}

async function* absolute(items: AsyncIterable<unknown>, base: string | null): AsyncGenerator {
  for await (const item of items) yield base === null ? item : withAbsoluteFiles(item, base);
}

async function* textsOf(items: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let lines: string[] = [];
  let characters = 0;
  for await (const item of items) {
    const line = JSON.stringify(item);
    lines.push(line);
    characters += line.length;
    if (characters < READ_BYTES) continue;
    yield Buffer.from(`${lines.join("\n")}\n`);
    [lines, characters] = [[], 0];
  }
  if (lines.length > 0) yield Buffer.from(`${lines.join("\n")}\n`);
}
