import { ServiceError } from "@swath/kernel/errors/service-error";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { createHttpServer, type HttpServer } from "../../http/server.ts";
import { DEFAULT_HTTP_CONFIG } from "../../http/http-config.ts";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import { createAreas } from "../../platform/geometry/areas.ts";
import { createFeatureTests } from "../../platform/geometry/feature-tests.ts";
import type { Caller, Db } from "../../platform/context.ts";
import { createIdentity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { silentLog } from "@swath/base/log/log";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createPipelineService } from "../../platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "../../platform/queue/pipeline-signals.ts";
import type { GridFile, GridRequest } from "@swath/maps/render/grid-renderer";
import { testWorkers } from "../../worker/testing.ts";
import { creditsContract } from "@swath/contract/features/credits/contract";
import { createAuditService } from "../audit/service.ts";
import { createCreditAdministration } from "../credits/administration.ts";
import { createInvoicer } from "../credits/invoices/invoicer.ts";
import { createUsageExporter } from "../credits/usage-export.ts";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { creditsHandlers } from "../credits/handlers.ts";
import { createCreditsService, type CreditsService } from "../credits/service.ts";
import { imageryOf } from "../credits/testing.ts";
import { createUserService } from "../users/service.ts";
import { testResults } from "./analysis/testing.ts";
import { writeInvoiceInWorker } from "../../platform/pdf/run-invoice-worker.ts";
import { writeReportInWorker } from "../../platform/pdf/run-report-worker.ts";
import { createDownloads } from "../../platform/downloads/downloads.ts";
import { mapsContract } from "@swath/contract/features/maps/contract";
import { createSavedMaps } from "../analyses/saved-maps.ts";
import { createMapTypes } from "@swath/maps/registry";
import { mapsPermissions } from "./content-permissions.ts";
import { mapsHandlers } from "./handlers.ts";
import { createMapsService, type MapsService, type MapsServiceDeps } from "./service.ts";
import { ampleStorage } from "../../platform/storage/testing.ts";

const mapTypes = createMapTypes([]);

const contract = { credits: creditsContract, maps: mapsContract } as const;
const PASSWORD = "correct horse battery";

/** A grid renderer that draws nothing: it keeps what it was asked and answers what the test decides. */
export interface RecordedRenderer {
  readonly requests: GridRequest[];
  /** Requests for digests of pixels, of which there are none. */
  readonly digests: GridRequest[];
  answer: (request: GridRequest) => GridFile;
  render(request: GridRequest): Promise<GridFile>;
  readonly background: Pick<RecordedRenderer, "render">;
}

/** Of pixels that nobody draws. */
const NO_DIGEST: GridFile = { kind: "file", mediaType: "application/json", body: Buffer.from("null") };

export function recordedRenderer(): RecordedRenderer {
  const requests: GridRequest[] = [];
  const digests: GridRequest[] = [];
  const renderer: RecordedRenderer = {
    requests,
    digests,
    answer: ({ fileName }) => ({ kind: "file", mediaType: "image/png", body: Buffer.from(fileName) }),
    async render(request) {
      if (request.digest === true) {
        digests.push(request);
        return NO_DIGEST;
      }
      requests.push(request);
      return renderer.answer(request);
    },
    background: { render: (request) => renderer.render(request) },
  };
  return renderer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any;
}

/** Credits and maps behind a real server, database, queue and worker; only pixels are not drawn. */
export interface MapBench extends AsyncDisposable {
  readonly db: Db;
  readonly server: HttpServer;
  readonly credits: CreditsService;
  readonly maps: MapsService;
  readonly renderer: RecordedRenderer;
  /** Folder of the temporary folders of running pipelines. */
  readonly workFolder: string;
  /** Address of the server. */
  readonly address: string;
  addUser(email: string, permissions: readonly string[]): Promise<{ readonly token: string; readonly caller: Caller }>;
  post(path: string, body: object, token?: string): Promise<Answer>;
  get(path: string, headers?: Readonly<Record<string, string>>, method?: "GET" | "HEAD"): Promise<Answer>;
  /** Initiates, waits for the end and retrieves. */
  run(path: string, body: object, token: string): Promise<Answer>;
}

/** Of analyses on a machine that does much else beside; the runner ends a test that hangs later than this. */
const LONGEST_RUN_MS = 120_000;

/**
 * @param scenes in the store; as a function, with the pixels that it writes to the blobs
 * @param isFetchable whether a release finds the pixels of a scene
 */
