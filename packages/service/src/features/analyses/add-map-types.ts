import type { Static } from "typebox";
import type { Clock } from "@swath/base/clock";
import type { analysesContract } from "@swath/contract/features/analyses/contract";
import { MAX_RELEASED_MAPS, type ReleaseResult } from "@swath/contract/features/maps/release-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { formatInstant } from "@swath/kernel/time/instant";
import type { Caller, Db, PipelineHandler, PipelineJob, Trx } from "../../platform/context.ts";
import { catalogueScenes } from "../maps/catalogue-scenes.ts";
import type { SceneLookup } from "../maps/scene-lookup.ts";
import { newAnalysisId } from "./analysis-id.ts";
import { addedOutcome, EMPTY_OUTCOME, type FrameOutcome, type MadeMaps } from "./frame-outcome.ts";
import { insertRun, readFrames, writeFrames, type FrameChange } from "./frame-store.ts";
import { makeMaps, type AddRequest, type MakeMapsDeps } from "./make-maps.ts";
import { readerOf } from "./rights.ts";
import type { AnalysisDocument } from "./saved-document.ts";
import * as store from "./store.ts";
import { unknownAnalysis } from "./unknown-analysis.ts";

type AddResult = Static<(typeof analysesContract)["addMapTypes"]["result"]>;

export interface FramesDeps extends MakeMapsDeps {
  readonly clock: Clock;
  readonly db: Db;
  readonly imagery: Pick<SceneLookup, "seenBy">;
}

/** Makes maps of scenes and keeps them in the frames of an analysis. */
export function createAddMapTypes(deps: FramesDeps): PipelineHandler<AddRequest, AddResult> {
  return {
    async prepare(request, context) {
      const { inner } = await writable(deps.db, request.analysisId, context.caller);
      requireFew(request, inner.length);
      const { geometry: extent, mapTypes, sceneIds } = request;
      await deps.maps.release.prepare?.({ mapTypes, sceneIds, extent }, context);
    },
    async admit({ analysisId }, { pipelineId }, trx) {
      await insertRun(trx, pipelineId, analysisId);
      return undefined;
    },
    run: (request, job) => addMaps(deps, request, job),
  };
}

async function addMaps(
  deps: FramesDeps,
  request: AddRequest,
  job: PipelineJob,
): ReturnType<PipelineHandler<AddRequest, AddResult>["run"]> {
  const { analysisId, geometry, sceneIds } = request;
  const { inner } = await writable(deps.db, analysisId, job.caller);
  const scenes = await catalogueScenes(deps.imagery.seenBy(job.caller), sceneIds, job.signal);
  const area = await makeMaps(deps, request, geometry, job);
  const ofInner = new Map<string, ReleaseResult>();
  for (const one of inner) ofInner.set(one.id, await makeMaps(deps, request, one.area, job));
  return {
    result: { sceneToFrameIds: {} },
    commit: async (trx) => {
      await store.lockAnalysis(trx, analysisId);
      await writable(trx, analysisId, job.caller);
      const frames = await mergeFrames(deps, trx, analysisId, [...scenes.values()], { area, inner: ofInner }, job);
      return { sceneToFrameIds: Object.fromEntries(frames.map(({ id, sceneId }) => [sceneId, id])) };
    },
  };
}

/** Adds maps to the frames of the scenes in an analysis that the transaction has locked. */
export async function mergeFrames(
  { clock }: Pick<FramesDeps, "clock">,
  trx: Trx,
  analysisId: string,
  scenes: readonly Scene[],
  made: MadeMaps,
  { pipelineId }: Pick<PipelineJob, "pipelineId">,
): Promise<readonly FrameChange[]> {
  const known = new Map((await readFrames(trx, [analysisId])).map((frame) => [frame.sceneId, frame]));
  const meta = { pipelineId, madeOn: formatInstant(clock.now().getTime()) };
  const frames = scenes.map((scene): FrameChange => {
    const before = known.get(scene.sceneId);
    const earlier = before === undefined ? EMPTY_OUTCOME : (JSON.parse(before.outcome) as FrameOutcome);
    const outcome = addedOutcome(earlier, scene.sceneId, made, meta);
    const { dataset, datetime, provider, satellite } = scene;
    return {
      id: before?.id ?? newAnalysisId(),
      sceneId: scene.sceneId,
      scene: JSON.stringify({ dataset, datetime, provider, satellite }),
      onlyIngested: false,
      outcome: JSON.stringify(outcome),
      finished: outcome.finishedActions.length,
    };
  });
  await writeFrames(trx, analysisId, frames);
  return frames;
}

interface InnerArea {
  readonly id: string;
  readonly area: GeoJson;
}

/** @throws {ServiceError} NON-EXISTENT-ANALYSIS; NOT-AUTHORIZED for those who may not write */
async function writable(db: Db, analysisId: string, caller: Caller): Promise<{ readonly inner: readonly InnerArea[] }> {
  const row = await store.readAnalysis(db, analysisId, readerOf(caller));
  if (row === null || row.rights === null) throw unknownAnalysis(analysisId);
  if (row.rights !== "owner" && row.rights !== "editor") {
    throw new ServiceError("NOT-AUTHORIZED", "only editors and the owner add maps to this analysis");
  }
  const { innerPolygons } = JSON.parse(row.document) as AnalysisDocument;
  return { inner: innerPolygons.map(({ id, geometry }) => ({ id, area: geometry })) };
}

function requireFew({ mapTypes, sceneIds }: AddRequest, innerCount: number): void {
  const count = mapTypes.length * sceneIds.length * (1 + innerCount);
  if (count <= MAX_RELEASED_MAPS) return;
  const message =
    `${sceneIds.length} scenes of ${mapTypes.length} map types and ${innerCount} inner polygons are ${count} maps, ` +
    `expected at most ${MAX_RELEASED_MAPS}`;
  throw new ServiceError("VALIDATION-ERROR", message, { details: [{ path: "/sceneIds", message }] });
}
