import type { Catalog } from "../../providers/catalog.ts";
import type { SourceBindings } from "../../sources/bindings.ts";
import type { WatchConditions } from "../standing-queries/stored-criteria.ts";

type DatasetNames = WatchConditions["datasets"];

export interface LookDeps {
  readonly catalog: Pick<Catalog, "findDataset">;
  readonly sources: Pick<SourceBindings, "sourceOf">;
}

/**
 * The datasets whose sources a monitor asks for new scenes, by provider. None are asked for ingested scenes: sources
 * have no pixels in the store.
 */
export function lookedDatasets(
  { catalog, sources }: LookDeps,
  { datasets, onlyIngested }: Pick<WatchConditions, "datasets" | "onlyIngested">,
): ReadonlyMap<string, DatasetNames> {
  const found = new Map<string, DatasetNames[number][]>();
  if (onlyIngested === true) return found;
  for (const { dataset, provider } of datasets) {
    const registered = catalog.findDataset(provider, dataset);
    if (registered === null) continue;
    const name = { provider: registered.provider.id, dataset: registered.dataset.dataset };
    if (sources.sourceOf(name.provider, name.dataset) === null) continue;
    const known = found.get(name.provider);
    if (known === undefined) found.set(name.provider, [name]);
    else known.push(name);
  }
  return found;
}
