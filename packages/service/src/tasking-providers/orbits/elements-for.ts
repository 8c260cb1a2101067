import { withoutDrag, type ElementSet } from "@swath/kernel/orbits/element-set";
import type { OrbitSource } from "@swath/kernel/orbits/orbit-source";
import type { Db } from "../../platform/context.ts";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import { newestElements } from "./element-store.ts";

/** Elements of the satellites of a dataset, those that are known. */
export type ElementsFor = (registered: RegisteredDataset, atMs: number) => Promise<readonly ElementSet[]>;

/** Elements of the simulated constellation, the newest ones of a moment. */
export function simulatedElements(orbits: Pick<OrbitSource, "satellites">): ElementsFor {
  return async ({ provider, dataset }, atMs) => {
    const satellites = await orbits.satellites(provider.id, dataset.dataset, atMs);
    return satellites.map(({ elements, name, catalogueNumber }) => withoutDrag(elements, name, catalogueNumber));
  };
}

/** Imported elements with the newest epochs, of the satellites that the catalogue names for a dataset. */
export function importedElements(db: Db): ElementsFor {
  return async ({ dataset }) => {
    const satellites = dataset.sensors?.satellites ?? [];
    const newest = await newestElements(
      db,
      satellites.map(({ catalogueNumber }) => catalogueNumber),
    );
    return satellites.flatMap(({ name, catalogueNumber }) => {
      const set = newest.get(catalogueNumber);
      return set === undefined ? [] : [{ ...set, name }];
    });
  };
}
