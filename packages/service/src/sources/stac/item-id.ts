import { createHash } from "node:crypto";
import { parseSceneId, sceneId } from "@swath/kernel/scenes/scene-id";
import type { EpochMs } from "@swath/kernel/time/instant";

/** How the item behind a scene identifier is found in its catalogue. */
export type ItemAddress =
  | { readonly kind: "id"; readonly collection: string; readonly id: string }
  /** The identifier was too long: the item is the one of that second whose own identifier has the digest. */
  | { readonly kind: "digest"; readonly acquiredAtMs: EpochMs; readonly digest: string };

/** Marks identifiers that were too long; ones that start with it themselves are treated like them. */
const LONG = "~";
const DIGEST_LENGTH = 26;

/**
 * The identifier of a scene from the identifier of the item, which any text of any length may be. With several
 * collections, or without a list of them, the identifier is only unique within its collection, which is put before it.
 */
export function sceneIdOfItem(
  dataset: { readonly provider: string; readonly dataset: string; readonly collections: readonly string[] },
  item: { readonly collection: string; readonly id: string; readonly acquiredAtMs: EpochMs },
): string {
  const isPrefixed = dataset.collections.length !== 1 && item.collection !== "";
  const local = isPrefixed ? `${item.collection}:${item.id}` : item.id;
  if (!local.startsWith(LONG)) {
    try {
      return sceneId(dataset.provider, dataset.dataset, local);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  const second = Math.floor(item.acquiredAtMs / 1000);
  return sceneId(dataset.provider, dataset.dataset, `${LONG}${second}_${itemDigest(item.collection, item.id)}`);
}

/** Null when the identifier is none of this dataset. */
export function itemOfSceneId(
  dataset: { readonly provider: string; readonly dataset: string; readonly collections: readonly string[] },
  id: string,
): ItemAddress | null {
  const parts = parseSceneId(id);
  if (parts === null || parts.provider !== dataset.provider || parts.dataset !== dataset.dataset) return null;
  const { local } = parts;
  const long = /^~(-?\d{1,13})_([a-z0-9]{26})$/.exec(local);
  if (long !== null) return { kind: "digest", acquiredAtMs: Number(long[1]) * 1000, digest: long[2] ?? "" };
  if (local.startsWith(LONG)) return null;
  const [only] = dataset.collections;
  if (dataset.collections.length === 1 && only !== undefined) return { kind: "id", collection: only, id: local };
  const collection = dataset.collections.find((name) => local.startsWith(`${name}:`));
  return collection === undefined ? null : { kind: "id", collection, id: local.slice(collection.length + 1) };
}

/** 130 bits that stand for an item's identifier. */
export function itemDigest(collection: string, id: string): string {
  const hash = createHash("sha256").update(`${collection}\0${id}`).digest("hex");
  return BigInt(`0x${hash}`).toString(36).padStart(50, "0").slice(0, DIGEST_LENGTH);
}
