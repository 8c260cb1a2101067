import { sleep } from "@swath/base/concurrency/sleep";
import type { Log } from "@swath/base/log/log";
import { bootstrap, type FirstStart } from "./bootstrap.ts";
import { openPlatform, type ComposedPlatform } from "./compose-platform.ts";
import { composeMetrics } from "./compose-metrics.ts";
import { httpConfig } from "./compose-settings.ts";
import { startAtOnceRuns, startWorkers } from "./compose-workers.ts";
import { createFeatures, type CreatedFeatures } from "./feature-kit/create-features.ts";
import { features } from "./features.ts";
import { aloneStart } from "./start-alone.ts";
import { openOpsServer } from "./http/ops-server.ts";
import { requireIssuerGroups } from "./require-issuer-groups.ts";
import { createHttpServer, type HttpServer, type ServerMetrics } from "./http/server.ts";
import { stopServer } from "./http/stop-server.ts";
import type { Config, Settings } from "./platform/config/config.ts";
import { endAllLeases } from "./platform/queue/claim-store.ts";
import { DatabaseProbe } from "./platform/storage/database-probe.ts";
import { acceptPipeline } from "./worker/accept-pipelines.ts";
import type { AtOnceRuns } from "./worker/run-at-once.ts";
import type { Worker } from "./worker/worker.ts";

/** What a started service says of itself. */
export interface Started {
  /** Address that requests are answered at; null in a pure worker. */
  readonly url: string | null;
  /** Users that this start has created, with passwords to be shown once. */
  readonly firstStart: FirstStart;
}

/** The whole service, composed but idle until `start`; disposing stops it in phases. */
export interface App extends AsyncDisposable {
  start(): Promise<Started>;
  /** Reads the folder of models again; faults are logged. */
  reloadModels(): Promise<void>;
}

/**
 * Builds the platform and every feature that the configuration asks for.
 *
 * @param settings those that do not come from the environment, for processes that this one starts
 */
export async function compose(config: Config, log: Log, settings: Settings = {}): Promise<App> {
  const stack = new AsyncDisposableStack();
  const stopping = new AbortController();
  try {
    const composed = await openPlatform({ config, log, stack, stopping: stopping.signal });
    const created = await createFeatures(Object.values(features), composed.platform, stack);
    // Last in, first out: periodic work ends before the features it belongs to.
    stack.use(composed.schedule);
    let http: HttpServer | null = null;
    let workers: readonly Pick<Worker, "stop">[] = [];
    return {
      async start() {
        const metrics = composeMetrics(composed, created, stack, () => http?.traffic ?? null);
        await openOps(composed, metrics, stack, stopping.signal);
        const firstStart = config.roles.api ? await firstUsers(config, created) : { users: [] };
        if (config.roles.api) await requireIssuerGroups(composed.platform.db, config.externalIssuer);
        startSchedule(composed, created);
        const { platform, recent, signals } = composed;
        const { db, storage } = platform;
        if (composed.hasEmbeddedDatabase) await endAllLeases(db);
        const startAlone = aloneStart(settings, composed.databaseUrl);
        workers = startWorkers(created, { config, db, signals, storage, log, startAlone });
        if (!config.roles.api) return { url: null, firstStart };
        const atOnce = startAtOnceRuns(created, { config, db, signals, log, recent });
        workers = [...workers, atOnce];
        http = await openServer(composed, created, atOnce, metrics);
        void askIssuer(platform);
        const address = await http.listen({ host: config.http.host, port: composed.port });
        void prepareTiles(platform, stopping.signal);
        return { url: config.http.publicUrl ?? address, firstStart };
      },

      reloadModels: composed.reloadModels,

      async [Symbol.asyncDispose]() {
        // Requests first: they may still enqueue work. Then pipelines, then the services that both use.
        stopping.abort();
        if (http !== null) await stopServer(http, config.drainMs, log);
        await Promise.all(workers.map(async (worker) => worker.stop(config.drainMs)));
        await stack.disposeAsync();
      },
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** The start of a thread takes a core: the first answers come before it. */
const TILES_AFTER_MS = 250;

async function prepareTiles({ renderer }: ComposedPlatform["platform"], stopping: AbortSignal): Promise<void> {
  await sleep(TILES_AFTER_MS, stopping);
  if (!stopping.aborted) renderer.prepare();
}

/** Answers probes as soon as the database is ready, and until the service has stopped. */
async function openOps(
  { platform }: ComposedPlatform,
  metrics: ServerMetrics,
  stack: AsyncDisposableStack,
  stopping: AbortSignal,
): Promise<void> {
  const { config, db, log, storage } = platform;
  if (config.ops === null) return;
  const isStopping = (): boolean => stopping.aborted;
  stack.use(await openOpsServer({ database: new DatabaseProbe(db), storage, isStopping, metrics, log }, config.ops));
}

/** An issuer that does not answer yet may do so later: the start tells its operator, and goes on. */
async function askIssuer({ config, identity, log }: ComposedPlatform["platform"]): Promise<void> {
  try {
    await identity.prepare();
  } catch (error) {
    log.error({ err: error, issuer: config.externalIssuer?.issuer }, "no token can be verified: the issuer fails");
  }
}

async function firstUsers(config: Config, { serviceOf }: CreatedFeatures): Promise<FirstStart> {
  return await bootstrap(config, { users: serviceOf(features.users), credits: serviceOf(features.credits).ledger });
}

function startSchedule({ platform, schedule }: ComposedPlatform, { all }: CreatedFeatures): void {
  const works = all.flatMap(({ schedules }) => schedules);
  for (const work of works) {
    if (platform.config.roles.worker || work.runsIn === "every process") schedule.add(work);
  }
}

async function openServer(
  { platform }: ComposedPlatform,
  created: CreatedFeatures,
  atOnce: AtOnceRuns,
  metrics: ServerMetrics,
): Promise<HttpServer> {
  const { clock, config, db, identity, log, queue, storage } = platform;
  const { contract, handlers, permissions } = created;
  return await createHttpServer({
    contract,
    handlers,
    permissions,
    db,
    storage,
    pipelines: {
      accept: (job, admit) => acceptPipeline({ atOnce, db, queue }, job, admit),
      retrieve: (query) => queue.retrieve(query),
    },
    identity,
    config: httpConfig(config),
    issuer: config.externalIssuer,
    clock,
    log,
    metrics,
  });
}
