import { createHash } from "node:crypto";
import { centroid } from "@swath/kernel/geometry/centroid";
import type { AreaGeometry } from "@swath/kernel/geometry/geojson";
import { localDatetime } from "@swath/kernel/scenes/local-datetime";
import type { Scene } from "@swath/kernel/scenes/scene";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { formatInstant, parseInstant } from "@swath/kernel/time/instant";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { BlobNotFoundError, type BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db, FileAnswer, FileRequest, PipelineJob, PipelineOutcome, Trx } from "../../platform/context.ts";
import { matchesEtag } from "../../platform/etag.ts";
import type { Log } from "@swath/base/log/log";
import type { ExportedImage, ExportJob } from "@swath/maps/export/export-job";
import type { Catalog } from "../../providers/catalog.ts";
import type { DatasetDescriptor } from "../../providers/provider.ts";
import type { CreditsService } from "../credits/service.ts";
import type { ImageryService } from "../imagery/service.ts";
import type { IngestionService } from "../ingestion/service.ts";
import {
  IMAGE_FILES,
  type GetImageRequest,
  type GetImageResult,
  type ImageFileName,
} from "@swath/contract/features/export/contract";
import { isFileSignature, signFile } from "./file-signature.ts";
import { catalogueGrid, storedGrid } from "./image-grid.ts";
import { imageScene, planImage } from "./plan-image.ts";
import { requestedImage, type RequestedImage } from "./requested-image.ts";
import * as store from "./store.ts";

/** Makes the files of an image: `exportInWorker`. */
export type ImageMaker = (job: ExportJob, signal: AbortSignal) => Promise<ExportedImage>;

export interface ExportService extends AsyncDisposable {
  /** Refuses an export that cannot succeed as far as that can be told without its pixels. */
  admit(request: GetImageRequest, caller: Caller, transaction: Trx, signal: AbortSignal): Promise<undefined>;
  run(request: GetImageRequest, job: PipelineJob): Promise<PipelineOutcome<GetImageResult>>;
  /** A file by its signed address. */
  file(
    request: FileRequest<
      { readonly pipelineId: string; readonly fileName: ImageFileName },
      { readonly expires: number; readonly signature: string }
    >,
  ): Promise<FileAnswer>;
  /** Removes files whose addresses have ended; the number of images. Also runs now and then by itself. */
  sweep(): Promise<number>;
}

export interface ExportServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly catalog: Pick<Catalog, "findDataset">;
  readonly imagery: Pick<ImageryService, "catalogueScene" | "known" | "stored">;
  readonly credits: Pick<CreditsService, "requireAllocated">;
  readonly ingestion: Pick<IngestionService, "ensureStored">;
  readonly makeImage: ImageMaker;
  /** Secret of the file addresses, at least 32 bytes, the same in all processes. */
  readonly signingKey: Uint8Array;
  readonly log: Log;
}

const ADDRESS_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** An export that has not ended after this long never will. */
const RUN_LIFETIME_MS = 7 * ADDRESS_LIFETIME_MS;
const SWEEP_EVERY_MS = 10 * 60 * 1000;
const SWEEP_BATCH = 50;
/** Of the files' layout, written into info.json. */
const VERSION = "1";
const MEDIA_TYPES: Readonly<Record<ImageFileName, string>> = {
  "image.ski": "application/gzip",
  "image.tif": "image/tiff",
  "image.png": "image/png",
};

function blobKey(pipelineId: string, fileName: ImageFileName): string {
  return `exports/${pipelineId}/${fileName}`;
}

function unknownScene(sceneId: string): ServiceError {
  return new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
}

/** The stored scene that already has everything an export needs, or null when something must be fetched first. */
function complete(stored: StoredScene | null, { tiles }: RequestedImage, isAllThereIs: boolean): StoredScene | null {
  if (stored === null || stored.raster.tiles === undefined) return stored;
  // Scenes of datasets without store tiles may be there in parts as well; which, ingestion knows.
  if (tiles === null) return isAllThereIs ? stored : null;
  const present = new Set(stored.raster.tiles.map(String));
  return tiles.every((tile) => present.has(String(tile))) ? stored : null;
}

