import type { BlobStore } from "@swath/base/blobs/blob-store";

/** Start of the keys of all blobs of a result. */
export function resultPrefix(resultId: string): string {
  return `results/${resultId}/`;
}

/** Start of the keys of one owner: an owner without a lease never touches the blobs of its successor. */
export function ownerPrefix(resultId: string, owner: string): string {
  return `${resultPrefix(resultId)}${owner}/`;
}

/** Deletes every blob below a prefix. */
export async function removeBlobs(blobs: BlobStore, prefix: string): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of blobs.list(prefix)) keys.push(key);
  for (const key of keys) await blobs.delete(key);
}
