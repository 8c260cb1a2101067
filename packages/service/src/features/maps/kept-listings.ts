import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { MapTypeListing } from "@swath/contract/features/maps/contract";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import { KeptJson } from "../../platform/kept-json.ts";
import { listMapTypes, type ListedDataset } from "./map-type-listing.ts";

/** Listings as text, and as much again for their compressed forms. */
const MOST_BYTES = 64 * 1024 * 1024;

export type KeptListing = KeptJson<MapTypeListing[]>;

/**
 * The listing of map types for a set of permissions, kept as bytes. Users with the same permissions share one; a change
 * of the permissions of a caller makes a new set.
 */
export function createKeptListings(
  mapTypes: readonly MapTypeDescriptor[],
  datasets: readonly ListedDataset[],
): (permissions: ReadonlySet<string>) => KeptListing {
  const bySet = new WeakMap<ReadonlySet<string>, KeptListing>();
  const byContent = new LRUCache<string, KeptListing>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  return (permissions) => {
    const known = bySet.get(permissions);
    if (known !== undefined) return known;
    const content = createHash("sha256")
      .update(JSON.stringify([...permissions].toSorted()))
      .digest("base64url");
    const listing = byContent.get(content) ?? new KeptJson(listMapTypes(mapTypes, datasets, permissions));
    byContent.set(content, listing);
    bySet.set(permissions, listing);
    return listing;
  };
}
