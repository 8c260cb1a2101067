import { open } from "node:fs/promises";
import { basename } from "node:path";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { BlobNotFoundError } from "@swath/base/blobs/blob-store";
import type { ByteSource } from "../byte-source.ts";

/** Bytes in memory; fetched bytes are a copy that the reader may change. */
export function bufferSource(bytes: Uint8Array, name = "file"): ByteSource {
  // Slices of a Buffer are views, not copies.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    name,
    sizeBytes: plain.length,
    fetch: async (offset, length) => plain.slice(offset, offset + length),
  };
}

/** A local file, open until disposed. */
export async function fileSource(path: string, name = basename(path)): Promise<ByteSource & AsyncDisposable> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    return {
      name,
      sizeBytes: size,
      fetch: async (offset, length, options) => {
        options?.signal?.throwIfAborted();
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
        let filled = 0;
        while (filled < bytes.length) {
          const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, offset + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return filled === bytes.length ? bytes : bytes.slice(0, filled);
      },
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A blob of the store. @throws {BlobNotFoundError} */
export async function blobSource(store: BlobStore, key: string, name = key): Promise<ByteSource> {
  const info = await store.head(key);
  if (info === null) throw new BlobNotFoundError(key);
  return {
    name,
    sizeBytes: info.sizeBytes,
    fetch: (offset, length, options) => store.read(key, offset, length, options ?? {}),
  };
}
