import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
  type FileHandle,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Clock } from "../clock.ts";
import { checkBlobKey, checkBlobPrefix } from "./blob-key.ts";
import { checkProbe, PROBE_BYTES } from "./probe-bytes.ts";
import { BlobNotFoundError, type BlobInfo, type BlobStore, type ListedBlob } from "./blob-store.ts";

/** Not a legal segment of a key, so it never meets one. */
const DRAFTS = "~drafts";
const DRAFT_LIFE_MS = 24 * 3_600_000;

/**
 * Blobs as files under `folder`; the key is the path. A blob appears by a rename of a finished file, flushed to the
 * disk, so a crash leaves the old bytes or the new ones. On a file system a key cannot be a folder of another (`a` and
 * `a/b`): the store refuses the second.
 *
 * Several processes may share the folder.
 */
export async function openFsBlobStore(folder: string, clock: Clock): Promise<BlobStore> {
  const root = resolve(folder);
  const store: Folder = { root, drafts: join(root, DRAFTS) };
  await mkdir(store.drafts, { recursive: true });
  await removeOldDrafts(store.drafts, clock.now().getTime() - DRAFT_LIFE_MS);
  return {
    put: (key, body, options = {}) => put(store, key, body, options),
    putFile: (key, source, options = {}) => putFile(store, key, source, options),
    head: (key) => head(store, key),
    read: (key, offset, length, options = {}) => read(store, key, offset, length, options),
    async stream(key, options = {}) {
      // Opened first: the absence of a blob is an error of this call, not of the stream.
      const file = await openBlob(key, pathOf(store, key));
      return createReadStream("", { fd: file, highWaterMark: 256 * 1024, ...signalOf(options) });
    },
    delete: (key) => remove(store, key),
    list: (prefix) => list(store, prefix),
    probe: () => probe(store),
    removeUnfinished: (beforeEpochMs) => removeOldDrafts(store.drafts, beforeEpochMs),
    localPath: (key) => pathOf(store, key),
    async [Symbol.asyncDispose]() {},
  };
}

interface Folder {
  readonly root: string;
  readonly drafts: string;
}

type Options = { readonly signal?: AbortSignal };

function pathOf({ root }: Folder, key: string): string {
  checkBlobKey(key);
  return join(root, key);
}

async function put(store: Folder, key: string, body: Uint8Array | Readable, options: Options): Promise<BlobInfo> {
  const path = pathOf(store, key);
  const draft = join(store.drafts, randomUUID());
  try {
    const source = body instanceof Uint8Array ? Readable.from([body]) : body;
    await pipeline(source, createWriteStream(draft, { flags: "wx" }), signalOf(options));
    return { key, sizeBytes: await publish(store, draft, path) };
  } finally {
    await rm(draft, { force: true });
  }
}

async function probe({ drafts }: Folder): Promise<void> {
  const draft = join(drafts, `probe-${randomUUID()}`);
  try {
    await writeFile(draft, PROBE_BYTES);
    checkProbe(await readFile(draft));
  } finally {
    await rm(draft, { force: true });
  }
}

/** A rename, or a copy from another file system. */
async function putFile(store: Folder, key: string, source: string, options: Options): Promise<BlobInfo> {
  const path = pathOf(store, key);
  options.signal?.throwIfAborted();
  try {
    return { key, sizeBytes: await publish(store, source, path) };
  } catch (error) {
    if (!hasCode(error, "EXDEV")) throw error;
  }
  const draft = join(store.drafts, randomUUID());
  try {
    await copyFile(source, draft);
    options.signal?.throwIfAborted();
    const sizeBytes = await publish(store, draft, path);
    await rm(source, { force: true });
    return { key, sizeBytes };
  } finally {
    await rm(draft, { force: true });
  }
}

async function head(store: Folder, key: string): Promise<BlobInfo | null> {
  try {
    const found = await stat(pathOf(store, key));
    return found.isFile() ? { key, sizeBytes: found.size } : null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

async function read(store: Folder, key: string, offset: number, length: number, options: Options): Promise<Uint8Array> {
  const file = await openBlob(key, pathOf(store, key));
  try {
    options.signal?.throwIfAborted();
    const { size } = await file.stat();
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}

async function remove(store: Folder, key: string): Promise<void> {
  const path = pathOf(store, key);
  try {
    await rm(path);
  } catch (error) {
    if (isAbsent(error) || hasCode(error, "ERR_FS_EISDIR")) return;
    throw error;
  }
  await prune(dirname(path), store.root);
}

async function* list({ root }: Folder, prefix: string): AsyncGenerator<ListedBlob> {
  checkBlobPrefix(prefix);
  const start = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  for await (const info of walk(root, start)) if (info.key.startsWith(prefix)) yield info;
}

/** Deletes of neighbours may prune a folder again and again: 20 at once exceeded 6 attempts on a busy machine. */
const PUBLISH_ATTEMPTS = 100;

/** Makes a finished file the blob at `path`; its size. */
async function publish(store: Folder, draft: string, path: string): Promise<number> {
  const file = await open(draft, "r+");
  let sizeBytes: number;
  try {
    await file.datasync();
    sizeBytes = (await file.stat()).size;
  } finally {
    await file.close();
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(dirname(path), { recursive: true });
      await rename(draft, path);
      return sizeBytes;
    } catch (error) {
      // A delete may prune the folder between the two steps.
      if (!hasCode(error, "ENOENT")) throw error;
      if (attempt < PUBLISH_ATTEMPTS) continue;
      // A recursive mkdir on a read-only disk says ENOENT as well: a probe says the true fault.
      await probe(store);
      throw error;
    }
  }
}

/** Every file below `root/start` in the order of keys: a folder sorts as its name with the slash. */
async function* walk(root: string, start: string): AsyncGenerator<ListedBlob> {
  let entries;
  try {
    entries = await readdir(join(root, start), { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return;
    throw error;
  }
  const names = entries
    .filter((entry) => entry.name !== DRAFTS && (entry.isFile() || entry.isDirectory()))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  for (const name of names.toSorted((a, b) => (a < b ? -1 : 1))) {
    const key = start + name;
    if (name.endsWith("/")) {
      yield* walk(root, key);
      continue;
    }
    try {
      const { mtimeMs, size } = await stat(join(root, key));
      yield { key, sizeBytes: size, modifiedAtMs: mtimeMs };
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
}

async function openBlob(key: string, path: string): Promise<FileHandle> {
  try {
    const file = await open(path, "r");
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  throw new BlobNotFoundError(key);
}

async function prune(folder: string, root: string): Promise<void> {
  for (let path = folder; path !== root && path.startsWith(root); path = dirname(path)) {
    try {
      await rmdir(path);
    } catch {
      return;
    }
  }
}

async function removeOldDrafts(drafts: string, beforeEpochMs: number): Promise<number> {
  let removed = 0;
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name);
    try {
      if ((await stat(path)).mtimeMs >= beforeEpochMs) continue;
      await rm(path, { force: true });
      removed += 1;
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
  return removed;
}

function signalOf(options: Options): { signal?: AbortSignal } {
  return options.signal === undefined ? {} : { signal: options.signal };
}

function isAbsent(error: unknown): boolean {
  return hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR");
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
