import type { SigningKeys } from "../../platform/signed-text.ts";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { Static } from "typebox";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type {
  Caller,
  Db,
  FileRequest,
  PipelineHandler,
  PipelineJob,
  PipelineOutcome,
  RequestContext,
  Trx,
} from "../../platform/context.ts";
import type { FileAnswer } from "../../platform/sent-file.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { Log } from "@swath/base/log/log";
import type { PipelineService } from "../../platform/queue/pipeline-service.ts";
import type { DiskSpace } from "../../platform/storage/disk-space.ts";
import type { StorageWatch } from "../../platform/storage/storage-watch.ts";
import type { RegisteredItems } from "../../sources/registered/registered-items.ts";
import type { UploadFolder } from "../../platform/uploads/upload-folder.ts";
import type { WorkFolders } from "../../platform/uploads/work-folders.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { findDataset, findProvider } from "../../providers/registry.ts";
import type { AuditService } from "../audit/service.ts";
import type { ImageryService } from "../imagery/service.ts";
import type {
  FetchSceneRequest,
  IngestRequest,
  SetVisibilityAnswer,
  SetVisibilityRequest,
  UploadAnswer,
  UploadRequest,
} from "@swath/contract/features/ingestion/contract";
import type {
  EditSceneRequest,
  ListOwnedScenes,
  OwnedSceneAnswer,
  OwnedScenePage,
} from "@swath/contract/features/ingestion/owned-scenes-contract";
import { admitIngest, admitUpload } from "./admit-ingest.ts";
import { ensureStored, FETCH_KIND, type StoreJob, type StoreRequest } from "./ensure-stored.ts";
import { prepareDelivery, type DeliveredFile, type PreparedDelivery } from "./ingest-delivery.ts";
import { fetchScene, type FetchRequest, type SceneCatalogue, type SourceLookup } from "./fetch-scene.ts";
import { createItemService, type ItemService, type ItemScenes } from "./items/item-service.ts";
import { ingestAndWait } from "./ingest-and-wait.ts";
import { runIngest } from "./ingest-pipeline.ts";
import type { IngestResult, OrbitKeeper, UploadReader } from "./ingest-pipeline.ts";
import {
  deleteScene,
  editScene,
  listScenes,
  restoreScene,
  sweepDeletedScenes,
  type OwnedScenes,
} from "./owned-scenes.ts";
import { receiveUpload } from "./receive-upload.ts";
import { requestUpload, type UploadQuotas } from "./request-upload.ts";
import { requestedPart } from "./requested-part.ts";
import { setVisibility } from "./set-visibility.ts";
import { sweepOnDemand } from "./sweep-on-demand.ts";
import { sweepIngestionOrphans } from "./sweep-orphans.ts";
import * as store from "./store.ts";
import { uploadIdOf } from "./upload-path.ts";
import { withUpload } from "./use-upload.ts";
import { sweepUploads } from "./sweep-uploads.ts";

type Ingest = Static<typeof IngestRequest>;
type FetchScene = Static<typeof FetchSceneRequest>;
type SetVisibility = Static<typeof SetVisibilityRequest>;

