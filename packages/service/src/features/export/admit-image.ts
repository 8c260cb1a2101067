import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { GetImageRequest } from "@swath/contract/features/export/contract";
import type { Caller } from "../../platform/context.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { CreditsService } from "../credits/service.ts";
import type { SceneView } from "../imagery/service.ts";
import { complete, exportable, missingPixels, unknownScene, type ExportableScenes } from "./exportable-scene.ts";
import { catalogueGrid, storedGrid } from "./image-grid.ts";
import { planImage } from "./plan-image.ts";
import { requestedExtent, requestedImage } from "./requested-image.ts";

export interface AdmitImageDeps extends ExportableScenes {
  readonly areas: Pick<Areas, "inStoreTiles" | "intersection" | "read">;
  readonly credits: Pick<CreditsService, "requireAllocated">;
}

/** Refuses an export that fails for reasons known without its pixels, before a transaction begins. */
export async function admitImage(
  deps: AdmitImageDeps,
  request: GetImageRequest,
  caller: Caller,
  signal: AbortSignal,
): Promise<void> {
  const { areas, credits } = deps;
  const seen = deps.imagery.seenBy(caller);
  const extent = await requestedExtent(areas, request, signal);
  const scene = await sceneOf(seen, request, signal);
  const image = await requestedImage(areas, request, { scene, dataset: exportable(deps, scene), extent }, signal);
  const stored = await seen.stored(request.sceneId);
  const ready = complete(stored, image, request.onlyIngested === true);
  if (ready === null && request.onlyIngested === true) throw missingPixels(scene);
  const grid = ready === null ? await catalogueGrid(scene) : storedGrid(ready.scene, ready.raster);
  const around = image.around ?? (ready === null ? scene.footprint : null);
  if (grid !== null) planImage(grid, around, request.resolution ?? null);
  await credits.requireAllocated(caller, [scene], image.part, { signal });
}

async function sceneOf(seen: SceneView, request: GetImageRequest, signal: AbortSignal): Promise<Scene> {
  const { sceneId } = request;
  if (parseSceneId(sceneId) === null) throw unknownScene(sceneId);
  const known = await seen.known(sceneId);
  const scene = known ?? (request.onlyIngested === true ? null : await seen.catalogueScene(sceneId, signal));
  if (scene === null) throw unknownScene(sceneId);
  return scene;
}
