import type { Log } from "@swath/base/log/log";
import { bootstrap, type FirstStart } from "./bootstrap.ts";
import { openPlatform, type ComposedPlatform } from "./compose-platform.ts";
import { httpConfig } from "./compose-settings.ts";
import { startWorkers } from "./compose-workers.ts";
import { createFeatures, type CreatedFeatures } from "./feature-kit/create-features.ts";
import { features } from "./features.ts";
import { createHttpServer, type HttpServer } from "./http/server.ts";
import { stopServer } from "./http/stop-server.ts";
import type { Config } from "./platform/config/config.ts";
import { endAllLeases } from "./platform/queue/pipeline-store.ts";
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
}

/** Builds the platform and every feature that the configuration asks for. The only place that does. */
export async function compose(config: Config, log: Log): Promise<App> {
  const stack = new AsyncDisposableStack();
  const stopping = new AbortController();
  try {
    const composed = await openPlatform({ config, log, stack, stopping: stopping.signal });
    const created = await createFeatures(Object.values(features), composed.platform, stack);
    // Last in, first out: periodic work ends before the features it belongs to.
    stack.use(composed.schedule);
    let http: HttpServer | null = null;
    let workers: readonly Worker[] = [];
    return {
      async start() {
        const firstStart = config.roles.api ? await firstUsers(config, created) : { users: [] };
        startSchedule(composed, created);
        if (config.roles.worker) {
          const { platform, signals } = composed;
          if (composed.hasEmbeddedDatabase) await endAllLeases(platform.db);
          workers = startWorkers(created, { config, db: platform.db, signals, log });
        }
        if (!config.roles.api) return { url: null, firstStart };
        http = await openServer(composed, created);
        const address = await http.listen({ host: config.http.host, port: composed.port });
        return { url: config.http.publicUrl ?? address, firstStart };
      },

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

async function firstUsers(config: Config, { serviceOf }: CreatedFeatures): Promise<FirstStart> {
  return await bootstrap(config, { users: serviceOf(features.users), credits: serviceOf(features.credits).ledger });
}

function startSchedule({ platform, schedule }: ComposedPlatform, { all }: CreatedFeatures): void {
  const works = all.flatMap(({ schedules }) => schedules);
  for (const work of works) {
    if (platform.config.roles.worker || work.runsIn === "every process") schedule.add(work);
  }
}

async function openServer({ platform }: ComposedPlatform, created: CreatedFeatures): Promise<HttpServer> {
  const { clock, config, db, identity, log, queue: pipelines } = platform;
  const { contract, handlers, permissions } = created;
  return await createHttpServer({
    contract,
    handlers,
    permissions,
    db,
    pipelines,
    identity,
    config: httpConfig(config),
    clock,
    log,
  });
}