export async function mapBench(
  scenes: readonly StoredScene[] | ((blobs: BlobStore) => Promise<readonly StoredScene[]>),
  clock: Clock,
  isFetchable: (sceneId: string) => boolean = () => true,
): Promise<MapBench> {
  const database = await testDatabase();
  const { db } = database;
  const analyses = await testResults(db, clock);
  const identity = createIdentity({
    db,
    clock,
    config: TEST_IDENTITY,
  });
  const audit = createAuditService({ db, clock });
  const users = createUserService({ db, clock, identity, audit });
  const signals = openPipelineSignals(database.url, silentLog);
  const pipelines = createPipelineService({ db, signals, retentionDays: 30 });
  const imagery = imageryOf(...(typeof scenes === "function" ? await scenes(analyses.blobs) : scenes));
  const renderer = recordedRenderer();
  const featureTests = createFeatureTests();
  const credits = createCreditsService({ areas: createAreas(), mapTypes, db, clock, imagery });
  // Scenes of these tests are in the store.
  const ingestion: MapsServiceDeps["ingestion"] = {
    async ensureStored({ sceneId }) {
      const stored = isFetchable(sceneId) ? await imagery.stored(sceneId) : null;
      if (stored === null) throw new ServiceError("DATA-NOT-AVAILABLE", `scene ${sceneId} cannot be fetched`);
      return stored;
    },
  };
  const downloads = createDownloads({
    db,
    clock,
    blobs: analyses.blobs,
    signingKeys: () => [new Uint8Array(32).fill(8)],
  });
  const maps = createMapsService({
    areas: createAreas(),
    blobs: analyses.blobs,
    mapTypes,
    db,
    clock,
    imagery,
    credits,
    ingestion,
    renderer,
    results: analyses.results,
    featureTests,
    folders: analyses.folders,
    savedMaps: createSavedMaps({ db }),
    downloads,
    writeReport: writeReportInWorker,
    signingKeys: () => [new Uint8Array(32).fill(9)],
  });
  const handlers = {
    credits: creditsHandlers(
      credits,
      createCreditAdministration({
        areas: createAreas(),
        mapTypes,
        db,
        clock,
        catalog: createCatalog(providers),
        audit,
        users,
      }),
      createUsageExporter({ db, clock, signingKeys: () => [new Uint8Array(32).fill(8)] }),
      createInvoicer({
        db,
        clock,
        users,
        signingKeys: () => [new Uint8Array(32).fill(8)],
        writeInvoice: writeInvoiceInWorker,
      }),
    ),
    maps: mapsHandlers(maps),
  };
  const workers = testWorkers({ db, signals, queue: pipelines, contract, handlers, concurrency: 2 });
  const server = await createHttpServer({
    storage: ampleStorage(),
    contract,
    handlers,
    permissions: { maps: mapsPermissions(mapTypes, createCatalog(providers)) },
    db,
    identity,
    pipelines: workers.gate,
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true },
    clock,
    log: silentLog,
  });

  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  async function ask(path: string, init: RequestInit): Promise<Answer> {
    const answer = await fetch(address + path, init);
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
    const { status, headers } = answer;
    return { status, headers, text, json: isJson && text !== "" ? JSON.parse(text) : null };
  }

  async function post(path: string, body: object, token?: string): Promise<Answer> {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return await ask(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...authorization },
    });
  }

  return {
    db,
    server,
    credits,
    maps,
    renderer,
    workFolder: analyses.workFolder,
    address,
    post,
    async addUser(email, permissions) {
      const { userId, groupId } = await db.transaction().execute(async (trx) => {
        const group = await users.createGroup(trx, { name: `group of ${email}`, permissions });
        const user = await users.createUser(trx, { email, name: email, password: PASSWORD, groupIds: [group] });
        return { userId: user, groupId: group };
      });
      const login = await identity.builtIn?.login({ username: email, password: PASSWORD, address: "::1" });
      if (login?.kind !== "granted") throw new Error(`${email} cannot log in`);
      return {
        token: login.token,
        caller: { kind: "user", userId, groupId, email, permissions: new Set(permissions) },
      };
    },
    get: (path, headers = {}, method = "GET") => ask(path, { method, headers }),
    async run(path, body, token) {
      const initiated = await post(`${path}/initiate`, body, token);
      if (initiated.status !== 200) return initiated;
      const { pipelineId } = initiated.json;
      await pipelines.waitFor(pipelineId, new AbortController().signal, LONGEST_RUN_MS);
      return await post(`${path}/retrieve`, { pipelineId }, token);
    },
    async [Symbol.asyncDispose]() {
      await workers.stop();
      await server.close();
      await signals[Symbol.asyncDispose]();
      await featureTests[Symbol.asyncDispose]();
      await analyses[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
