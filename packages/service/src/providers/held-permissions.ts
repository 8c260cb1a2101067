import type { Catalog } from "./catalog.ts";

/**
 * The permissions that somebody has, with those that name a provider or dataset by an alias also under the identifiers:
 * operations ask for identifiers. Permissions about imagery have the form `imagery.images.<provider>.<dataset>`,
 * `imagery.availability.<provider>.<dataset>` or `algorithms.<map type>.<provider>.<dataset>`.
 */
export function heldPermissions(
  catalog: Pick<Catalog, "findDataset" | "findProvider">,
  granted: readonly string[],
): ReadonlySet<string> {
  const held = new Set(granted);
  for (const permission of granted) held.add(withIdentifiers(catalog, permission));
  return held;
}

function withIdentifiers(catalog: Pick<Catalog, "findDataset" | "findProvider">, permission: string): string {
  const [area, kind, providerName, ...rest] = permission.split(".");
  const provider = providerName === undefined ? null : catalog.findProvider(providerName);
  if (provider === null) return permission;
  // A dataset is the rest, as in JAXA/GPM_L3/GSMaP/v6/operational.
  const datasetName = rest.join(".");
  const dataset = catalog.findDataset(provider.id, datasetName)?.dataset.dataset ?? datasetName;
  return [area, kind, provider.id, ...(rest.length === 0 ? [] : [dataset])].join(".");
}
