import { contract } from "@swath/contract";
import { declaredPermissions } from "@swath/contract/kit/declared-permissions";
import { ADMINISTRATION } from "@swath/kernel/permissions/administrator";
import { ORGANIZATION } from "./reach.ts";

/**
 * Permissions of the demonstration user: all of the contract except administration, one by one. Some clients look for
 * exact members of the list.
 */
export const DEMO_PERMISSIONS: readonly string[] = declaredPermissions(contract).filter((permission) => {
  const [root] = permission.split(".", 1);
  return root !== ADMINISTRATION && root !== ORGANIZATION;
});

/** Permissions of administrators. */
export const ADMINISTRATOR_PERMISSIONS: readonly string[] = [
  ADMINISTRATION,
  ...DEMO_PERMISSIONS,
  "credits",
  "geojson",
  "geojsondb",
  "imagery",
  "mapsvc",
  ORGANIZATION,
  "store",
];
