import { createHash } from "node:crypto";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { FileAnswer } from "../../platform/sent-file.ts";
import { matchesEtag } from "../../platform/etag.ts";
import { sceneRecord, type FindSceneDeps } from "./find-scene.ts";
import type { SourceThumbnails } from "./source-thumbnail.ts";
import { negotiateThumbnail, type ThumbnailRenderer } from "./thumbnail.ts";

export interface SceneThumbnailDeps extends FindSceneDeps {
  readonly thumbnails: ThumbnailRenderer;
  readonly sourceThumbnails: SourceThumbnails;
}

/** A picture of the pixels in the store, or else the picture of the source. @throws {ServiceError} DATA-NOT-AVAILABLE */
export async function sceneThumbnail(
  deps: SceneThumbnailDeps,
  sceneId: string,
  headers: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<FileAnswer> {
  const { scene, raster, contentHash } = await sceneRecord(deps, sceneId, signal);
  const registered = deps.catalog.findDataset(scene.provider, scene.dataset);
  if (registered?.dataset.thumbnail !== true) {
    throw new ServiceError("DATA-NOT-AVAILABLE", `dataset ${scene.dataset} has no thumbnails`);
  }
  // The source has the whole picture of a scene that is in the store in parts.
  if (raster === null || raster.tiles !== undefined) {
    const answer = await deps.sourceThumbnails.answer(scene, headers["if-none-match"], signal);
    if (answer !== null) return answer;
  }
  if (raster === null) throw new ServiceError("DATA-NOT-AVAILABLE", `scene ${sceneId} has no thumbnail`);
  const mediaType = negotiateThumbnail(headers["accept"]);
  const hash = createHash("sha256")
    .update(`${sceneId}\n${contentHash ?? ""}\n${mediaType}`)
    .digest("base64url");
  const etag = `"${hash.slice(0, 27)}"`;
  const shared = { etag, vary: "accept", "cache-control": "private, max-age=86400" };
  if (matchesEtag(headers["if-none-match"], etag)) return { status: 304, body: null, headers: shared };
  const body = await deps.thumbnails.render({ scene, raster, contentHash: contentHash ?? "" }, mediaType);
  return { status: 200, mediaType, body, contentLength: body.byteLength, headers: shared };
}
