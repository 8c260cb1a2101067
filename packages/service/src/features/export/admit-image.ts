import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { GetImageRequest } from "@swath/contract/features/export/contract";
import type { Caller, Trx } from "../../platform/context.ts";
import type { CreditsService } from "../credits/service.ts";
import type { SceneView } from "../imagery/service.ts";
import { complete, exportable, missingPixels, unknownScene, type ExportableScenes } from "./exportable-scene.ts";
import { catalogueGrid, storedGrid } from "./image-grid.ts";
import { planImage } from "./plan-image.ts";
import { requestedImage } from "./requested-image.ts";

export interface AdmitImageDeps extends ExportableScenes {
  readonly credits: Pick<CreditsService, "requireAllocated">;
}

/** Refuses an export that fails for reasons known without its pixels. */
export async function admitImage(
  deps: AdmitImageDeps,
  request: GetImageRequest,
  caller: Caller,
  transaction: Trx,
  signal: AbortSignal,
): Promise<void> {
  const { credits } = deps;
  const seen = deps.imagery.seenBy(caller);
  const scene = await sceneOf(seen, request, transaction, signal);
  const image = requestedImage(request, scene, exportable(deps, scene));
  const stored = await seen.stored(request.sceneId, transaction);
  const ready = complete(stored, image, request.onlyIngested === true);
  if (ready === null && request.onlyIngested === true) throw missingPixels(scene);
  const grid = ready === null ? await catalogueGrid(scene) : storedGrid(ready.scene, ready.raster);
  const around = image.around ?? (ready === null ? scene.footprint : null);
  if (grid !== null) planImage(grid, around, request.resolution ?? null);
  await credits.requireAllocated(caller, scene, image.part, transaction);
}

async function sceneOf(
  seen: SceneView,
  request: GetImageRequest,
  transaction: Trx,
  signal: AbortSignal,
): Promise<Scene> {
  const { sceneId } = request;
  if (parseSceneId(sceneId) === null) throw unknownScene(sceneId);
  const known = await seen.known(sceneId, transaction);
  const scene = known ?? (request.onlyIngested === true ? null : await seen.catalogueScene(sceneId, signal));
  if (scene === null) throw unknownScene(sceneId);
  return scene;
}
