import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { isStoreTile } from "@swath/kernel/tiles/store-tile";
import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type {
  Caller,
  Db,
  FileAnswer,
  FileRequest,
  PipelineHandler,
  PipelineJob,
  PipelineOutcome,
  RequestContext,
  Trx,
} from "../../platform/context.ts";
import type { Log } from "@swath/base/log/log";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { PipelineService } from "../../platform/queue/pipeline-service.ts";
import type { UploadFolder } from "../../platform/uploads/upload-folder.ts";
import type { WorkFolders } from "../../platform/uploads/work-folders.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { findDataset, findProvider } from "../../providers/registry.ts";
import { requestedArea } from "../../platform/requested-area.ts";
import type { ImageryService } from "../imagery/service.ts";
import { ingestionContract } from "@swath/contract/features/ingestion/contract";
import type {
  FetchSceneRequest,
  IngestRequest,
  UploadAnswer,
  UploadRequest,
} from "@swath/contract/features/ingestion/contract";
import { ensureStored, FETCH_KIND, type EnsuredScene, type StoreJob, type StoreRequest } from "./ensure-stored.ts";
import { fetchScene, type FetchRequest, type SceneCatalogue, type SourceLookup } from "./fetch-scene.ts";
import { runIngest } from "./ingest-pipeline.ts";
import type { RequestedPart } from "./ingest-need.ts";
import type { IngestResult, OrbitKeeper, UploadReader } from "./ingest-pipeline.ts";
import { ingestTarget } from "./ingest-target.ts";
import { receiveUpload } from "./receive-upload.ts";
import { blobKeyOf, filepathOf, newUploadId, uploadIdOf } from "./upload-path.ts";
import { signUpload } from "./upload-token.ts";
import { sweepOnDemand } from "./sweep-on-demand.ts";
import * as store from "./store.ts";

type Ingest = Static<typeof IngestRequest>;
type FetchScene = Static<typeof FetchSceneRequest>;

export interface IngestionService extends AsyncDisposable {
  /** Promises a place for a file. */
  requestUpload(request: Static<typeof UploadRequest>, context: RequestContext): Promise<Static<typeof UploadAnswer>>;
  /** Takes bytes of a promised file. */
  putUpload(
    request: FileRequest<{ readonly uploadId: string }, { readonly expires: number; readonly signature: string }>,
    context: RequestContext,
  ): Promise<FileAnswer>;
  /** Checks an ingest request in the transaction that accepts it. */
  admit(request: Ingest, caller: Caller, transaction: Trx): Promise<undefined>;
  run(request: Ingest, job: PipelineJob): Promise<PipelineOutcome<IngestResult>>;
  /** Accepts an ingest and waits for its end. */
  ingestAndWait(request: Ingest, context: RequestContext): Promise<IngestResult>;
  /**
   * The scene with the requested pixels in the store, fetched from its source when they are not, once for all who ask
   * at the same time. Of datasets that are delivered cut the answer is a clipped child. `extent` and `tiles` null ask
   * for the whole scene. See `ensureStored` in ensure-stored.ts for what it throws.
   */
  ensureStored(request: StoreRequest, job: StoreJob): Promise<StoredScene>;
  /** Checks a request to ingest from a provider. */
  admitFetch(request: FetchScene): Promise<undefined>;
  runFetch(request: FetchScene, job: PipelineJob): Promise<PipelineOutcome<IngestResult>>;
  /**
   * Handlers of the pipelines that fetch scenes, for a worker of their own: the pipelines that wait for them must not
   * take the places that they need.
   */
  readonly fetchHandlers: ReadonlyMap<string, PipelineHandler<FetchRequest, unknown>>;
  /** Removes uploads whose time is over, with all their bytes; the number removed. Also runs now and then by itself. */
  sweep(): Promise<number>;
}

export interface IngestionServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly imagery: Pick<ImageryService, "findByContentHash" | "keepPixels" | "register" | "stored"> & SceneCatalogue;
  readonly orbits: OrbitKeeper;
  readonly pipelines: Pick<PipelineService, "enqueue" | "retrieve" | "status" | "waitFor">;
  /** Where scenes are fetched from. */
  readonly sources: SourceLookup;
  /** The configured datasets; all unless given. */
  readonly catalog?: Pick<Catalog, "findDataset" | "findProvider">;
  /** Partial uploads of this process. */
  readonly uploads: UploadFolder;
  /** Temporary folders of running ingests. */
  readonly folders: WorkFolders;
  /** Usually `readUploadInWorker`. */
  readonly readUpload: UploadReader;
  /** Secret of the upload addresses, at least 32 bytes, the same in all processes. */
  readonly signingKey: Uint8Array;
  readonly maxUploadBytes: number;
  readonly log: Log;
  /** How long the synchronous operation waits, milliseconds; 5 minutes unless given. */
  readonly waitMs?: number;
}

