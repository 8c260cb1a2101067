import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { MapTypes } from "@swath/maps/registry";
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
 * of the permissions of a caller makes a new set, and new models begin anew.
 */
export function createKeptListings(
  catalog: Pick<Catalog, "findDataset" | "findProvider">,
  known: Pick<MapTypes, "all">,
  datasets: ListedContent["datasets"],
): (permissions: ReadonlySet<string>, filter: ListMapTypesRequest) => KeptListing {
  let bySet = new WeakMap<ReadonlySet<string>, KeptListing>();
  let mapTypes = known.all;
  const byContent = new LRUCache<string, KeptListing>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  return (permissions, filter) => {
    // Models were replaced.
    if (mapTypes !== known.all) {
      mapTypes = known.all;
      bySet = new WeakMap();
      byContent.clear();
    }
    const { provider, dataset, group } = filter;
    const isWhole = provider === undefined && dataset === undefined && group === undefined;
    const kept = isWhole ? bySet.get(permissions) : undefined;
    if (kept !== undefined) return kept;
    const listed = filterMapTypes(catalog, { mapTypes, datasets }, filter);
    const content = createHash("sha256")
      .update(JSON.stringify([[...permissions].toSorted(), provider, dataset, group]))
      .digest("base64url");
    const listing = byContent.get(content) ?? new KeptJson(listMapTypes(listed.mapTypes, listed.datasets, permissions));
    byContent.set(content, listing);
    if (isWhole) bySet.set(permissions, listing);
    return listing;
  };
}
