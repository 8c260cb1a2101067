import type { Clock } from "@swath/base/clock";
import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { feasibilityContract } from "@swath/contract/features/tasking/feasibility-contract";
import type { OrderParameters } from "@swath/contract/features/tasking/order-parameters";
import { pipelinesContract } from "@swath/contract/features/pipelines/contract";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { createMapTypes } from "@swath/maps/registry";
import { simulatedOrbits } from "@swath/simulator/simulated-orbits";
import { DEFAULT_HTTP_CONFIG } from "../../../http/http-config.ts";
import { createHttpServer } from "../../../http/server.ts";
import { createPassSearch } from "../../../platform/geometry/pass-search.ts";
import type { Db } from "../../../platform/context.ts";
import { createAreas } from "../../../platform/geometry/areas.ts";
import { createIdentity, type Identity } from "../../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../../platform/identity/testing.ts";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import { createPipelineService, type PipelineService } from "../../../platform/queue/pipeline-service.ts";
import { openPipelineSignals, type PipelineSignals } from "../../../platform/queue/pipeline-signals.ts";
import { ampleStorage } from "../../../platform/storage/testing.ts";
import { createCatalog, type Catalog } from "../../../providers/catalog.ts";
import { providers } from "../../../providers/registry.ts";
import { simulatorTaskingFactory } from "../../../tasking-providers/simulator/factory.ts";
import type { TaskingProvider, TaskingProviders } from "../../../tasking-providers/tasking-provider.ts";
import { testWorkers } from "../../../worker/testing.ts";
import { createAuditService } from "../../audit/service.ts";
import { createCreditsService, type CreditsService } from "../../credits/service.ts";
import { imageryOf } from "../../credits/testing.ts";
import { createPipelineList } from "../../pipelines/list-pipelines.ts";
import { pipelinesHandlers } from "../../pipelines/handlers.ts";
import { createUserService, type UserService } from "../../users/service.ts";
import { createTaskingContracts, type TaskingContracts } from "../contracts/tasking-contracts.ts";
import { feasibilityHandlers, type FeasibilityDeps } from "./handlers.ts";

const PASSWORD = "correct horse battery";
const HOUR_MS = 3_600_000;

/** An answer of the service. */
export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever JSON arrives
  readonly body: any;
}

export interface Person {
  readonly userId: string;
  readonly groupId: string;
  readonly token: string;
}

/** Studies and credit checks behind a real server, with the database, the queue and the workers of the service. */
export interface StudyBench extends AsyncDisposable {
  readonly db: Db;
  readonly credits: CreditsService;
  readonly studies: FeasibilityDeps & { readonly contracts: TaskingContracts; readonly credits: CreditsService };
  readonly identity: Identity;
  readonly queue: PipelineService;
  readonly signals: PipelineSignals;
  readonly users: UserService;
  /** A user of a new group, or of that group. */
  addUser(name: string, groupId?: string): Promise<Person>;
  grant(groupId: string, amount: number): Promise<void>;
  post(path: string, body: object, person: Person): Promise<Answer>;
  /** Initiates, waits for the end and retrieves. */
  run(path: string, body: object, person: Person): Promise<Answer>;
}

export interface StudyBenchOptions {
  readonly clock?: Clock;
  readonly catalog?: Catalog;
  /** Adapters by dataset; others are simulated. */
  readonly adapters?: Readonly<Record<string, Pick<TaskingProvider, "feasibility">>>;
  readonly providerTimeoutMs?: number;
  /** Pipelines that run at once; 4 unless given. */
  readonly concurrency?: number;
}

/** A spotlight of a harbour where the sun is high all year. */
export const SPOTLIGHT: OrderParameters = {
  dataset: "spotlight",
  name: "harbour",
  geometry: { type: "Point", coordinates: [103.85, 1.26] },
};

/** An interval as requests write it, hours from now. */
export function hoursFromNow(
  fromH: number,
  toH: number,
  nowMs = Date.now(),
): Pick<OrderParameters, "startTime" | "endTime"> {
  const isoOf = (hours: number): string => new Date(nowMs + hours * HOUR_MS).toISOString();
  return { startTime: isoOf(fromH), endTime: isoOf(toH) };
}

function unused(): never {
  throw new Error("a study calls nothing but feasibility");
}

