import type { Client, FoundScene } from "@swath/client";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { CommandContext } from "../command-context.ts";
import { CommandError, EXIT } from "../exit-code.ts";

/** The map type that tells clear pixels from others. */
export const CLOUDS = "clouds";

export interface SeriesMap {
  readonly mapType: string;
  readonly mapId: string;
  readonly sceneId: string;
}

interface SeriesMaps {
  readonly maps: readonly SeriesMap[];
  /** Maps that could not be made, in words. */
  readonly notes: readonly string[];
  readonly chargedCredits: number;
}

export interface SeriesRelease {
  readonly mapTypes: readonly string[];
  readonly scenes: readonly FoundScene[];
  readonly extent: GeoJson;
  /** Whether the user agrees to the price. */
  readonly pays: boolean;
}

/**
 * Maps of scenes over an area. Maps whose area is paid for cost nothing again; the price of the others is said first.
 *
 * @throws {CommandError} when something has a price to which the user has not agreed
 */
export async function seriesMaps(
  { output, signal }: CommandContext,
  client: Client,
  { mapTypes, scenes, extent, pays }: SeriesRelease,
): Promise<SeriesMaps> {
  const sceneIds = scenes.map(({ sceneId }) => sceneId);
  const wanted = [...mapTypes, CLOUDS];
  const dryRuns = [{ mapTypes: wanted, scenes: sceneIds.map((sceneId) => [sceneId]) }];
  const { allocatedCredits, allocatedKm2 } = await client.run("/mapsvc/dry-run", { dryRuns, extent }, { signal });
  const price = `${sceneIds.length} scenes cost ${allocatedCredits} credits for ${allocatedKm2.toFixed(3)} km2`;
  if (allocatedCredits > 0 && !pays) throw new CommandError(price, EXIT.credit, "repeat the command with --yes to pay");
  output.note(allocatedCredits > 0 ? price : `${sceneIds.length} scenes, nothing to pay`);
  const progress = output.progress("release", 6);
  const { maps, failed, payment } = await client
    .run(
      "/mapsvc/release",
      { mapTypes: wanted, sceneIds, extent, ...(allocatedCredits > 0 ? { allocate: true } : {}) },
      { signal, onProgress: (step) => progress.update(step.progress?.step ?? 0, step.progress?.message ?? "") },
    )
    .finally(() => progress.stop());
  return {
    maps: maps.map(({ mapType, mapId, sceneId }) => ({ mapType, mapId, sceneId })),
    notes: failed.map(({ mapType, sceneId, errorMessage }) => `${mapType} of ${sceneId}: ${errorMessage}`),
    chargedCredits: payment?.chargedCredits ?? 0,
  };
}
