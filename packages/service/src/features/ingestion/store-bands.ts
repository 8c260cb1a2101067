import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { SceneDraft } from "@swath/raster/store/scene-draft";
import type { BandKeys } from "./build-scene.ts";

/** Moves the COGs into the store; a mask that several bands share is stored once. */
export async function storeBands(
  blobs: BlobStore,
  draft: Pick<SceneDraft, "bands">,
  prefix: string,
  signal: AbortSignal,
): Promise<readonly BandKeys[]> {
  const maskKeys = new Map<string, string>();
  const keys: BandKeys[] = [];
  for (const [index, { path, maskPath }] of draft.bands.entries()) {
    const key = `${prefix}b${String(index).padStart(3, "0")}.tif`;
    await blobs.putFile(key, path, { signal });
    let maskKey = maskPath === null ? null : (maskKeys.get(maskPath) ?? null);
    if (maskPath !== null && maskKey === null) {
      maskKey = `${prefix}m${String(maskKeys.size).padStart(3, "0")}.tif`;
      maskKeys.set(maskPath, maskKey);
      await blobs.putFile(maskKey, maskPath, { signal });
    }
    keys.push({ key, maskKey });
  }
  return keys;
}
