import { MAX_BACKFILL_SCENES, type BackfillPeriod } from "@swath/contract/features/monitors/backfill-contract";
import type { FoundScene, SearchRequest } from "@swath/contract/features/imagery/contract";
import { MAX_SCENES } from "@swath/contract/kit/schemas/scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { Caller } from "../../platform/context.ts";
import type { ImageryService } from "../imagery/service.ts";
import { meetsFilter } from "../standing-queries/scene-filter.ts";
import { readCriteria } from "../standing-queries/stored-criteria.ts";
import type { ShownRow } from "./monitor-store.ts";

export interface PastScene {
  readonly sceneId: string;
  /** Acquisition, as searches answer it. */
  readonly datetime: string;
}

/** Scenes that one backfill reads, also those that the filter leaves out. */
const MAX_READ_SCENES = 5_000;

/**
 * Scenes of a period that a monitor would take, oldest first, as its owner sees them.
 *
 * @throws {ServiceError} of a search and of its sources; VALIDATION-ERROR for more than MAX_BACKFILL_SCENES
 */
export async function pastScenes(
  { search }: Pick<ImageryService, "search">,
  monitor: Pick<ShownRow, "criteria"> & { readonly areas: string },
  { endDatetime, startDatetime }: Pick<BackfillPeriod, "endDatetime" | "startDatetime">,
  caller: Caller,
  signal: AbortSignal,
): Promise<readonly PastScene[]> {
  const { filter, ...conditions } = readCriteria(monitor.criteria).conditions;
  const scenes = new Map<string, PastScene>();
  let read = 0;
  for (const extent of extentsOf(JSON.parse(monitor.areas) as GeoJson)) {
    const request: SearchRequest = { ...conditions, extent, startDatetime, endDatetime, limit: MAX_SCENES };
    let cursor: number | null | undefined;
    while (cursor !== null) {
      const page = await search(cursor === undefined ? request : { ...request, cursor }, signal, caller);
      requireComplete(page.failedDatasets);
      read += page.results.length;
      for (const scene of page.results) {
        if (filter === undefined || meetsFilter(filter, scene.sceneId, scene))
          scenes.set(scene.sceneId, pastScene(scene));
      }
      if (scenes.size > MAX_BACKFILL_SCENES) throw tooMany(`more than ${MAX_BACKFILL_SCENES} matching scenes`);
      if (read > MAX_READ_SCENES) throw tooMany(`more than ${MAX_READ_SCENES} scenes over the areas`);
      cursor = page.cursor ?? null;
    }
  }
  return [...scenes.values()].toSorted((a, b) => compare(a.datetime, b.datetime) || compare(a.sceneId, b.sceneId));
}

function extentsOf(areas: GeoJson): readonly GeoJson[] {
  const features: readonly GeoJson[] = areas.type === "FeatureCollection" ? areas.features : [areas];
  // Areas without geometry are refused at the creation.
  return features.flatMap((one) => (one.type !== "Feature" ? [one] : one.geometry === null ? [] : [one.geometry]));
}

function pastScene({ datetime, sceneId }: FoundScene): PastScene {
  return { datetime, sceneId };
}

/** A price that leaves out a part of the period would be no price. */
function requireComplete(failed: readonly { readonly errorCode: string; readonly errorMessage: string }[] = []): void {
  const [first] = failed;
  if (first === undefined) return;
  throw new ServiceError("SERVICE-UNAVAILABLE", `a catalogue failed: ${first.errorCode}: ${first.errorMessage}`);
}

function tooMany(found: string): ServiceError {
  const path = "/startDatetime";
  const message = `the period has ${found}, expected a shorter period`;
  return new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
