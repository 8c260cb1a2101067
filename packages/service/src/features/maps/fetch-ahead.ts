import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineJob, PipelineProgress } from "../../platform/context.ts";
import type { IngestionService } from "../ingestion/service.ts";
import { releasedPart } from "./plan-map.ts";
import type { SceneLookup } from "./scene-lookup.ts";

/** A scene with its pixels, or why there are none. `sceneId` is the one that was asked for. */
export type FetchedScene =
  | { readonly sceneId: string; readonly stored: StoredScene; readonly refusal: null }
  | { readonly sceneId: string; readonly stored: null; readonly refusal: ServiceError };

export interface FetchAheadDeps {
  readonly imagery: SceneLookup;
  readonly ingestion: Pick<IngestionService, "ensureStored">;
}

/** Scenes fetched at the same time: while one is drawn the next ones are on their way. */
const AHEAD = 3;
/** The last step of fetching that is told: analysing is what follows it. */
const LAST_STEP = 4;
/** Runs after which a scene that cannot be fetched now is reported instead of tried again with all others. */
const PATIENT_RUNS = 3;

/** The scenes in order, each as soon as the pixels in the area are in the store; progress is that of the one awaited. */
export async function* fetchAhead(
  deps: FetchAheadDeps,
  sceneIds: readonly string[],
  area: MultiPolygon,
  job: PipelineJob,
): AsyncGenerator<FetchedScene> {
  const latest = new Map<string, PipelineProgress>();
  let awaited: string | undefined;
  const start = async (sceneId: string): Promise<FetchedScene> =>
    fetchOne(deps, sceneId, area, {
      ...job,
      report: async (progress) => {
        if (progress.step > LAST_STEP) return;
        latest.set(sceneId, progress);
        if (awaited === sceneId) await job.report(progress);
      },
    });
  const waiting = [...sceneIds];
  const running: { readonly sceneId: string; readonly scene: Promise<FetchedScene> }[] = [];
  for (;;) {
    while (running.length < AHEAD) {
      const sceneId = waiting.shift();
      if (sceneId === undefined) break;
      const scene = start(sceneId);
      // Met when its turn comes; until then it must not count as unhandled.
      scene.catch(() => {});
      running.push({ sceneId, scene });
    }
    const next = running.shift();
    if (next === undefined) return;
    awaited = next.sceneId;
    const progress = latest.get(next.sceneId);
    // oxlint-disable-next-line no-await-in-loop -- in order
    if (progress !== undefined) await job.report(progress);
    // oxlint-disable-next-line no-await-in-loop
    yield await next.scene;
  }
}

async function fetchOne(
  { imagery, ingestion }: FetchAheadDeps,
  sceneId: string,
  area: MultiPolygon,
  job: PipelineJob,
): Promise<FetchedScene> {
  const refused = (refusal: ServiceError): FetchedScene => ({ sceneId, stored: null, refusal });
  try {
    const scene = await imagery.known(sceneId);
    if (scene === null) return refused(new ServiceError("NON-EXISTING-SCENE", `the scene ${sceneId} was removed`));
    if (releasedPart([scene], area).inside.coordinates.length === 0) {
      const stored = await imagery.stored(sceneId);
      const message = `the extent has no area in common with the scene ${sceneId}`;
      // Nothing of it is needed, so nothing is fetched.
      return stored === null
        ? refused(new ServiceError("ZERO-TILES-AVAILABLE", message))
        : { sceneId, stored, refusal: null };
    }
    const stored = await ingestion.ensureStored({ sceneId, extent: area, tiles: null }, job);
    return { sceneId, stored, refusal: null };
  } catch (error) {
    if (job.signal.aborted || !(error instanceof ServiceError)) throw error;
    const mayPass = error.code === "SERVICE-UNAVAILABLE" || error.code === "TOO-MANY-REQUESTS";
    if (mayPass && job.attempt < PATIENT_RUNS) throw error;
    return refused(error);
  }
}