function notInStore({ sceneId }: Scene): ServiceError {
  return new ServiceError("DATA-NOT-AVAILABLE", `what is asked of scene ${sceneId} is not in the store`);
}

export function createExportService(deps: ExportServiceDeps): ExportService {
  const { db, clock, blobs, catalog, imagery, credits, ingestion, makeImage, signingKey, log } = deps;

  const after = (ms: number): Date => new Date(clock.now().getTime() + ms);

  function exportable({ provider, dataset }: Scene): DatasetDescriptor {
    const descriptor = catalog.findDataset(provider, dataset)?.dataset;
    if (descriptor?.exportable === true) return descriptor;
    throw new ServiceError("UNSUPPORTED-IMAGERY", `pixels of the dataset ${dataset} cannot be exported`);
  }

  async function sceneOf(request: GetImageRequest, transaction: Trx, signal: AbortSignal): Promise<Scene> {
    const { sceneId } = request;
    if (parseSceneId(sceneId) === null) throw unknownScene(sceneId);
    const known = await imagery.known(sceneId, transaction);
    const scene = known ?? (request.onlyIngested === true ? null : await imagery.catalogueScene(sceneId, signal));
    if (scene === null) throw unknownScene(sceneId);
    return scene;
  }

  async function pixelsOf(
    request: GetImageRequest,
    job: PipelineJob,
  ): Promise<{ readonly stored: StoredScene; readonly image: RequestedImage }> {
    const { sceneId } = request;
    const there = await imagery.stored(sceneId);
    const scene = there?.scene ?? (await imagery.catalogueScene(sceneId, job.signal));
    if (scene === null) throw unknownScene(sceneId);
    const dataset = exportable(scene);
    const image = requestedImage(request, scene, dataset);
    const ready = complete(there, image, request.onlyIngested === true);
    if (ready !== null) return { stored: ready, image };
    if (request.onlyIngested === true) throw notInStore(scene);
    const stored = await ingestion.ensureStored({ sceneId, extent: image.extent, tiles: image.tiles }, job);
    // The footprint is now that of the pixels, and of a clipped child that of the part that was delivered.
    return { stored, image: requestedImage(request, stored.scene, dataset) };
  }

  /** Whether the whole rectangle is free or allocated; otherwise only what was checked at the start is delivered. */
  async function mayHave(caller: Caller, scene: Scene, extent: AreaGeometry): Promise<boolean> {
    const coordinates = extent.type === "Polygon" ? [extent.coordinates] : extent.coordinates;
    try {
      await credits.requireAllocated(caller, scene, { type: "MultiPolygon", coordinates });
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "CREDITS-ERROR") return false;
      throw error;
    }
  }

  async function keep(
    pipelineId: string,
    image: ExportedImage,
    signal: AbortSignal,
  ): Promise<readonly store.KeptFile[]> {
    const bodies = { "image.ski": image.ski, "image.tif": image.geotiff, "image.png": image.png };
    const files: store.KeptFile[] = [];
    for (const name of IMAGE_FILES) {
      const body = bodies[name];
      // oxlint-disable-next-line no-await-in-loop -- three files
      await blobs.put(blobKey(pipelineId, name), body, { signal });
      files.push({ name, sizeBytes: body.byteLength, hash: createHash("sha256").update(body).digest("base64url") });
    }
    return files;
  }

  const sweep = async (): Promise<number> => {
    const now = clock.now();
    const expired = await store.findExpiredImages(db, now, SWEEP_BATCH);
    for (const pipelineId of expired) {
      for (const name of IMAGE_FILES) {
        // oxlint-disable-next-line no-await-in-loop -- a bounded batch of clean-up work
        await blobs.delete(blobKey(pipelineId, name));
      }
      // oxlint-disable-next-line no-await-in-loop -- last, so that a crash before it repeats the rest
      await store.deleteImage(db, pipelineId, now);
    }
    return expired.length;
  };
  let sweeping: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep).catch((error: unknown) => {
      log.warn({ err: error }, "files of exported images could not be removed");
    });
  }, SWEEP_EVERY_MS);
  // Clean-up must not keep a process alive.
  timer.unref();

  return {
    async admit(request, caller, transaction, signal) {
      const scene = await sceneOf(request, transaction, signal);
      const dataset = exportable(scene);
      const image = requestedImage(request, scene, dataset);
      const stored = await imagery.stored(request.sceneId, transaction);
      const ready = complete(stored, image, request.onlyIngested === true);
      if (ready === null && request.onlyIngested === true) throw notInStore(scene);
      const grid = ready === null ? await catalogueGrid(scene) : storedGrid(ready.scene, ready.raster);
      const around = image.around ?? (ready === null ? scene.footprint : null);
      if (grid !== null) planImage(grid, around, request.resolution ?? null);
      await credits.requireAllocated(caller, scene, image.part, transaction);
      return undefined;
    },

    async run(request, job) {
      const { pipelineId, signal, baseUrl } = job;
      await job.report({ message: "Preparing analysis", step: 1 });
      const { stored, image } = await pixelsOf(request, job);
      const { scene, raster } = stored;
      const grid = storedGrid(scene, raster);
      const plan = planImage(grid, image.around, request.resolution ?? null);
      const meta = imageScene(withLocalDatetime(scene), grid, plan);
      await job.report({ message: "Analyzing", provider: scene.provider, step: 5 });
      await store.insertImage(db, { pipelineId, sceneId: scene.sceneId, expiresAt: after(RUN_LIFETIME_MS) });
      const whole = image.extent === null && image.tiles === null;
      const made = await makeImage(
        {
          meta,
          raster,
          bands: plan.bands,
          area: whole ? null : image.part,
          onlyArea: request.exportRaster !== undefined || !(await mayHave(job.caller, scene, plan.extent)),
          version: VERSION,
        },
        signal,
      );
      const files = await keep(pipelineId, made, signal);
      await job.report({ message: "Finalizing analysis", provider: scene.provider, step: 6 });
      const expires = Math.floor(after(ADDRESS_LIFETIME_MS).getTime() / 1000);
      const urlOf = (fileName: ImageFileName): string => {
        const signature = signFile(signingKey, { pipelineId, fileName, expires });
        return `${baseUrl}/imagery/get-image/files/${pipelineId}/${fileName}?expires=${expires}&signature=${signature}`;
      };
      const urls = { ski: urlOf("image.ski"), geotiff: urlOf("image.tif"), png: urlOf("image.png") };
      return {
        result: { extent: plan.extent, meta, url: urls.ski, urls, expires: formatInstant(expires * 1000) },
        commit: (trx) => store.finishImage(trx, pipelineId, files, new Date(expires * 1000)),
      };
    },

    async file({ params: { pipelineId, fileName }, query: { expires, signature }, headers }) {
      const isOurs = isFileSignature(signingKey, { pipelineId, fileName, expires }, signature);
      if (!isOurs || expires * 1000 <= clock.now().getTime()) {
        throw new ServiceError("NOT-AUTHORIZED", "the address of the file is wrong or has expired");
      }
      const image = await store.readImage(db, pipelineId);
      const file = image?.files.find(({ name }) => name === fileName);
      if (image === null || file === undefined) throw gone();
      const etag = `"${file.hash.slice(0, 27)}"`;
      const shared = { etag, "cache-control": "private, max-age=86400, immutable" };
      if (matchesEtag(headers["if-none-match"], etag)) return { status: 304, body: null, headers: shared };
      const suffix = fileName.slice("image".length);
      return {
        status: 200,
        mediaType: MEDIA_TYPES[fileName],
        body: await blobs.stream(blobKey(pipelineId, fileName)).catch((cause: unknown) => {
          throw cause instanceof BlobNotFoundError ? gone() : cause;
        }),
        contentLength: file.sizeBytes,
        // Scene identifiers are made of letters, digits, dots and dashes.
        headers: { ...shared, "content-disposition": `attachment; filename="${image.sceneId}${suffix}"` },
      };
    },

    sweep,

    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await sweeping;
    },
  };
}

function gone(): ServiceError {
  return new ServiceError("DATA-NOT-AVAILABLE", "the file is not kept any more: export the image again");
}

function withLocalDatetime(scene: Scene): Scene {
  const instant = parseInstant(scene.datetime);
  if (scene.localDatetime !== undefined || instant === null) return scene;
  return { ...scene, localDatetime: localDatetime(instant, centroid(scene.footprint)[0]) };
}
