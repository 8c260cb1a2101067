import { isGranted } from "@swath/kernel/permissions/permission";
import type { MapTypes } from "@swath/maps/registry";
import type { Caller } from "../../platform/context.ts";
import { releasePermissions } from "../maps/content-permissions.ts";
import type { WorkRow } from "./scene-store.ts";

/** The first permission to measure a scene that the owner lacks, or null. */
export function missingRight(
  mapTypes: MapTypes,
  { permissions }: Caller,
  { map_types, project }: Pick<WorkRow, "map_types" | "project">,
  sceneId: string,
): string | null {
  const required = [
    "imagery.monitors",
    "mapsvc.statistics",
    "credits.allocate-area",
    ...(project === null ? [] : ["datacube.write"]),
    ...releasePermissions(mapTypes, JSON.parse(map_types) as string[], [sceneId]),
  ];
  return required.find((one) => !isGranted(permissions, one)) ?? null;
}
