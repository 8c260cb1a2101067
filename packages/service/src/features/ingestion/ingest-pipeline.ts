import { createHash } from "node:crypto";
import type { StateVector } from "@swath/kernel/orbits/state-vector";
import { parseSceneId, sceneId } from "@swath/kernel/scenes/scene-id";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type { Db, PipelineJob, PipelineOutcome, Trx } from "../../platform/context.ts";
import type { Log } from "@swath/base/log/log";
import type { UploadJob } from "@swath/raster/store/read-upload";
import type { SceneDraft } from "@swath/raster/store/scene-draft";
import type { WorkFolders } from "../../platform/uploads/work-folders.ts";
import { hashFile } from "@swath/base/hash-file";
import type { Catalog } from "../../providers/catalog.ts";
import type { ImageryService } from "../imagery/service.ts";
import { audienceFor, ownerKey } from "../imagery/visibility.ts";
import type { IngestAnswer, IngestRequest } from "@swath/contract/features/ingestion/contract";
import { buildScene } from "./build-scene.ts";
import { ingestTarget, type IngestTarget } from "./ingest-target.ts";
import { describeScene } from "./describe-scene.ts";
import { storeBands } from "./store-bands.ts";
import { blobKeyOf, uploadIdOf } from "./upload-path.ts";
import { failureOfUpload } from "./use-upload.ts";
import * as store from "./store.ts";

export type IngestResult = Static<typeof IngestAnswer>;

/** Turns the bytes of an upload into COGs in a folder: `UploadProcesses.read`. */
export type UploadReader = (
  job: UploadJob,
  signal: AbortSignal,
  onProgress: (share: number) => void,
) => Promise<SceneDraft>;

/** Keeps the orbits of complex radar scenes, which are registered in the same transaction. */
export interface OrbitKeeper {
  keepStateVectors(trx: Trx, sceneId: string, vectors: readonly StateVector[]): Promise<void>;
}

export interface IngestDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly imagery: Pick<ImageryService, "findByContentHash" | "known" | "register" | "revive" | "stored">;
  readonly orbits: OrbitKeeper;
  readonly catalog: Pick<Catalog, "findDataset" | "findProvider">;
  readonly folders: WorkFolders;
  readonly readUpload: UploadReader;
  readonly log: Log;
}

/** Characters of the content hash in a scene identifier: 128 bits. */
const HASH_CHARACTERS = 32;

/**
 * Runs one ingest. Everything it writes carries the pipeline and the number of the run: a run after a crash removes
 * what the one before left, and neither a run that has lost its pipeline nor another pipeline with the same bytes
 * touches blobs that count.
 */
export async function runIngest(
  deps: IngestDeps,
  request: Static<typeof IngestRequest>,
  job: PipelineJob,
): Promise<PipelineOutcome<IngestResult>> {
  const { provider, dataset, takes } = ingestTarget(request, deps.catalog);
  const upload = await store.findUpload(deps.db, uploadIdOf(request.filepath) ?? "");
  if (upload !== null && upload.sceneId !== null && belongsTo(upload.sceneId, provider, dataset)) {
    return { result: { ingestedScenes: [await duplicateOf(deps, upload.sceneId)] } };
  }
  if (upload === null || upload.status !== "complete") {
    throw new ServiceError("NON-EXISTENT-UPLOAD", `the bytes of ${request.filepath} are not there any more`);
  }
  const uploadKey = blobKeyOf(upload);
  const folder = await deps.folders.create(job.pipelineId, job.attempt);
  using guard = deps.folders.guard(folder, job.signal);
  let prefix: string | null = null;
  try {
    await job.report({ message: "Preparing analysis", provider, step: 1 });
    const path = await deps.folders.localCopy(deps.blobs, uploadKey, folder, guard.signal);
    const contentHash = await hashFile(path, guard.signal);
    const owner = ownerKey(job.caller);
    const content = { provider, dataset, contentHash, owner };
    const known = await deps.imagery.findByContentHash(deps.db, content);
    const scene = sceneId(provider, dataset, ownedHash(contentHash, owner));
    // Of all runs of this pipeline: a crash may have cut an earlier one short.
    await deletePrefix(deps.blobs, `scenes/${scene}/${job.pipelineId}-`);
    if (known !== null) {
      return await duplicateOutcome(deps, upload.uploadId, known);
    }
    const audience = audienceFor(request.visibility ?? "group", owner, job.caller.organizationId ?? null);
    prefix = `scenes/${scene}/${job.pipelineId}-${job.attempt}/`;

    const share = progressReporter(job, provider);
    const draft = await deps.readUpload(
      {
        path,
        name: upload.filename + upload.suffix,
        suffix: upload.suffix,
        document: request.metadata ?? null,
        requireDatetime: request.requireDatetime === true,
        ingestedAtMs: deps.clock.now().getTime(),
        folder,
      },
      guard.signal,
      share,
    );
    await guard.check();
    checkKind(draft, takes, dataset);
    noteResidual(deps.log, job, draft);
    await job.report({ message: "Finalizing analysis", provider, step: 5 });
    const keys = await storeBands(deps.blobs, draft, prefix, guard.signal);
    const stored = uploadedScene(draft, buildScene(draft, { sceneId: scene, provider, dataset, contentHash }, keys));
    const raster = draft.product === undefined ? stored.raster : null;
    const described = describeScene(stored.scene, raster, draft.metadata.unread);
    return {
      result: { ingestedScenes: [{ duplicate: false, sceneId: scene, ...described }] },
      commit: async (trx) => {
        await store.lockContent(trx, `${provider} ${dataset} ${contentHash} ${owner}`);
        if ((await deps.imagery.findByContentHash(trx, content)) !== null) {
          // Another pipeline was faster with the same bytes: run again, and find its scene.
          throw new ServiceError("SERVICE-UNAVAILABLE", "the same file is being ingested by another pipeline");
        }
        await deps.imagery.register(trx, { ...stored, raster, rights: { owner, audience } });
        if (draft.product !== undefined) {
          await deps.orbits.keepStateVectors(trx, scene, draft.product.stateVectors);
        }
        await store.useUpload(trx, upload.uploadId, scene);
      },
    };
  } catch (error) {
    if (prefix !== null) await deletePrefix(deps.blobs, prefix);
    throw failureOfUpload(upload.uploadId, error, job.signal);
  } finally {
    await deps.folders.remove(folder);
  }
}

