import { MAX_BACKFILL_SCENES, type BackfillPeriod } from "@swath/contract/features/monitors/backfill-contract";
import type { FoundScene } from "@swath/contract/features/imagery/contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { Caller } from "../../platform/context.ts";
import type { ImageryService } from "../imagery/service.ts";
import { meetsFilter } from "../standing-queries/scene-filter.ts";
import { readCriteria } from "../standing-queries/stored-criteria.ts";
import type { ShownRow } from "./monitor-store.ts";
import { searchPages } from "./search-pages.ts";
import { watchedExtents } from "./watched-extents.ts";

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
  for (const extent of watchedExtents(JSON.parse(monitor.areas) as GeoJson)) {
    const request = { ...conditions, extent, startDatetime, endDatetime };
    for await (const page of searchPages(search, request, caller, signal)) {
      read += page.length;
      for (const scene of page) {
        if (filter === undefined || meetsFilter(filter, scene.sceneId, scene))
          scenes.set(scene.sceneId, pastScene(scene));
      }
      if (scenes.size > MAX_BACKFILL_SCENES) throw tooMany(`more than ${MAX_BACKFILL_SCENES} matching scenes`);
      if (read > MAX_READ_SCENES) throw tooMany(`more than ${MAX_READ_SCENES} scenes over the areas`);
    }
  }
  return [...scenes.values()].toSorted((a, b) => compare(a.datetime, b.datetime) || compare(a.sceneId, b.sceneId));
}

function pastScene({ datetime, sceneId }: FoundScene): PastScene {
  return { datetime, sceneId };
}

function tooMany(found: string): ServiceError {
  const path = "/startDatetime";
  const message = `the period has ${found}, expected a shorter period`;
  return new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
