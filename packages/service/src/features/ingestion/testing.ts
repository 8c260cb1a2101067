import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { openFsBlobStore } from "@swath/base/blobs/fs-blob-store";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import { systemClock } from "@swath/base/clock";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Caller, Db, RequestContext, PipelineHandlers } from "../../platform/context.ts";
import type { FileAnswer } from "../../platform/sent-file.ts";
import { silentLog } from "@swath/base/log/log";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createPipelineService, type PipelineService } from "../../platform/queue/pipeline-service.ts";
import { openPipelineSignals, type PipelineSignals } from "../../platform/queue/pipeline-signals.ts";
import { UploadProcesses } from "@swath/raster/store/upload-processes";
import { DiskSpace } from "../../platform/storage/disk-space.ts";
import { StorageWatch } from "../../platform/storage/storage-watch.ts";
import { openUploadFolder } from "../../platform/uploads/upload-folder.ts";
import type { WorkQuotas } from "../../platform/uploads/work-quota.ts";
import { openWorkFolders } from "../../platform/uploads/work-folders.ts";
import { startWorker } from "../../worker/worker.ts";
import { createBaselineService } from "../baselines/service.ts";
import { createAuditService } from "../audit/service.ts";
import { createImageryService } from "../imagery/service.ts";
import type { ImageryService } from "../imagery/service.ts";
import { createRegisteredItems } from "../../sources/registered/registered-items.ts";
import { storeOnly, type SourceBindings } from "../../sources/bindings.ts";
import { ingestionContract } from "@swath/contract/features/ingestion/contract";
import type { UploadReader } from "./ingest-pipeline.ts";
import { FETCH_LANE } from "./ensure-stored.ts";
import { createIngestionService } from "./service.ts";
import { createCatalog, type Catalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import type { IngestionService, IngestionServiceDeps } from "./service.ts";

export const ALICE: Caller = user("alice");
export const MALLORY: Caller = user("mallory");

function user(userId: string): Caller {
  return {
    kind: "user",
    userId,
    groupId: `group of ${userId}`,
    email: `${userId}@example.com`,
    permissions: new Set(["ingest-scene"]),
  };
}

export function contextOf(caller: Caller, signal: AbortSignal = new AbortController().signal): RequestContext {
  return {
    caller,
    signal,
    beginWait: () => ({ [Symbol.dispose]() {} }),
    requestId: "test",
    baseUrl: "http://swath.test",
  };
}

/** Handlers of the pipelines of the operations. */
export function handlersOf(ingestion: IngestionService): PipelineHandlers {
  return new Map([
    [ingestionContract.ingestScenePipeline.path, { run: (request, job) => ingestion.run(request, job) }],
    [ingestionContract.fetchScene.path, { run: (request, job) => ingestion.runFetch(request, job) }],
  ]);
}

/** The feature with a real database, blob store, queue, worker and reading process. */
export interface IngestionBench extends AsyncDisposable {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly signals: PipelineSignals;
  readonly storage: StorageWatch;
  readonly folder: string;
  readonly blobs: BlobStore;
  readonly imagery: ImageryService;
  readonly ingestion: IngestionService;
  readonly pipelines: PipelineService;
  /** PUT to an address that `requestUpload` answered. */
  put(url: string, body: Uint8Array | Readable, headers?: Readonly<Record<string, string>>): Promise<FileAnswer>;
  /** Announces and sends a whole file; its filepath. */
  upload(bytes: Uint8Array, filename: string, suffix?: ".geotiff" | ".zip"): Promise<string>;
  /** Keys of all blobs, and names of all partial and temporary files. */
  leftovers(): Promise<readonly string[]>;
}

export async function ingestionBench(
  options: {
    readonly clock?: Clock;
    readonly readUpload?: UploadReader;
    readonly withoutWorker?: boolean;
    /** Providers and datasets; the built-in ones unless given. */
    readonly catalog?: Catalog;
    /** Where scenes are fetched from; nowhere unless given. */
    readonly sources?: SourceBindings;
    /** Where the bench makes its folder; the folder of temporary files unless given. */
    readonly within?: string;
    readonly disk?: DiskSpace;
    /** Quotas of work folders; none unless given. */
    readonly work?: WorkQuotas;
    /** A folder unless given. */
    readonly blobs?: BlobStore;
    /** Processors that run the pipelines of fetched scenes; 2 unless given. */
    readonly fetching?: number;
    /** Ingests run at once; 4 unless given. */
    readonly places?: number;
  } & Partial<Pick<IngestionServiceDeps, "maxUploadBytes" | "quotas" | "waitMs">> = {},
): Promise<IngestionBench> {
  const clock = options.clock ?? systemClock;
  const stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(options.within ?? tmpdir(), "ingestion-"));
  stack.defer(async () => rm(folder, { recursive: true, force: true }));
  const database = stack.use(await testDatabase());
  const { db } = database;
  const signals = stack.use(openPipelineSignals(database.url, silentLog));
  const pipelines = createPipelineService({ db, signals, retentionDays: 30 });
  const blobs = options.blobs ?? stack.use(await openFsBlobStore(join(folder, "blobs"), clock));
  const disk = options.disk ?? new DiskSpace({ folders: [folder], reserveBytes: 0 });
  const storage = new StorageWatch({
    blobs,
    disk,
    folders: [join(folder, "work"), join(folder, "uploads")],
    log: silentLog,
  });
  const catalog = options.catalog ?? createCatalog(providers);
  const processes = stack.use(new UploadProcesses());
  const imagery = createImageryService({
    areas: createAreas(),
    db,
    clock,
    catalog,
    thumbnails: { render: () => Promise.resolve(new Uint8Array()) },
    sources: options.sources ?? storeOnly,
  });
  const ingestion = createIngestionService({
    areas: createAreas(),
    db,
    clock,
    catalog,
    blobs,
    imagery,
    audit: createAuditService({ db, clock }),
    orbits: createBaselineService({ db, imagery, catalog, source: null }),
    pipelines,
    items: stack.use(createRegisteredItems({}, { clock, db })),
    sources: options.sources ?? storeOnly,
    uploads: await openUploadFolder(join(folder, "uploads")),
    folders: await openWorkFolders(join(folder, "work"), clock, false, options.work),
    readUpload: options.readUpload ?? ((job, signal, onProgress) => processes.read(job, signal, onProgress)),
    signingKeys: () => [new Uint8Array(32).fill(7)],
    maxUploadBytes: options.maxUploadBytes ?? 64 * 1024 * 1024,
    minAgeMs: 24 * 3_600_000,
    quotas: options.quotas ?? { totalBytes: 2 ** 40, groupBytes: 2 ** 40 },
    disk,
    storage,
    log: silentLog,
    ...(options.waitMs === undefined ? {} : { waitMs: options.waitMs }),
  });
  const queue = { db, signals, storage, log: silentLog };
  if (options.withoutWorker !== true) {
    const worker = startWorker({
      ...queue,
      lane: "heavy",
      handlers: handlersOf(ingestion),
      concurrency: options.places ?? 4,
    });
    stack.defer(async () => worker.stop(0));
    const fetcher = startWorker({
      ...queue,
      lane: FETCH_LANE,
      handlers: ingestion.fetchHandlers,
      concurrency: options.fetching ?? 2,
    });
    stack.defer(async () => fetcher.stop(0));
  }

  const put: IngestionBench["put"] = (url, body, headers = {}) => {
    const address = new URL(url);
    return ingestion.putUpload(
      {
        params: { uploadId: address.pathname.split("/").at(-1) ?? "" },
        query: {
          expires: Number(address.searchParams.get("expires")),
          signature: address.searchParams.get("signature") ?? "",
        },
        headers,
        body: body instanceof Uint8Array ? Readable.from([Buffer.from(body)]) : body,
      },
      contextOf(ALICE),
    );
  };
  return {
    db,
    databaseUrl: database.url,
    signals,
    storage,
    folder,
    blobs,
    imagery,
    ingestion,
    pipelines,
    put,
    async upload(bytes, filename, uploadSuffix = ".geotiff") {
      const request = { uploadSuffix, size: bytes.length, filename };
      const { filepath, url } = await ingestion.requestUpload(request, contextOf(ALICE));
      await put(url, bytes);
      return filepath;
    },
    async leftovers() {
      const names: string[] = [];
      for await (const { key } of blobs.list("")) names.push(key);
      names.push(...(await readdir(join(folder, "uploads"))), ...(await readdir(join(folder, "work"))));
      return names;
    },
    [Symbol.asyncDispose]: async () => stack.disposeAsync(),
  };
}
