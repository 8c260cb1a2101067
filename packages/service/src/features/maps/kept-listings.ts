import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ListMapTypesRequest, MapTypeListing } from "@swath/contract/features/maps/map-types-contract";
import { KeptJson } from "../../platform/kept-json.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { filterMapTypes, type ListedContent } from "./map-type-filter.ts";
import { listMapTypes } from "./map-type-listing.ts";

/** Listings as text, and as much again for their compressed forms. */
const MOST_BYTES = 64 * 1024 * 1024;

export type KeptListing = KeptJson<MapTypeListing[]>;

/**
 * The listing of map types for a set of permissions, kept as bytes. Users with the same permissions share one; a change
 * of the permissions of a caller makes a new set.
 */
export function createKeptListings(
  catalog: Pick<Catalog, "findDataset" | "findProvider">,
  all: ListedContent,
): (permissions: ReadonlySet<string>, filter: ListMapTypesRequest) => KeptListing {
  const bySet = new WeakMap<ReadonlySet<string>, KeptListing>();
  const byContent = new LRUCache<string, KeptListing>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  return (permissions, filter) => {
    const { provider, dataset, group } = filter;
    const isWhole = provider === undefined && dataset === undefined && group === undefined;
    const known = isWhole ? bySet.get(permissions) : undefined;
    if (known !== undefined) return known;
    const { mapTypes, datasets } = filterMapTypes(catalog, all, filter);
    const content = createHash("sha256")
      .update(JSON.stringify([[...permissions].toSorted(), provider, dataset, group]))
      .digest("base64url");
    const listing = byContent.get(content) ?? new KeptJson(listMapTypes(mapTypes, datasets, permissions));
    byContent.set(content, listing);
    if (isWhole) bySet.set(permissions, listing);
    return listing;
  };
}
