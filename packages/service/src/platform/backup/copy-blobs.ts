import { constants, createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdir, opendir, rename, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { BlobNotFoundError, type BlobInfo, type BlobStore } from "@swath/base/blobs/blob-store";
import type { Manifest } from "./manifest.ts";

/** Copies under way at once: a bucket answers each of them after a while. */
const AT_ONCE = 8;
/** Of probes, beside the blobs of the service. */
const PROBE_KEY = "probe";

/** Files of a backup that the copies have made so far. */
type Copied = Manifest["blobs"];

/**
 * Copies the blobs that the folder does not hold. A blob that is gone before its copy belongs to no row, or its rows
 * are about to go.
 */
export async function copyBlobsOut(store: BlobStore, folder: string, signal: AbortSignal): Promise<Copied> {
  const copied = { count: 0, bytes: 0 };
  await each(store.list(""), async ({ key, sizeBytes }) => {
    signal.throwIfAborted();
    const path = join(folder, ...key.split("/"));
    if (key === PROBE_KEY || (await sizeOf(path)) === sizeBytes) return;
    if (!(await copyOut(store, key, path, signal))) return;
    copied.count += 1;
    copied.bytes += sizeBytes;
  });
  return copied;
}

/** Puts every file of the folder into the store, under the key of its path. */
export async function copyBlobsIn(folder: string, store: BlobStore, signal: AbortSignal): Promise<Copied> {
  const copied = { count: 0, bytes: 0 };
  await each(filesOf(folder), async (path) => {
    const key = relative(folder, path).split(sep).join("/");
    const { sizeBytes } = await store.put(key, createReadStream(path), { signal });
    copied.count += 1;
    copied.bytes += sizeBytes;
  });
  return copied;
}

/** False when the blob is gone. */
async function copyOut(store: BlobStore, key: string, path: string, signal: AbortSignal): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // No segment of a key has a `~`.
  const draft = `${path}~`;
  try {
    const local = store.localPath(key);
    // A file system that can shares the bytes.
    if (local !== null) await copyFile(local, draft, constants.COPYFILE_FICLONE);
    else await pipeline(await store.stream(key, { signal }), createWriteStream(draft, { flush: true }), { signal });
  } catch (error) {
    if (error instanceof BlobNotFoundError || (isMissing(error) && (await store.head(key)) === null)) return false;
    throw error;
  }
  await rename(draft, path);
  return true;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

async function sizeOf(path: string): Promise<BlobInfo["sizeBytes"] | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function* filesOf(folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else yield path;
  }
}

/** Works on some items at once; the first failure ends the others after their present item. */
async function each<Item>(items: AsyncIterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const failed = new AbortController();
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    while (!failed.signal.aborted) {
      const next = await iterator.next();
      if (next.done === true) return;
      await work(next.value);
    }
  });
  for (const lane of lanes) lane.catch(() => failed.abort());
  const results = await Promise.allSettled(lanes);
  const fault = results.find((result) => result.status === "rejected");
  if (fault !== undefined) throw fault.reason;
}
