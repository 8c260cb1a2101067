import type { Static } from "typebox";
import type { Clock } from "@swath/base/clock";
import type { analysesContract } from "@swath/contract/features/analyses/contract";
import { MAX_RELEASED_MAPS, type ReleaseResult } from "@swath/contract/features/maps/release-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { statusOf } from "../../error-status.ts";
import type { Db, PipelineHandler, PipelineJob, PipelineOutcome } from "../../platform/context.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { catalogueScenes } from "../maps/catalogue-scenes.ts";
import { recordReleased } from "../maps/release/released-event.ts";
import type { SceneLookup } from "../maps/scene-lookup.ts";
import { boundMaps } from "./bound-maps.ts";
import { insertRun, type FrameChange } from "./frame-store.ts";
import { makeMaps, mostMaps, type AddRequest, type MakeMapsDeps } from "./make-maps.ts";
import { mergeFrames, type FramesOfRun } from "./merge-frames.ts";
import { placesOf, type Place } from "./places.ts";
import * as store from "./store.ts";
import { writableAnalysis } from "./writable-analysis.ts";

type AddResult = Static<(typeof analysesContract)["addMapTypes"]["result"]>;

export interface FramesDeps extends MakeMapsDeps {
  readonly areas: Pick<Areas, "intersection" | "read">;
  readonly clock: Clock;
  readonly db: Db;
  readonly imagery: Pick<SceneLookup, "seenBy">;
}

/** Makes maps of scenes and keeps them in the frames of an analysis. */
export function createAddMapTypes(deps: FramesDeps): PipelineHandler<AddRequest, AddResult> {
  return {
    async prepare(request, context) {
      const { innerPolygons } = await writableAnalysis(deps.db, request.analysisId, context.caller);
      requireFew(deps, request, innerPolygons.length);
      const { geometry: extent, mapTypes, sceneIds } = request;
      await deps.maps.release.prepare?.({ mapTypes, sceneIds, extent }, context);
    },
    async admit({ analysisId }, { pipelineId }, trx) {
      await insertRun(trx, pipelineId, analysisId);
      return undefined;
    },
    // Frames are written as releases end.
    needsRow: () => true,
    run: (request, job) => addMaps(deps, request, job),
  };
}

/** A run after a crash makes the same maps again, from kept results, and finds the same frames. */
async function addMaps(deps: FramesDeps, request: AddRequest, job: PipelineJob): Promise<PipelineOutcome<AddResult>> {
  const { analysisId, sceneIds } = request;
  const document = await writableAnalysis(deps.db, analysisId, job.caller);
  const scenes = [...(await catalogueScenes(deps.imagery.seenBy(job.caller), sceneIds, job.signal)).values()];
  let frames: readonly FrameChange[] = [];
  // Of pairs, each answer repeats the maps of the ones before.
  const released = new Map<string, ReleaseResult["maps"][number]>();
  for await (const place of placesOf(deps.areas, request, document, job.signal)) {
    for await (const release of releasesOf(deps, request, place, job)) {
      job.signal.throwIfAborted();
      const maps = await boundMaps(deps.maps.bindMap, release.maps, analysisId);
      for (const map of maps) released.set(map.mapId, map);
      const made = { innerPolygonId: place.innerPolygonId, release: { maps, failed: release.failed } };
      frames = await keepMaps(deps, { analysisId, scenes, made, pipelineId: job.pipelineId }, job);
    }
  }
  return {
    result: { sceneToFrameIds: Object.fromEntries(frames.map(({ id, sceneId }) => [sceneId, id])) },
    commit: (trx) => recordReleased(trx, job, { maps: [...released.values()] }),
  };
}

async function keepMaps(
  deps: FramesDeps,
  run: FramesOfRun,
  { caller }: Pick<PipelineJob, "caller">,
): Promise<readonly FrameChange[]> {
  return await inTransaction(deps.db, async (trx) => {
    await store.lockAnalysis(trx, run.analysisId);
    await writableAnalysis(trx, run.analysisId, caller);
    return await mergeFrames(deps, trx, run);
  });
}

/** Releases of a place. A refusal of an inner polygon becomes a reason in the frames, beside the maps of the others. */
async function* releasesOf(
  deps: FramesDeps,
  request: AddRequest,
  { extent, innerPolygonId }: Place,
  job: PipelineJob,
): AsyncGenerator<ReleaseResult> {
  if (extent === null) {
    const message = "the inner polygon has nothing in common with the area";
    yield refused(request, new ServiceError("EXTENT-HAS-NO-INTERSECTION", message));
    return;
  }
  try {
    yield* makeMaps(deps, request, extent, job);
  } catch (error) {
    const isRefusal = error instanceof ServiceError && statusOf(error) < 500 && !job.signal.aborted;
    if (innerPolygonId === null || !isRefusal) throw error;
    yield refused(request, error);
  }
}

/** No map of any scene and type. */
function refused({ mapTypes, sceneIds }: AddRequest, { code, message }: ServiceError): ReleaseResult {
  const failed = sceneIds.flatMap((sceneId) =>
    mapTypes.map((mapType) => {
      return { mapType, sceneId, status: "failed" as const, errorCode: code, errorMessage: message };
    }),
  );
  return { counts: { succeeded: 0, failed: failed.length }, maps: [], failed };
}

function requireFew(deps: FramesDeps, request: AddRequest, innerCount: number): void {
  const { mapTypes, pairingType, sceneIds } = request;
  const count = mostMaps(deps, request) * (1 + innerCount);
  if (count <= MAX_RELEASED_MAPS) return;
  const pairs = pairingType === "all" ? ", every two compared," : "";
  const message =
    `${sceneIds.length} scenes of ${mapTypes.length} map types${pairs} and ${innerCount} inner polygons are up to ` +
    `${count} maps, expected at most ${MAX_RELEASED_MAPS}`;
  throw new ServiceError("VALIDATION-ERROR", message, { details: [{ path: "/sceneIds", message }] });
}
