import { datasetNameOf, type DatasetName } from "./dataset-keys.ts";

/**
 * Names of datasets as a request gives them, by `datasetNameOf` of their identifiers. A client that asks by an alias
 * compares answers with that alias.
 */
export type RequestedNames = ReadonlyMap<string, DatasetName>;

/** Provider and dataset as the request names them; of two names for one dataset the first counts. */
export function requestedName(names: RequestedNames, { provider, dataset }: DatasetName): DatasetName {
  return names.get(datasetNameOf({ provider, dataset })) ?? { provider, dataset };
}
