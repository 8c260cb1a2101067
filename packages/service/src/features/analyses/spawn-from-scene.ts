import type { Static } from "typebox";
import type { analysesContract } from "@swath/contract/features/analyses/contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { areaParts } from "@swath/kernel/geometry/extent";
import type { Caller, PipelineHandler } from "../../platform/context.ts";
import { recordReleased } from "../maps/release/released-event.ts";
import { wholeJob } from "../maps/release/whole-job.ts";
import type { FramesDeps } from "./add-map-types.ts";
import { newAnalysisId } from "./analysis-id.ts";
import { boundMaps } from "./bound-maps.ts";
import { insertRun } from "./frame-store.ts";
import { insertNew } from "./insert-new.ts";
import { mergeFrames } from "./merge-frames.ts";
import { savedDocument } from "./saved-document.ts";
import { SPAWNED_MAP_TYPE } from "./spawned-map-type.ts";

type SpawnRequest = Static<(typeof analysesContract)["spawnFromScene"]["request"]>;
type SpawnResult = Static<(typeof analysesContract)["spawnFromScene"]["result"]>;

/** Creates an analysis of one scene with its imagery; it exists when its frame does. */
export function createSpawnFromScene(deps: FramesDeps): PipelineHandler<SpawnRequest, SpawnResult> {
  return {
    async prepare({ geometry, sceneId }, context) {
      const scene = await sceneOf(deps, sceneId, context.caller, context.signal);
      await deps.maps.release.prepare?.(imageryOf(scene, geometry), context);
    },
    async run({ geometry, sceneId }, job) {
      const scene = await sceneOf(deps, sceneId, job.caller, job.signal);
      const request = imageryOf(scene, geometry);
      const { result } = await deps.maps.release.run(request, wholeJob(job));
      const document = await savedDocument(null, { polygon: polygonOf(scene, request.extent) }, job.signal);
      const analysisId = newAnalysisId();
      const maps = await boundMaps(deps.maps.bindMap, result.maps, analysisId);
      return {
        result: { analysisFrameId: "", analysisId },
        commit: async (trx) => {
          await insertNew(trx, job.caller, {
            id: analysisId,
            path: "",
            isPublic: false,
            document,
            at: deps.clock.now(),
          });
          await insertRun(trx, job.pipelineId, analysisId);
          await recordReleased(trx, job, { maps });
          const made = { innerPolygonId: null, release: { maps, failed: result.failed } };
          const { pipelineId } = job;
          const [frame] = await mergeFrames(deps, trx, { analysisId, scenes: [scene], made, pipelineId });
          if (frame === undefined) throw new Error("one scene has one frame");
          return { analysisFrameId: frame.id, analysisId };
        },
      };
    },
  };
}

async function sceneOf({ imagery }: FramesDeps, sceneId: string, caller: Caller, signal: AbortSignal): Promise<Scene> {
  const scene = await imagery.seenBy(caller).catalogueScene(sceneId, signal);
  if (scene === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
  return scene;
}

interface ImageryRequest {
  readonly mapTypes: string[];
  readonly sceneIds: string[];
  readonly extent: GeoJson;
}

function imageryOf({ footprint, sceneId }: Scene, geometry: GeoJson | undefined): ImageryRequest {
  return { mapTypes: [SPAWNED_MAP_TYPE], sceneIds: [sceneId], extent: geometry ?? footprint };
}

function polygonOf({ sceneId }: Scene, extent: GeoJson) {
  const geometry = { type: "MultiPolygon" as const, coordinates: areaParts(extent) };
  return { type: "Feature" as const, geometry, properties: { name: sceneId } };
}
