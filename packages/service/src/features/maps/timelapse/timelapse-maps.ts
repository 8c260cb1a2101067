import type { Scene } from "@swath/kernel/scenes/scene";
import type { LeftOutScene, TimelapseRequest } from "@swath/contract/features/maps/timelapse-contract";
import type { PipelineJob } from "../../../platform/context.ts";
import { catalogueScenes } from "../catalogue-scenes.ts";
import type { LoadedMap, MapLoader } from "../grid-files/load-map.ts";
import { makeMaps, type MakeMapsDeps } from "../release/make-maps.ts";
import type { ReleasePlan } from "../release/release-plan.ts";
import { refuse } from "../statistics/refuse.ts";

export interface TimelapseMapsDeps extends MakeMapsDeps {
  readonly loadMap: MapLoader;
}

/** Maps to show, and scenes that are not shown. */
export interface TimelapseMaps {
  readonly maps: readonly LoadedMap[];
  readonly leftOut: readonly LeftOutScene[];
}

/** Existing maps. @throws {ServiceError} INVALID-MAP-ID; VALIDATION-ERROR for maps of several types */
export async function existingTimelapseMaps(
  { loadMap, signer }: Pick<TimelapseMapsDeps, "loadMap" | "signer">,
  signedMapIds: readonly string[],
  request: TimelapseRequest,
): Promise<TimelapseMaps> {
  const byId = new Map<string, LoadedMap>();
  for (const signed of signedMapIds) {
    const claims = await signer.verify(signed);
    if (!byId.has(claims.mapId)) byId.set(claims.mapId, await loadMap(claims, "-"));
  }
  const loaded = [...byId.values()];
  const types = [...new Set(loaded.map(({ mapType }) => mapType.id))];
  if (types.length > 1) refuse("/mapIds", `have the map types ${types.join(", ")}, expected one`);
  const clouds = cloudy(
    loaded.map(({ stored }) => stored.scene),
    request,
  );
  const ids = new Set(clouds.map(({ sceneId }) => sceneId));
  return { maps: loaded.filter(({ map }) => !ids.has(map.sceneId)), leftOut: clouds };
}

/** Maps of a plan, made as a release makes them. Pixels of scenes that are left out are not fetched. */
export async function madeTimelapseMaps(
  deps: TimelapseMapsDeps,
  plan: ReleasePlan,
  request: TimelapseRequest,
  job: PipelineJob,
): Promise<TimelapseMaps> {
  const scenes = await catalogueScenes(deps.imagery.seenBy(job.caller), plan.sceneIds, job.signal);
  const leftOut = [...cloudy([...scenes.values()], request)];
  const clouds = new Set(leftOut.map(({ sceneId }) => sceneId));
  const sceneIds = plan.sceneIds.filter((sceneId) => !clouds.has(sceneId));
  const { outcomes } = await makeMaps(deps, { ...plan, sceneIds }, job, () => Promise.resolve());
  const maps: LoadedMap[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === "succeeded") {
      maps.push(await deps.loadMap(await deps.signer.verify(outcome.mapId), "-"));
    } else leftOut.push({ sceneId: outcome.sceneId, reason: "FAILED", message: outcome.errorMessage });
  }
  return { maps, leftOut };
}

/** Scenes above the limit of the request. */
function cloudy(
  scenes: readonly Pick<Scene, "cloudCover" | "sceneId">[],
  { maxCloudCover = 1 }: TimelapseRequest,
): readonly LeftOutScene[] {
  return scenes.flatMap(({ sceneId, cloudCover }) =>
    cloudCover === undefined || cloudCover <= maxCloudCover
      ? []
      : [{ sceneId, reason: "CLOUD-COVER", message: cloudMessage(cloudCover, maxCloudCover) }],
  );
}

function cloudMessage(cover: number, most: number): string {
  return `${Math.round(100 * cover)} % of the scene are under cloud, expected at most ${Math.round(100 * most)} %`;
}
