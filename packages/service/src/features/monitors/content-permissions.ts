import type { monitorsContract } from "@swath/contract/features/monitors/contract";
import type { MapTypes } from "@swath/maps/registry";
import type { PermissionsByContent } from "../../platform/context.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { mapsPermissions } from "../maps/content-permissions.ts";

/** The permissions of statistics of the datasets. */
export function monitorsPermissions(
  mapTypes: MapTypes,
  catalog: Pick<Catalog, "findDataset">,
): PermissionsByContent<typeof monitorsContract> {
  const { statistics } = mapsPermissions(mapTypes, catalog);
  return { create: ({ areas, datasets, mapTypes: ids }) => statistics({ areas, datasets, mapTypes: ids }) };
}