export interface IngestionService {
  /** Items of STAC whose files stay where they are. */
  readonly items: ItemService;
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
  /** Checks an upload for another use in the transaction that accepts it. See `admitUpload` for its errors. */
  admitUpload(transaction: Trx, filepath: string, caller: Caller): Promise<void>;
  /** Reads an upload that is no scene. See `withUpload` for its errors. */
  withUpload<Result>(
    filepath: string,
    job: Pick<PipelineJob, "attempt" | "pipelineId" | "signal">,
    use: (path: string, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
  /** Notes that the bytes of an upload are not needed any more. */
  markUploadUsed(transaction: Trx, filepath: string): Promise<void>;
  /** Accepts an ingest and waits for its end. */
  ingestAndWait(request: Ingest, context: RequestContext): Promise<IngestResult>;
  /**
   * The scene with the requested pixels in the store, fetched from its source when they are not, once for all who ask
   * at the same time. Of datasets that are delivered cut the answer is a clipped child. `extent` and `tiles` null ask
   * for the whole scene. See `ensureStored` in ensure-stored.ts for what it throws.
   */
  ensureStored(request: StoreRequest, job: StoreJob): Promise<StoredScene>;
  /** Fetches an ordered file into the store. See `prepareDelivery` for its errors. */
  prepareDelivery(file: DeliveredFile, signal: AbortSignal): Promise<PreparedDelivery>;
  /** Checks a request to ingest from a provider. */
  admitFetch(request: FetchScene, signal: AbortSignal): Promise<void>;
  runFetch(request: FetchScene, job: PipelineJob): Promise<PipelineOutcome<IngestResult>>;
  /**
   * Handlers of the pipelines that fetch scenes, for a worker of their own: the pipelines that wait for them must not
   * take the places that they need.
   */
  readonly fetchHandlers: ReadonlyMap<string, PipelineHandler<FetchRequest, unknown>>;
  /** Changes the audience of an uploaded scene; `shareScene` of imagery names the errors. */
  setVisibility(request: SetVisibility, context: RequestContext): Promise<Static<typeof SetVisibilityAnswer>>;
  /** Scenes that a group ingested. See `listOwned` of imagery for its errors. */
  listScenes(request: ListOwnedScenes, context: RequestContext): Promise<OwnedScenePage>;
  /** Corrects a scene. See `editScene` of imagery for its errors. */
  editScene(request: EditSceneRequest, context: RequestContext): Promise<OwnedSceneAnswer>;
  /** Hides a scene. See `deleteScene` of imagery for its errors. */
  deleteScene(sceneId: string, context: RequestContext): Promise<OwnedSceneAnswer>;
  /** Takes a deletion back. See `restoreScene` of imagery for its errors. */
  restoreScene(sceneId: string, context: RequestContext): Promise<OwnedSceneAnswer>;
  /** Removes scenes whose deletion can no longer be taken back; how many. */
  sweepDeleted(signal: AbortSignal): Promise<number>;
  /** Removes uploads whose time is over, with all their bytes; the number removed. Rounds must not overlap. */
  sweep(): Promise<number>;
  /** Removes remains of killed processes; how many. */
  sweepOrphans(signal: AbortSignal): Promise<number>;
}

export interface IngestionServiceDeps {
  readonly areas: Pick<Areas, "inStoreTiles" | "intersection" | "read">;
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly imagery: Pick<
    ImageryService,
    "findByContentHash" | "keepPixels" | "known" | "register" | "revive" | "seenBy" | "share" | "stored"
  > &
    ItemScenes &
    OwnedScenes &
    SceneCatalogue;
  readonly audit: Pick<AuditService, "record">;
  readonly orbits: OrbitKeeper;
  readonly pipelines: Pick<PipelineService, "enqueue" | "retrieve" | "status" | "waitFor">;
  /** Where scenes are fetched from. */
  readonly sources: SourceLookup;
  /** Items whose files stay where they are. */
  readonly items: RegisteredItems;
  /** The configured datasets; all unless given. */
  readonly catalog?: Pick<Catalog, "findDataset" | "findProvider">;
  /** Partial uploads of this process. */
  readonly uploads: UploadFolder;
  /** Temporary folders of running ingests. */
  readonly folders: WorkFolders;
  /** Usually of `UploadProcesses`. */
  readonly readUpload: UploadReader;
  /** Secret of the upload addresses, at least 32 bytes, the same in all processes. */
  readonly signingKeys: SigningKeys;
  readonly maxUploadBytes: number;
  readonly quotas: UploadQuotas;
  /** Least age of remains of killed processes that a sweep removes. */
  readonly minAgeMs: number;
  readonly disk: Pick<DiskSpace, "promise" | "require">;
  readonly storage: Pick<StorageWatch, "require">;
  /** Called after a run, whose bytes a sweep can remove once the run is stored. */
  readonly onBytesUsed?: () => void;
  readonly log: Log;
  /** How long the synchronous operation waits, milliseconds; 5 minutes unless given. */
  readonly waitMs?: number;
}

/** A complete upload waits this long for its ingest. */
const COMPLETE_LIFETIME_MS = 24 * 60 * 60 * 1000;

export function createIngestionService(deps: IngestionServiceDeps): IngestionService {
  const context = { ...deps, catalog: deps.catalog ?? { findDataset, findProvider } };
  /** Uploads that a request of this process is writing. */
  const receiving = new Set<string>();
  const keepUntil = (): Date => new Date(deps.clock.now().getTime() + COMPLETE_LIFETIME_MS);

  const sweep = async (): Promise<number> => {
    const removed = await sweepUploads({ ...deps, receiving, completeLifetimeMs: COMPLETE_LIFETIME_MS });
    await sweepOnDemand(deps);
    return removed;
  };

  return {
    items: createItemService(context),

    requestUpload: (request, requestContext) => requestUpload(deps, request, requestContext),

    putUpload(request, { signal }) {
      return receiveUpload({ ...deps, receiving, keepUntil }, request, signal);
    },

    async admit(request, caller, transaction) {
      await admitIngest(context, request, caller, transaction);
      return undefined;
    },

    async run(request, job) {
      try {
        return await runIngest(context, request, job);
      } finally {
        deps.onBytesUsed?.();
      }
    },

    admitUpload: (transaction, filepath, caller) => admitUpload(deps, transaction, filepath, caller),
    withUpload: (filepath, job, use) => withUpload(deps, filepath, job, use),
    markUploadUsed: (transaction, filepath) => store.useUpload(transaction, uploadIdOf(filepath) ?? "", null),

    async ingestAndWait(request, requestContext) {
      await deps.storage.require("files");
      return await ingestAndWait(context, request, requestContext);
    },

    ensureStored: async (request, job) => (await ensureStored(context, request, job)).stored,

    prepareDelivery: (file, signal) => prepareDelivery(deps, file, signal),

    async admitFetch(request, signal) {
      await requestedPart(deps.areas, request, signal);
    },

    async runFetch(request, job) {
      const part = await requestedPart(deps.areas, request, job.signal);
      const { stored, wasThere } = await ensureStored(context, { sceneId: request.sceneId, ...part }, job);
      return { result: { ingestedScenes: [{ duplicate: wasThere, sceneId: stored.scene.sceneId }] } };
    },

    fetchHandlers: new Map([[FETCH_KIND, { run: (request: FetchRequest, job) => fetchScene(deps, request, job) }]]),

    setVisibility: (request, requestContext) => setVisibility(deps, request, requestContext),

    listScenes: (request, requestContext) => listScenes(deps, request, requestContext),
    editScene: (request, requestContext) => editScene(deps, request, requestContext),
    deleteScene: (sceneId, requestContext) => deleteScene(deps, sceneId, requestContext),
    restoreScene: (sceneId, requestContext) => restoreScene(deps, sceneId, requestContext),
    sweepDeleted: (signal) => sweepDeletedScenes(deps, signal),

    sweep,

    sweepOrphans: (signal) => sweepIngestionOrphans(deps, signal),
  };
}