function noteResidual(log: Log, { pipelineId }: PipelineJob, { residualPx }: SceneDraft): void {
  if (residualPx > 0) log.info({ pipelineId, residualPx }, "placed by ground control points");
}

/** The scene with the members that uploads alone have. */
function uploadedScene({ metadata }: SceneDraft, built: StoredScene): StoredScene {
  const { datetimeSource, sensor } = metadata;
  return { ...built, scene: { ...built.scene, datetimeSource, ...(sensor === undefined ? {} : { sensor }) } };
}

/** Bytes that were ingested before have a scene, which may be deleted. */
async function duplicateOutcome(
  deps: IngestDeps,
  uploadId: string,
  { sceneId: known, isDeleted }: { readonly sceneId: string; readonly isDeleted: boolean },
): Promise<PipelineOutcome<IngestResult>> {
  return {
    result: { ingestedScenes: [await duplicateOf(deps, known, isDeleted)] },
    commit: async (trx) => {
      if (isDeleted) await deps.imagery.revive(trx, known);
      await store.useUpload(trx, uploadId, known);
    },
  };
}

/** The answer for bytes that were ingested before: their scene, restored where it was deleted. */
async function duplicateOf({ imagery }: IngestDeps, known: string, isDeleted = false) {
  const stored = await imagery.stored(known);
  const scene = stored?.scene ?? (await imagery.known(known));
  const restored = { code: "SCENE-RESTORED", message: "The scene was deleted; it is restored as it was" } as const;
  const described = scene === null ? {} : describeScene(scene, stored?.raster ?? null, [], isDeleted ? [restored] : []);
  return { duplicate: true, sceneId: known, ...described };
}

/** @throws {ServiceError} BAD-REQUEST when the dataset does not take what the upload turned out to be */
function checkKind({ product }: SceneDraft, takes: IngestTarget["takes"], dataset: string): void {
  if (product !== undefined && !takes.slcProducts) {
    throw new ServiceError(
      "BAD-REQUEST",
      `the archive is a complex Sentinel-1 product, which dataset ${dataset} does not take; expected provider esa`,
    );
  }
  if (product === undefined && !takes.rasters) {
    throw new ServiceError(
      "BAD-REQUEST",
      `dataset ${dataset} takes Sentinel-1 SLC products only, expected a zip with annotation/s1?-*-slc-*.xml`,
    );
  }
}

/** Groups that ingest the same bytes have a scene each: the identifier does not depend on the bytes alone. */
function ownedHash(contentHash: string, owner: string): string {
  return createHash("sha256").update(`${owner}\n${contentHash}`).digest("hex").slice(0, HASH_CHARACTERS);
}

function belongsTo(scene: string, provider: string, dataset: string): boolean {
  const parts = parseSceneId(scene);
  return parts !== null && parts.provider === provider && parts.dataset === dataset;
}

/** Steps 2 to 4 while pixels are worked on; told at most once per step. */
function progressReporter(job: PipelineJob, provider: string): (share: number) => void {
  let told = 1;
  return (share) => {
    const step = Math.min(2 + Math.floor(share * 3), 4);
    if (step <= told) return;
    told = step;
    // A courtesy that must not stop the work; the report itself never rejects.
    void job.report({ message: "Analyzing", provider, step });
  };
}

async function deletePrefix(blobs: BlobStore, prefix: string): Promise<void> {
  for await (const { key } of blobs.list(prefix)) await blobs.delete(key);
}
