import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { ProvenanceRecord } from "@swath/contract/features/maps/provenance-contract";
import type { ChangedInput } from "@swath/contract/features/maps/reproduce-contract";

/**
 * Scenes of a record whose pixels the store has lost.
 *
 * @param scenes in the order of the record
 */
export async function lostScenes(
  blobs: Pick<BlobStore, "head">,
  record: ProvenanceRecord,
  scenes: readonly StoredScene[],
  signal: AbortSignal,
): Promise<readonly ChangedInput[]> {
  const lost: ChangedInput[] = [];
  for (const [i, { sceneId, contentHash }] of record.scenes.entries()) {
    const bands = scenes[i]?.raster.bands ?? [];
    const keys = new Set(bands.flatMap(({ key, maskKey }) => (maskKey === null ? [key] : [key, maskKey])));
    for (const key of keys) {
      signal.throwIfAborted();
      if ((await blobs.head(key)) !== null) continue;
      lost.push({ input: "scene", id: sceneId, expected: contentHash, got: null });
      break;
    }
  }
  return lost;
}
