import type { SigningKeys } from "../../platform/signed-text.ts";
import { centroid } from "@swath/kernel/geometry/centroid";
import type { AreaGeometry } from "@swath/kernel/geometry/geojson";
import { localDatetime } from "@swath/kernel/scenes/local-datetime";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { formatInstant, parseInstant } from "@swath/kernel/time/instant";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ExportedImage, ExportJob } from "@swath/maps/export/export-job";
import type { GetImageRequest, GetImageResult, ImageFileName } from "@swath/contract/features/export/contract";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type { Db, PipelineJob, PipelineOutcome } from "../../platform/context.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { CreditsService } from "../credits/service.ts";
import type { IngestionService } from "../ingestion/service.ts";
import { complete, exportable, missingPixels, unknownScene, type ExportableScenes } from "./exportable-scene.ts";
import { signFile } from "./file-signature.ts";
import { storedGrid } from "./image-grid.ts";
import { keepFiles } from "./image-files.ts";
import { imageScene, planImage } from "./plan-image.ts";
import { requestedExtent, requestedImage, type RequestedImage } from "./requested-image.ts";
import * as store from "./store.ts";

/** Makes the files of an image: `exportInWorker`. */
export type ImageMaker = (job: ExportJob, signal: AbortSignal) => Promise<ExportedImage>;

export interface ExportImageDeps extends ExportableScenes {
  readonly areas: Pick<Areas, "inStoreTiles" | "intersection" | "read">;
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly credits: Pick<CreditsService, "requireAllocated">;
  readonly ingestion: Pick<IngestionService, "ensureStored">;
  readonly makeImage: ImageMaker;
  /** Secret of the file addresses, at least 32 bytes, the same in all processes. */
  readonly signingKeys: SigningKeys;
}

const ADDRESS_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** An export that has not ended after this long never will. */
const RUN_LIFETIME_MS = 7 * ADDRESS_LIFETIME_MS;
/** Version of the files' layout, written into info.json. */
const VERSION = "1";

/** Makes the files of an image and answers their signed addresses. */
export async function exportImage(
  deps: ExportImageDeps,
  request: GetImageRequest,
  job: PipelineJob,
): Promise<PipelineOutcome<GetImageResult>> {
  const { db, clock } = deps;
  const { pipelineId, signal } = job;
  await job.report({ message: "Preparing analysis", step: 1 });
  const { stored, image } = await pixelsOf(deps, request, job);
  const { scene, raster } = stored;
  const grid = storedGrid(scene, raster);
  const plan = planImage(grid, image.around, request.resolution ?? null);
  const meta = imageScene(withLocalDatetime(scene), grid, plan);
  await job.report({ message: "Analyzing", provider: scene.provider, step: 5 });
  const abandonedAt = new Date(clock.now().getTime() + RUN_LIFETIME_MS);
  await store.insertImage(db, { pipelineId, sceneId: scene.sceneId, expiresAt: abandonedAt });
  const whole = image.extent === null && image.tiles === null;
  const onlyArea = request.exportRaster !== undefined || !(await mayHave(deps, job, scene, plan.extent));
  const made = await deps.makeImage(
    { meta, raster, bands: plan.bands, area: whole ? null : image.part, onlyArea, version: VERSION },
    signal,
  );
  const files = await keepFiles(deps.blobs, pipelineId, made, signal);
  await job.report({ message: "Finalizing analysis", provider: scene.provider, step: 6 });
  const expires = Math.floor((clock.now().getTime() + ADDRESS_LIFETIME_MS) / 1000);
  const urls = signedUrls(deps.signingKeys, { baseUrl: job.baseUrl, pipelineId, expires });
  return {
    result: { extent: plan.extent, meta, url: urls.ski, urls, expires: formatInstant(expires * 1000) },
    commit: (trx) => store.finishImage(trx, pipelineId, files, new Date(expires * 1000)),
  };
}

/** The stored pixels and the part that the request names. Fetches missing pixels. */
async function pixelsOf(
  deps: ExportImageDeps,
  request: GetImageRequest,
  job: PipelineJob,
): Promise<{ readonly stored: StoredScene; readonly image: RequestedImage }> {
  const { areas, ingestion } = deps;
  const seen = deps.imagery.seenBy(job.caller);
  const { sceneId } = request;
  const there = await seen.stored(sceneId);
  const scene = there?.scene ?? (await seen.catalogueScene(sceneId, job.signal));
  if (scene === null) throw unknownScene(sceneId);
  const dataset = exportable(deps, scene);
  const extent = await requestedExtent(areas, request, job.signal);
  const image = await requestedImage(areas, request, { scene, dataset, extent }, job.signal);
  const ready = complete(there, image, request.onlyIngested === true);
  if (ready !== null) return { stored: ready, image };
  if (request.onlyIngested === true) throw missingPixels(scene);
  const stored = await ingestion.ensureStored({ sceneId, extent: image.extent, tiles: image.tiles }, job);
  // The footprint may have changed: it is the outline of the pixels now, or of a clipped child.
  const subject = { scene: stored.scene, dataset, extent };
  return { stored, image: await requestedImage(areas, request, subject, job.signal) };
}

/** Whether the whole rectangle is free or allocated; otherwise only the area checked at the start is delivered. */
async function mayHave(
  { credits }: ExportImageDeps,
  { caller, signal }: Pick<PipelineJob, "caller" | "signal">,
  scene: Scene,
  extent: AreaGeometry,
): Promise<boolean> {
  const coordinates = extent.type === "Polygon" ? [extent.coordinates] : extent.coordinates;
  try {
    await credits.requireAllocated(caller, [scene], { type: "MultiPolygon", coordinates }, { signal });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "CREDITS-ERROR") return false;
    throw error;
  }
}

function signedUrls(
  signingKeys: SigningKeys,
  { baseUrl, pipelineId, expires }: { readonly baseUrl: string; readonly pipelineId: string; readonly expires: number },
): GetImageResult["urls"] {
  const urlOf = (fileName: ImageFileName): string => {
    const signature = signFile(signingKeys, { pipelineId, fileName, expires });
    return `${baseUrl}/imagery/get-image/files/${pipelineId}/${fileName}?expires=${expires}&signature=${signature}`;
  };
  return { ski: urlOf("image.ski"), geotiff: urlOf("image.tif"), png: urlOf("image.png") };
}

function withLocalDatetime(scene: Scene): Scene {
  const instant = parseInstant(scene.datetime);
  if (scene.localDatetime !== undefined || instant === null) return scene;
  return { ...scene, localDatetime: localDatetime(instant, centroid(scene.footprint)[0]) };
}
