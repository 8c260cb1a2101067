import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineJob, PipelineProgress } from "../../../platform/context.ts";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { IngestionService } from "../../ingestion/service.ts";
import { isEmptyPart, releasedPart, type ReleasedPart } from "../released-part.ts";
import type { SceneLookup } from "../scene-lookup.ts";

/** A scene with its pixels, and its part of the released area. */
export interface FetchedScene {
  readonly stored: StoredScene;
  readonly part: ReleasedPart;
}

/** A fetched scene, or the reason for its absence. `sceneId` is the id of the request. */
export type FetchOutcome =
  | { readonly sceneId: string; readonly found: FetchedScene; readonly refusal: null }
  | { readonly sceneId: string; readonly found: null; readonly refusal: ServiceError };

export interface FetchAheadDeps {
  readonly areas: Pick<Areas, "intersection">;
  readonly imagery: Pick<SceneLookup, "seenBy">;
  readonly ingestion: Pick<IngestionService, "ensureStored">;
}

/** Scenes fetched at the same time: the next ones arrive while one is drawn. */
const AHEAD = 3;
/** The last step of fetching; analysis reports the later ones. */
const LAST_STEP = 4;
/** Runs after which a failed fetch is reported instead of repeated with all other scenes. */
const PATIENT_RUNS = 3;

/** The scenes in order, each as soon as its pixels in the area are in the store. Reports progress of the awaited scene. */
export async function* fetchAhead(
  deps: FetchAheadDeps,
  sceneIds: readonly string[],
  area: MultiPolygon,
  job: PipelineJob,
): AsyncGenerator<FetchOutcome> {
  const latest = new Map<string, PipelineProgress>();
  let awaited: string | undefined;
  const start = async (sceneId: string): Promise<FetchOutcome> =>
    fetchOne(deps, sceneId, area, {
      ...job,
      report: async (progress) => {
        if (progress.step > LAST_STEP) return;
        latest.set(sceneId, progress);
        if (awaited === sceneId) await job.report(progress);
      },
    });
  const waiting = [...sceneIds];
  const running: { readonly sceneId: string; readonly scene: Promise<FetchOutcome> }[] = [];
  for (;;) {
    while (running.length < AHEAD) {
      const sceneId = waiting.shift();
      if (sceneId === undefined) break;
      const scene = start(sceneId);
      // Handled when its turn comes; until then Node must not count it as unhandled.
      scene.catch(() => {});
      running.push({ sceneId, scene });
    }
    const next = running.shift();
    if (next === undefined) return;
    awaited = next.sceneId;
    const progress = latest.get(next.sceneId);
    if (progress !== undefined) await job.report(progress);
    yield await next.scene;
  }
}

async function fetchOne(
  { areas, imagery, ingestion }: FetchAheadDeps,
  sceneId: string,
  area: MultiPolygon,
  job: PipelineJob,
): Promise<FetchOutcome> {
  const refused = (refusal: ServiceError): FetchOutcome => ({ sceneId, found: null, refusal });
  try {
    const seen = imagery.seenBy(job.caller);
    const scene = await seen.known(sceneId);
    if (scene === null) return refused(new ServiceError("NON-EXISTING-SCENE", `the scene ${sceneId} was removed`));
    const part = await releasedPart(areas, [scene], area, job.signal);
    if (isEmptyPart(part)) {
      // No pixel of it is needed, so nothing is fetched.
      const stored = await seen.stored(sceneId);
      const message = `the extent has no area in common with the scene ${sceneId}`;
      if (stored === null) return refused(new ServiceError("ZERO-TILES-AVAILABLE", message));
      return { sceneId, found: { stored, part }, refusal: null };
    }
    const stored = await ingestion.ensureStored({ sceneId, extent: area, tiles: null }, job);
    // The footprint of the pixels may differ from the footprint of the catalogue.
    const isSame = JSON.stringify(stored.scene.footprint) === JSON.stringify(scene.footprint);
    const inPixels = isSame ? part : await releasedPart(areas, [stored.scene], area, job.signal);
    return { sceneId, found: { stored, part: inPixels }, refusal: null };
  } catch (error) {
    if (job.signal.aborted || !(error instanceof ServiceError)) throw error;
    const mayPass = error.code === "SERVICE-UNAVAILABLE" || error.code === "TOO-MANY-REQUESTS";
    if (mayPass && job.failures + 1 < PATIENT_RUNS) throw error;
    return refused(error);
  }
}
