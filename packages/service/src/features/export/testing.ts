import { createHttpServer } from "../../http/server.ts";
import { DEFAULT_HTTP_CONFIG } from "../../http/http-config.ts";
import type { Clock } from "@swath/base/clock";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Caller } from "../../platform/context.ts";
import { createIdentity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { silentLog } from "@swath/base/log/log";
import { openPipelineSignals } from "../../platform/queue/pipeline-signals.ts";
import { exportInWorker } from "@swath/maps/export/run-export-worker";
import { createWindowReader } from "@swath/maps/render/read-window";
import { findDataset, findProvider } from "../../providers/registry.ts";
import { storeOnly, type SourceBindings } from "../../sources/bindings.ts";
import { testWorkers } from "../../worker/testing.ts";
import { createAuditService } from "../audit/service.ts";
import { createCreditsService, type CreditsService } from "../credits/service.ts";
import { ingestionBench, type IngestionBench } from "../ingestion/testing.ts";
import { createUserService } from "../users/service.ts";
import { weatherContract } from "@swath/contract/features/weather/contract";
import { weatherHandlers } from "../weather/handlers.ts";
import { createWeatherService } from "../weather/service.ts";
import { exportContract } from "@swath/contract/features/export/contract";
import { createMapTypes } from "@swath/maps/registry";
import { exportPermissions } from "./content-permissions.ts";
import { exportHandlers } from "./handlers.ts";
import { createExportService, type ExportService, type ImageMaker } from "./service.ts";
import { ampleStorage } from "../../platform/storage/testing.ts";

const mapTypes = createMapTypes([]);

const contract = { export: exportContract, weather: weatherContract } as const;
const PASSWORD = "correct horse battery";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any;
}

/** Export and weather behind a real server, with the database, queue, workers, blobs and ingestion of the service. */
export interface ExportBench extends AsyncDisposable {
  readonly inner: IngestionBench;
  readonly credits: CreditsService;
  readonly exporting: ExportService;
  addUser(email: string, permissions: readonly string[]): Promise<{ readonly token: string; readonly caller: Caller }>;
  post(path: string, body: object, token?: string): Promise<Answer>;
  get(url: string, init?: RequestInit): Promise<Answer>;
  /** Initiates, waits for the end and retrieves. */
  run(body: object, token: string): Promise<Answer>;
}

async function get(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, init);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
  const json: unknown = isJson && bytes.length > 0 ? JSON.parse(new TextDecoder().decode(bytes)) : null;
  return { status: answer.status, headers: answer.headers, bytes, json };
}

export async function exportBench(options: {
  readonly sources?: SourceBindings;
  readonly clock: Clock;
  readonly makeImage?: ImageMaker;
}): Promise<ExportBench> {
  const { clock, sources = storeOnly } = options;
  const stack = new AsyncDisposableStack();
  const inner = stack.use(await ingestionBench({ sources }));
  const { db, blobs, imagery, ingestion, pipelines } = inner;
  const identity = createIdentity({ db, clock, config: TEST_IDENTITY });
  const users = createUserService({ db, clock, identity, audit: createAuditService({ db, clock }) });
  const credits = createCreditsService({ areas: createAreas(), mapTypes, db, clock, imagery });
  const exporting = createExportService({
    areas: createAreas(),
    db,
    clock,
    blobs,
    catalog: { findDataset },
    imagery,
    credits,
    ingestion,
    makeImage: options.makeImage ?? ((job, signal) => exportInWorker(blobs, job, signal)),
    signingKeys: () => [new Uint8Array(32).fill(5)],
  });
  const windows = stack.use(createWindowReader(blobs));
  const handlers = {
    export: exportHandlers(exporting),
    weather: weatherHandlers(createWeatherService({ areas: createAreas(), db, clock, sources, windows })),
  };
  const signals = stack.use(openPipelineSignals(inner.databaseUrl, silentLog));
  const workers = testWorkers({ db, signals, queue: pipelines, contract, handlers, concurrency: 2 });
  stack.defer(async () => workers.stop());
  const server = await createHttpServer({
    storage: ampleStorage(),
    contract,
    handlers,
    permissions: { export: exportPermissions({ findProvider }) },
    db,
    identity,
    pipelines: workers.gate,
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true },
    clock,
    log: silentLog,
  });
  stack.defer(async () => server.close());
  const address = await server.listen({ host: "127.0.0.1", port: 0 });

  async function post(path: string, body: object, token?: string): Promise<Answer> {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { "content-type": "application/json", ...authorization };
    return get(address + path, { method: "POST", body: JSON.stringify(body), headers });
  }

  return {
    inner,
    credits,
    exporting,
    post,
    get,
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
    async run(body, token) {
      const initiated = await post("/imagery/get-image/initiate", body, token);
      if (initiated.status !== 200) return initiated;
      const { pipelineId } = initiated.json;
      await pipelines.waitFor(pipelineId, new AbortController().signal, 30_000);
      return await post("/imagery/get-image/retrieve", { pipelineId }, token);
    },
    [Symbol.asyncDispose]: async () => stack.disposeAsync(),
  };
}
