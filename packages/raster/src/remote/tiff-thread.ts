import { parentPort, type Transferable } from "node:worker_threads";
import { workInBackground } from "@swath/base/threads/work-in-background";
import { ThreadCalls, type CallAnswer } from "@swath/base/threads/thread-calls";
import type { ByteSource } from "../byte-source.ts";
import { fileFault } from "../file-fault.ts";
import type { PixelArray, SourceRaster } from "../source-raster.ts";
import { describeRaster } from "../store/relayed-raster.ts";
import { tiffRaster } from "../tiff/open.ts";
import { readTiffFile } from "../tiff/tiff-file.ts";
import type { FromTiffThread, ToTiffThread } from "./tiff-calls.ts";

workInBackground();

const port = parentPort;
if (port === null) throw new Error("tiff-thread.ts runs in a worker thread only");

interface OpenFile {
  readonly name: string;
  readonly raster: SourceRaster;
}

const files = new Map<number, OpenFile>();
/** A caller without need of the result ends the thread. */
const unending = new AbortController().signal;
const calls = new ThreadCalls(port, serve);

async function ask<Name extends keyof FromTiffThread>(
  name: Name,
  input: FromTiffThread[Name]["input"],
): Promise<FromTiffThread[Name]["output"]> {
  return (await calls.call(name, input)) as FromTiffThread[Name]["output"];
}

async function serve(name: string, input: unknown): Promise<CallAnswer> {
  if (name === "open") return await open(input as ToTiffThread["open"]["input"]);
  const { file, firstRow, rowCount } = input as ToTiffThread["rows"]["input"];
  const opened = files.get(file);
  if (opened === undefined) throw new Error(`the file ${file} is not open`);
  const { raster } = opened;
  return await blamed(opened.name, async () => {
    if (name === "mask") return { output: await raster.readMask(firstRow, rowCount, unending) };
    const rows = await raster.readRows(firstRow, rowCount, unending);
    return { output: rows, transfer: buffersOf(rows) };
  });
}

async function open({
  file,
  name,
  sizeBytes,
  coarseSidePx,
  limits,
}: ToTiffThread["open"]["input"]): Promise<CallAnswer> {
  const source: ByteSource = {
    name,
    sizeBytes,
    available: (offset) => ask("available", { file, offset }),
    fetch: (offset, length) => ask("fetch", { file, offset, length }),
  };
  return await blamed(name, async () => {
    const tiff = await readTiffFile(source, limits);
    const level = coarseSidePx === null ? {} : { coarseSidePx };
    const { widthPx, heightPx, georeference, crs } = tiffRaster(tiff, level);
    const window = await ask("window", { file, image: { widthPx, heightPx, georeference, crs } });
    const asked: Promise<null>[] = [];
    const raster = tiffRaster(tiff, {
      ...level,
      window: () => window,
      onBlocks: (ranges) => {
        asked.push(ask("plan", { file, ranges: Float64Array.from(ranges.flatMap(({ start, end }) => [start, end])) }));
      },
    });
    await Promise.all(asked);
    files.set(file, { name, raster });
    return { output: describeRaster(raster) };
  });
}

/** Errors of reading are faults of the file; errors of its source arrive with their code. */
async function blamed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw fileFault(name, error) ?? error;
  }
}

function buffersOf(rows: readonly PixelArray[]): readonly Transferable[] {
  const buffers = rows.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);
  return [...new Set(buffers)];
}
