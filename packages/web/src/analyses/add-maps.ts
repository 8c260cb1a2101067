import type { Client } from "@swath/client";
import type { AreaGeometry } from "../find/area-rings.ts";
import type { MapsToAdd } from "./maps-to-add.ts";

/** Credits that the area of the maps costs and nobody has paid. */
export async function unpaidCredits(calls: Client, maps: readonly MapsToAdd[], area: AreaGeometry): Promise<number> {
  if (maps.length === 0) return 0;
  const dryRuns = maps.map(({ mapTypes, sceneIds }) => ({ mapTypes, scenes: sceneIds.map((sceneId) => [sceneId]) }));
  return (await calls.run("/mapsvc/dry-run", { dryRuns, extent: area })).allocatedCredits;
}

/** Adds the maps to the frames of an analysis. */
export async function addMaps(
  calls: Client,
  analysisId: string,
  maps: readonly MapsToAdd[],
  area: AreaGeometry,
): Promise<void> {
  for (const { mapTypes, sceneIds } of maps) {
    await calls.run("/analytics/analysis/add-map-types", { analysisId, mapTypes, sceneIds, geometry: area });
  }
}