/** A provider whose members beside the one under test are never called. */
function partialAdapter({ feasibility }: Pick<TaskingProvider, "feasibility">): TaskingProvider {
  const others = { submit: unused, cancel: unused, poll: unused, presentOf: unused };
  return { feasibility, ...others, [Symbol.asyncDispose]: async () => {} };
}

function adaptersOf(
  db: Db,
  clock: Clock,
  catalog: Catalog,
  given: StudyBenchOptions["adapters"] = {},
): TaskingProviders {
  const simulator = simulatorTaskingFactory({
    clock,
    db,
    orbits: simulatedOrbits,
    passes: createPassSearch(),
    speed: 1,
  });
  return {
    providerOf(provider, dataset) {
      const own = given[dataset];
      if (own !== undefined) return partialAdapter(own);
      const registered = catalog.findDataset(provider, dataset);
      return registered === null || simulator.offers?.(registered) !== true ? null : simulator.create(registered, {});
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

export async function studyBench(options: StudyBenchOptions = {}): Promise<StudyBench> {
  const { clock = systemClock, catalog = createCatalog(providers), concurrency = 4 } = options;
  const stack = new AsyncDisposableStack();
  const database = stack.use(await testDatabase());
  const { db } = database;
  const signals = stack.use(openPipelineSignals(database.url, silentLog));
  const queue = createPipelineService({ db, signals, retentionDays: 30 });
  const identity = createIdentity({ db, clock, config: TEST_IDENTITY });
  const audit = createAuditService({ db, clock });
  const users = createUserService({ db, clock, identity, audit });
  const areas = stack.use(createAreas());
  const mapTypes = createMapTypes([]);
  const credits = createCreditsService({ areas, db, clock, catalog, imagery: imageryOf(), mapTypes });
  const studies: StudyBench["studies"] = {
    db,
    clock,
    catalog,
    credits,
    log: silentLog,
    contracts: createTaskingContracts({ db, clock, catalog, audit }),
    taskingProviders: adaptersOf(db, clock, catalog, options.adapters),
    providerTimeoutMs: options.providerTimeoutMs ?? 60_000,
  };
  const contract = { pipelines: pipelinesContract, tasking: feasibilityContract } as const;
  const handlers = {
    pipelines: pipelinesHandlers({ queue, list: createPipelineList({ db, retentionDays: 30 }) }),
    tasking: feasibilityHandlers(studies),
  };
  const workers = testWorkers({ db, signals, queue, contract, handlers, concurrency });
  stack.defer(async () => workers.stop());
  const server = await createHttpServer({
    storage: ampleStorage(),
    contract,
    handlers,
    db,
    identity,
    pipelines: workers.gate,
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true },
    clock,
    log: silentLog,
  });
  stack.defer(async () => server.close());
  const address = await server.listen({ host: "127.0.0.1", port: 0 });

  async function post(path: string, body: object, { token }: Person): Promise<Answer> {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const response = await fetch(address + path, { method: "POST", body: JSON.stringify(body), headers });
    return { status: response.status, body: await response.json() };
  }

  return {
    db,
    credits,
    studies,
    identity,
    queue,
    signals,
    users,
    post,
    async addUser(name, existing) {
      const email = `${name}@example.com`;
      const { userId, groupId } = await db.transaction().execute(async (trx) => {
        const permissions = ["scene-tasking.check-credit"];
        const group = existing ?? (await users.createGroup(trx, { name: `group of ${name}`, permissions }));
        const user = await users.createUser(trx, { email, name, password: PASSWORD, groupIds: [group] });
        return { userId: user, groupId: group };
      });
      const login = await identity.builtIn?.login({ username: email, password: PASSWORD, address: "::1" });
      if (login?.kind !== "granted") throw new Error(`${email} cannot log in`);
      return { userId, groupId, token: login.token };
    },
    grant: (groupId, amount) =>
      db.transaction().execute((trx) => credits.grant(trx, groupId, creditsToMicro(amount), "start")),
    async run(path, body, person) {
      const initiated = await post(`${path}/initiate`, body, person);
      if (initiated.status !== 200) return initiated;
      const { pipelineId } = initiated.body;
      await queue.waitFor(pipelineId, AbortSignal.timeout(60_000), 60_000);
      return await post(`${path}/retrieve`, { pipelineId }, person);
    },
    [Symbol.asyncDispose]: async () => stack.disposeAsync(),
  };
}
