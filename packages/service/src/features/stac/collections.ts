import { sceneIdPrefix } from "@swath/kernel/scenes/scene-id";
import type { DatasetListing } from "@swath/contract/features/imagery/contract";

/** A dataset that the caller may search, as a collection. */
export interface Collection {
  /** Provider and dataset, escaped as in scene identifiers: distinct datasets have distinct IDs. */
  readonly id: string;
  readonly listing: DatasetListing;
}

function collectionId(provider: string, dataset: string): string {
  return sceneIdPrefix(provider, dataset).slice(0, -1);
}

/** The collections of a caller: datasets without the right to search them do not exist. */
export function collectionsOf(listings: readonly DatasetListing[]): readonly Collection[] {
  return listings
    .filter(({ searchable }) => searchable)
    .map((listing) => ({ id: collectionId(listing.provider, listing.dataset), listing }));
}