/** An upload address is good for an hour. */
const ADDRESS_LIFETIME_MS = 60 * 60 * 1000;
/** A complete upload waits this long for its ingest. */
const COMPLETE_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Bytes that a queued ingest needs stay at least this long. */
const QUEUED_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_OPEN_UPLOADS = 100;
const SWEEP_BATCH = 50;
const SWEEP_EVERY_MS = 10 * 60 * 1000;
/** Pause before bytes that were used are removed. */
const USED_BYTES_MS = 1000;
const DEFAULT_WAIT_MS = 5 * 60 * 1000;
const RETRY_AFTER_S = 5;
/** No latitude is left out: scenes of the poles exist. */
const MAX_LATITUDE_DEG = 90;
const KIND = ingestionContract.ingestScenePipeline.path;

export function createIngestionService(deps: IngestionServiceDeps): IngestionService {
  const { db, clock, blobs, pipelines, uploads, catalog = { findDataset, findProvider } } = deps;
  /** Uploads that a request of this process is writing. */
  const receiving = new Set<string>();

  const after = (ms: number): Date => new Date(clock.now().getTime() + ms);

  const removeUsedBytes = async (): Promise<void> => {
    for (const upload of await store.findUsedUploads(db, SWEEP_BATCH)) {
      // oxlint-disable-next-line no-await-in-loop -- a bounded batch of clean-up work
      await blobs.delete(blobKeyOf(upload));
      // oxlint-disable-next-line no-await-in-loop
      await store.forgetBytes(db, upload.uploadId);
    }
  };

  const sweep = async (): Promise<number> => {
    await removeUsedBytes();
    await sweepOnDemand(deps);
    const expired = await store.findExpiredUploads(db, clock.now(), SWEEP_BATCH);
    for (const upload of expired) {
      if (receiving.has(upload.uploadId)) continue;
      // oxlint-disable-next-line no-await-in-loop -- a bounded batch of clean-up work
      await uploads.discard(upload.uploadId);
      // oxlint-disable-next-line no-await-in-loop
      await blobs.delete(blobKeyOf(upload));
      // oxlint-disable-next-line no-await-in-loop -- last, so that a crash before it repeats the rest
      await store.deleteUpload(db, upload.uploadId);
    }
    // Partial files whose rows another process has swept.
    for (const uploadId of await uploads.idleSince(clock.now().getTime() - COMPLETE_LIFETIME_MS)) {
      // oxlint-disable-next-line no-await-in-loop
      if (!receiving.has(uploadId)) await uploads.discard(uploadId);
    }
    return expired.length;
  };

  /** One sweep at a time, in the background. */
  let sweeping: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  const sweepIn = (ms: number): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      sweeping = sweeping.then(sweep).catch((error: unknown) => {
        deps.log.warn({ err: error }, "bytes of uploads could not be removed");
      });
      sweepIn(SWEEP_EVERY_MS);
    }, ms);
    // Clean-up must not keep a process alive.
    timer.unref();
  };
  sweepIn(SWEEP_EVERY_MS);

  const admit = async (request: Ingest, caller: Caller, transaction: Trx): Promise<undefined> => {
    ingestTarget(request, catalog);
    const uploadId = uploadIdOf(request.filepath);
    const upload = uploadId === null ? null : await store.findUpload(transaction, uploadId);
    const isOwn =
      upload !== null &&
      (upload.userId === caller.userId || (upload.groupId !== "" && upload.groupId === caller.groupId));
    if (upload === null || !isOwn || filepathOf(upload) !== request.filepath || isRefused(upload)) {
      throw new ServiceError(
        "NON-EXISTENT-UPLOAD",
        `there is no upload ${request.filepath}; it may have been ingested or have expired`,
      );
    }
    if (upload.status === "open") {
      throw new ServiceError(
        "CONFLICT",
        `the bytes of ${request.filepath} have not all arrived: ${upload.sizeBytes} are expected`,
      );
    }
    await store.prolongUpload(transaction, upload.uploadId, after(QUEUED_LIFETIME_MS));
  };

  const ensure = (request: StoreRequest, job: StoreJob): Promise<EnsuredScene> =>
    ensureStored({ ...deps, catalog }, request, job);

  return {
    async requestUpload({ uploadSuffix, size, filename }, { caller, baseUrl }) {
      if (size > deps.maxUploadBytes) {
        throw new ServiceError(
          "PAYLOAD-TOO-LARGE",
          `the file has ${size} bytes, expected at most ${deps.maxUploadBytes}`,
        );
      }
      if ((await store.countOpenUploads(db, caller.userId, clock.now())) >= MAX_OPEN_UPLOADS) {
        throw new ServiceError(
          "TOO-MANY-REQUESTS",
          `${MAX_OPEN_UPLOADS} uploads of yours are open, finish them first`,
          {
            retryAfterS: 60,
          },
        );
      }
      const expiresAt = after(ADDRESS_LIFETIME_MS);
      const upload: store.Upload = {
        uploadId: newUploadId(),
        userId: caller.userId,
        groupId: caller.groupId,
        filename,
        suffix: uploadSuffix,
        sizeBytes: size,
        status: "open",
        sceneId: null,
        expiresAt,
      };
      await store.insertUpload(db, upload, clock.now());
      const expires = Math.floor(expiresAt.getTime() / 1000);
      const signature = signUpload(deps.signingKey, upload.uploadId, expires);
      return {
        filepath: filepathOf(upload),
        url: `${baseUrl}/imagery/ingest-scene/upload/${upload.uploadId}?expires=${expires}&signature=${signature}`,
      };
    },

    putUpload: (request, context) =>
      receiveUpload(
        {
          db,
          clock,
          blobs,
          uploads,
          signingKey: deps.signingKey,
          receiving,
          keepUntil: () => after(COMPLETE_LIFETIME_MS),
        },
        request,
        context.signal,
      ),

    admit,

    async run(request, job) {
      try {
        return await runIngest({ ...deps, catalog }, request, job);
      } finally {
        // After the transaction that follows; earlier would do no harm, there would only be nothing to remove yet.
        sweepIn(USED_BYTES_MS);
      }
    },

    async ingestAndWait(request, { caller, baseUrl, signal }) {
      const { pipelineId } = await inTransaction(db, async (transaction) => {
        await admit(request, caller, transaction);
        return pipelines.enqueue(transaction, { kind: KIND, request, caller, baseUrl });
      });
      const status = await pipelines.waitFor(pipelineId, signal, deps.waitMs ?? DEFAULT_WAIT_MS);
      if (status === "NEW" || status === "PROCESSING") {
        throw new ServiceError(
          "SERVICE-UNAVAILABLE",
          `the file is still being ingested: ask ${KIND}/retrieve for pipeline ${pipelineId}`,
          { retryAfterS: RETRY_AFTER_S },
        );
      }
      const result = await pipelines.retrieve({ kind: KIND, pipelineId, caller, allowPartial: false });
      // What this pipeline's own run returned, through JSON.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return result as IngestResult;
    },

    ensureStored: async (request, job) => (await ensure(request, job)).stored,

    admitFetch: async (request) => {
      requestedPart(request);
      return undefined;
    },

    async runFetch(request, job) {
      const { stored, wasThere } = await ensure({ sceneId: request.sceneId, ...requestedPart(request) }, job);
      return { result: { ingestedScenes: [{ duplicate: wasThere, sceneId: stored.scene.sceneId }] } };
    },

    fetchHandlers: new Map([[FETCH_KIND, { run: (request: FetchRequest, job) => fetchScene(deps, request, job) }]]),

    sweep,

    async [Symbol.asyncDispose]() {
      if (timer !== null) clearTimeout(timer);
      await sweeping;
    },
  };
}

/** @throws {ServiceError} VALIDATION-ERROR */
function requestedPart({ extent, tiles }: FetchScene): RequestedPart {
  const bad = tiles?.findIndex((tile) => !isStoreTile(tile)) ?? -1;
  if (bad >= 0) {
    const message = "is no index of a store tile";
    throw new ServiceError("VALIDATION-ERROR", `tiles ${bad} ${message}`, {
      details: [{ path: `/tiles/${bad}`, message }],
    });
  }
  return {
    extent:
      extent === undefined
        ? null
        : requestedArea(extent, { path: "/extent", maxLatitudeDeg: MAX_LATITUDE_DEG, sceneCount: 1 }),
    tiles: tiles ?? null,
  };
}

/** Whether the bytes were found to be at fault. */
function isRefused(upload: store.Upload): boolean {
  return (upload.status === "used" || upload.status === "gone") && upload.sceneId === null;
}
