import type { Db } from "../../platform/context.ts";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import * as store from "./store.ts";

/** A dataset by the id of its provider and by its name. */
export interface DatasetName {
  readonly provider: string;
  readonly dataset: string;
}

export function registeredName({ provider, dataset }: RegisteredDataset): DatasetName {
  return { provider: provider.id, dataset: dataset.dataset };
}

/** Keys of datasets. They never change, so they are kept once seen. */
export interface DatasetKeys {
  readonly db: Db;
  readonly seen: Map<string, number>;
}

export function datasetNameOf({ provider, dataset }: DatasetName): string {
  return `${provider} ${dataset}`;
}

/** Keys of those datasets that have rows, by `datasetNameOf`. */
export async function knownDatasetKeys(
  { db, seen }: DatasetKeys,
  datasets: readonly DatasetName[],
): Promise<ReadonlyMap<string, number>> {
  const missing = datasets.filter((dataset) => !seen.has(datasetNameOf(dataset)));
  if (missing.length > 0) {
    for (const row of await store.readDatasetKeys(db, missing)) seen.set(datasetNameOf(row), row.dataset_key);
  }
  const known = datasets.map(datasetNameOf).flatMap((name) => {
    const key = seen.get(name);
    return key === undefined ? [] : [[name, key] as const];
  });
  return new Map(known);
}

/** The key for rows that are written outside a transaction: a rolled back key must not be kept. */
export async function datasetKeyOf(keys: DatasetKeys, name: DatasetName): Promise<number> {
  const known = (await knownDatasetKeys(keys, [name])).get(datasetNameOf(name));
  if (known !== undefined) return known;
  const key = await store.ensureDataset(keys.db, name.provider, name.dataset);
  keys.seen.set(datasetNameOf(name), key);
  return key;
}
