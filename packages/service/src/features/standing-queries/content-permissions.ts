import type { standingQueriesContract } from "@swath/contract/features/standing-queries/contract";
import type { PermissionsByContent } from "../../platform/context.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { imageryPermissions } from "../imagery/content-permissions.ts";

/** The permissions of a search of the datasets. */
export function standingQueryPermissions(
  catalog: Pick<Catalog, "findDataset">,
): PermissionsByContent<typeof standingQueriesContract> {
  const { search } = imageryPermissions(catalog);
  return { create: ({ datasets, areas }) => search({ datasets, extent: areas }) };
}
