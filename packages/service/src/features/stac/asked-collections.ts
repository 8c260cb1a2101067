import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../../platform/context.ts";
import type { ImageryService } from "../imagery/service.ts";
import { collectionsOf, type Collection } from "./collections.ts";
import type { SearchInput } from "./search-input.ts";

/** @throws {ServiceError} DATA-NOT-AVAILABLE */
export function collectionNamed(imagery: ImageryService, caller: Caller, collectionId: string): Collection {
  const found = collectionsOf(imagery.listDatasets(caller)).find(({ id }) => id === collectionId);
  if (found !== undefined) return found;
  throw new ServiceError("DATA-NOT-AVAILABLE", `there is no collection ${collectionId.slice(0, 100)}`);
}

/** Collections as datasets of a browse. */
export function browsed(collections: readonly Collection[]) {
  return collections.map(({ id, listing: { provider, dataset } }) => ({ name: id, provider, dataset }));
}

/** The collections of a search in the whole catalogue, or in one collection. */
export function askedCollections(
  imagery: ImageryService,
  caller: Caller,
  { collections }: SearchInput,
  home: string | null,
): readonly Collection[] {
  const all = collectionsOf(imagery.listDatasets(caller));
  const named = home === null ? collections : [collectionNamed(imagery, caller, home).id];
  return named === null ? all : all.filter(({ id }) => named.includes(id));
}
