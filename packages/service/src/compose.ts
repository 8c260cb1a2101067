import { join } from "node:path";
import { contract } from "@swath/contract";
import { apiKeysHandlers } from "./features/api-keys/handlers.ts";
import { createApiKeyService } from "./features/api-keys/service.ts";
import { auditHandlers } from "./features/audit/handlers.ts";
import { createAuditService } from "./features/audit/service.ts";
import { baselinesHandlers } from "./features/baselines/handlers.ts";
import { createBaselineService } from "./features/baselines/service.ts";
import { createCreditAdministration } from "./features/credits/administration.ts";
import { createUsageExporter } from "./features/credits/usage-export.ts";
import { createCreditsService } from "./features/credits/service.ts";
import { creditsHandlers } from "./features/credits/handlers.ts";
import { exportPermissions } from "./features/export/content-permissions.ts";
import { exportHandlers } from "./features/export/handlers.ts";
import { createExportService } from "./features/export/service.ts";
import { featureStoreHandlers } from "./features/feature-store/handlers.ts";
import { createFeatureStoreService } from "./features/feature-store/service.ts";
import { geojsonHandlers } from "./features/geojson/handlers.ts";
import { createGeojsonService } from "./features/geojson/service.ts";
import { startForgetting } from "./features/imagery/forgetting.ts";
import { imageryPermissions } from "./features/imagery/content-permissions.ts";
import { imageryHandlers } from "./features/imagery/handlers.ts";
import { createImageryService } from "./features/imagery/service.ts";
import { ingestionHandlers } from "./features/ingestion/handlers.ts";
import { createIngestionService } from "./features/ingestion/service.ts";
import { mapsPermissions } from "./features/maps/content-permissions.ts";
import { mapsHandlers } from "./features/maps/handlers.ts";
import { createMapTypes } from "@swath/maps/registry";
import { createAnalyser } from "@swath/maps/engine/analyser";
import { createAnalysisParts } from "./features/maps/analysis/parts.ts";
import { createResults } from "./features/maps/analysis/results.ts";
import { createDownloads } from "./features/maps/downloads/downloads.ts";
import { createMapsService } from "./features/maps/service.ts";
import { mapSigningKey } from "./features/maps/signing-key.ts";
import { mfaHandlers } from "./features/mfa/handlers.ts";
import { createMfaService } from "./features/mfa/service.ts";
import { pipelinesHandlers } from "./features/pipelines/handlers.ts";
import { usersHandlers } from "./features/users/handlers.ts";
import { createUserService } from "./features/users/service.ts";
import { weatherHandlers } from "./features/weather/handlers.ts";
import { createWeatherService } from "./features/weather/service.ts";
import { bootstrap, type FirstStart } from "./bootstrap.ts";
import { configuredCatalogue, sourceFactories } from "./compose-sources.ts";
import { factorRecorder, madeUserRecorder } from "./compose-audit.ts";
import { derivedKey, fetchConcurrency, httpConfig, identityConfig, pipelineLimits } from "./compose-settings.ts";
import { createHttpServer, type HttpServer } from "./http/server.ts";
import { openBlobStore } from "@swath/base/blobs/open-blob-store";
import { systemClock } from "@swath/base/clock";
import type { Config } from "./platform/config/config.ts";
import { createIdentity } from "./platform/identity/identity.ts";
import { createLoginThrottle } from "./platform/identity/login-throttle.ts";
import { createSecondFactor } from "./platform/identity/second-factor.ts";
import type { Log } from "@swath/base/log/log";
import { freePort } from "./platform/postgres/embedded/postmaster.ts";
import { startEmbeddedPostgres } from "./platform/postgres/embedded/embedded-postgres.ts";
import { writeReportInWorker } from "./platform/pdf/run-report-worker.ts";
import { migrate } from "./platform/postgres/migrate.ts";
import { openPool } from "./platform/postgres/pool.ts";
import { waitForServer } from "./platform/postgres/wait-for-server.ts";
import { createPipelineService } from "./platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "./platform/queue/pipeline-signals.ts";
import { createGridRenderer } from "@swath/maps/render/create-grid-renderer";
import { exportInWorker } from "@swath/maps/export/run-export-worker";
import { createWindowReader } from "@swath/maps/render/read-window";
import { createThumbnailRenderer } from "@swath/maps/render/thumbnail";
import { readUploadInWorker } from "@swath/raster/store/run-upload-worker";
import { openUploadFolder } from "./platform/uploads/upload-folder.ts";
import { openWorkFolders } from "./platform/uploads/work-folders.ts";
import { endAllLeases } from "./platform/queue/pipeline-store.ts";
import { createSourceBindings } from "./sources/bindings.ts";
import { pipelineHandlers } from "./worker/pipeline-handlers.ts";
import { startWorker, type Worker } from "./worker/worker.ts";
import { simulatedOrbits } from "@swath/simulator/simulated-orbits";
import { within } from "@swath/base/concurrency/within";

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

const STATEMENT_TIMEOUT_MS = 60_000;
/** How often connections that have become idle are closed while the service stops. */
const SWEEP_MS = 20;
/** How long an aborted request may take to notice. */
const ABORT_PATIENCE_MS = 2_000;

/** Builds every adapter and service that the configuration asks for. The only place that does. */
export async function compose(config: Config, log: Log): Promise<App> {
  const clock = systemClock;
  const manifests = config.models?.installed.map(({ manifest }) => manifest) ?? [];
  const mapTypes = createMapTypes(manifests);
  const stack = new AsyncDisposableStack();
  try {
    const embedded =
      config.database.url === null
        ? stack.use(await startEmbeddedPostgres({ dataFolder: config.dataFolder, log }))
        : null;
    const databaseUrl = embedded?.url ?? config.database.url ?? "";
    const { db } = stack.use(
      openPool({
        url: databaseUrl,
        maxConnections: config.database.connections,
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        log,
      }),
    );
    await prepareDatabase(databaseUrl, log);
    const blobs = stack.use(await openBlobStore(config.blobs, clock));
    const signals = stack.use(openPipelineSignals(databaseUrl, log));

    const port = config.http.port === 0 ? await freePort() : config.http.port;
    const signingKey = await mapSigningKey(db);
    const audit = createAuditService({ db, clock });
    const secondFactor = createSecondFactor({
      db,
      clock,
      key: derivedKey(signingKey, "second factors"),
      throttle: createLoginThrottle({ db, clock }),
      record: factorRecorder(audit),
    });
    const identity = createIdentity({
      db,
      clock,
      config: identityConfig(config, port),
      secondFactor,
      recordMadeUser: madeUserRecorder(audit),
    });
    const stopping = new AbortController();
    const pipelines = createPipelineService({
      db,
      signals,
      retentionDays: config.retentionDays,
      stopping: stopping.signal,
    });
    const users = createUserService({ db, clock, identity, audit });
    const renderer = stack.use(
      createGridRenderer({
        blobs,
        workers: config.tileWorkers,
        cacheBytes: config.blockCacheBytes,
        s3: config.blobs.kind === "s3" ? config.blobs : null,
      }),
    );
    const factories = sourceFactories({ clock, log });
    const { catalog, bindingOf, sourceTimeoutMs, catalogueDays } = configuredCatalogue(config, factories);
    const sources = stack.use(
      createSourceBindings({ catalogue: { findDataset: catalog.findDataset, bindingOf }, factories }),
    );
    const imagery = createImageryService({
      db,
      clock,
      thumbnails: createThumbnailRenderer(renderer),
      catalog,
      sources,
      log,
      sourceTimeoutMs,
      catalogueDays,
    });
    if (config.roles.worker) stack.use(startForgetting(imagery, log));
    const baselines = createBaselineService({ db, imagery, source: simulatedOrbits });
    const credits = createCreditsService({ db, clock, mapTypes, imagery, catalog });
    const creditAdministration = createCreditAdministration({ db, clock, mapTypes, catalog, audit });
    const usageExporter = createUsageExporter({
      db,
      clock,
      signingKey: derivedKey(signingKey, "usage addresses"),
    });
    // The embedded database holds the lock of the data folder.
    const folders = await openWorkFolders(join(config.dataFolder, "work"), clock, config.database.url === null);
    const ingestion = stack.use(
      createIngestionService({
        db,
        clock,
        blobs,
        imagery,
        orbits: baselines,
        pipelines,
        sources,
        catalog,
        uploads: await openUploadFolder(join(config.dataFolder, "uploads")),
        folders,
        readUpload: readUploadInWorker,
        signingKey: derivedKey(signingKey, "upload addresses"),
        maxUploadBytes: config.maxUploadBytes,
        log,
      }),
    );
    const exporting = stack.use(
      createExportService({
        db,
        clock,
        blobs,
        catalog,
        imagery,
        credits,
        ingestion,
        makeImage: (job, signal) => exportInWorker(blobs, job, signal),
        signingKey: derivedKey(signingKey, "image addresses"),
        log,
      }),
    );
    const weather = createWeatherService({ db, clock, sources, windows: stack.use(createWindowReader(blobs)) });
    const s3 = config.blobs.kind === "s3" ? config.blobs : null;
    const analyser = stack.use(createAnalyser({ threads: config.tileWorkers, s3, models: config.models }));
    const parts = createAnalysisParts({ db, blobs, folders, analyser, pipelines });
    const downloads = stack.use(
      createDownloads({ db, clock, blobs, signingKey: derivedKey(signingKey, "download addresses"), log }),
    );
    const maps = createMapsService({
      db,
      clock,
      mapTypes,
      results: createResults({ db, clock, blobs, folders, analyser, parts }),
      downloads,
      writeReport: writeReportInWorker,
      catalog,
      imagery,
      credits,
      ingestion,
      renderer,
      signingKey,
      renderedCacheBytes: config.renderedCacheBytes,
    });

    const apiKeys = createApiKeyService({ db, clock, audit });
    const mfa = createMfaService({ db, secondFactor, builtIn: identity.builtIn !== null });

    const handlers = {
      apiKeys: apiKeysHandlers(apiKeys),
      audit: auditHandlers(audit),
      baselines: baselinesHandlers(baselines),
      credits: creditsHandlers(credits, creditAdministration, usageExporter),
      export: exportHandlers(exporting),
      featureStore: featureStoreHandlers(createFeatureStoreService({ db })),
      geojson: geojsonHandlers(createGeojsonService({ db, clock })),
      imagery: imageryHandlers(imagery),
      ingestion: ingestionHandlers(ingestion),
      maps: mapsHandlers(maps),
      mfa: mfaHandlers(mfa),
      pipelines: pipelinesHandlers(pipelines),
      users: usersHandlers(users),
      weather: weatherHandlers(weather),
    };

    let http: HttpServer | null = null;
    const workers: Worker[] = [];
    return {
      async start() {
        const firstStart = config.roles.api ? await bootstrap(config, { users, credits }) : { users: [] };
        if (config.roles.worker) {
          if (embedded !== null) await endAllLeases(db);
          const shared = { db, signals, log, retentionDays: config.retentionDays };
          workers.push(
            startWorker({
              ...shared,
              handlers: pipelineHandlers(contract, handlers),
              concurrency: config.pipelineConcurrency,
              kindLimits: pipelineLimits(config),
            }),
            // Pipelines of the first wait for those of the second, which therefore need places of their own.
            startWorker({ ...shared, handlers: ingestion.fetchHandlers, concurrency: fetchConcurrency(config) }),
            // A part keeps all threads of a process busy.
            startWorker({ ...shared, handlers: parts.handlers, concurrency: 1 }),
          );
        }
        if (!config.roles.api) return { url: null, firstStart };
        http = await createHttpServer({
          contract,
          handlers,
          permissions: {
            export: exportPermissions(catalog),
            imagery: imageryPermissions(catalog),
            maps: mapsPermissions(mapTypes),
          },
          db,
          pipelines,
          identity,
          config: httpConfig(config),
          clock,
          log,
        });
        const address = await http.listen({ host: config.http.host, port });
        return { url: config.http.publicUrl ?? address, firstStart };
      },

      async [Symbol.asyncDispose]() {
        // Requests first: they may still enqueue work. Then pipelines, then what both have used.
        stopping.abort();
        if (http !== null) await stopHttp(http, config.drainMs, log);
        await Promise.all(workers.map(async (worker) => worker.stop(config.drainMs)));
        await stack.disposeAsync();
      },
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Waits for the server and brings the schema up to date, over connections without a time limit: indexes take long. */
async function prepareDatabase(url: string, log: Log): Promise<void> {
  await using pool = openPool({ url, maxConnections: 2, statementTimeoutMs: 0, log });
  await waitForServer(pool.db, log);
  await migrate(pool.db, log);
}

/** Answers who waits, lets requests under way end, and cuts off those that do not in time. */
async function stopHttp(http: HttpServer, drainMs: number, log: Log): Promise<void> {
  const { server } = http.app;
  http.drain();
  const closed = http.close();
  // A connection that was busy when listening ended stays open for its client's next request.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  try {
    if (await within(closed, drainMs)) return;
    log.warn({}, "requests did not end in time and are aborted");
    http.abort();
    if (await within(closed, ABORT_PATIENCE_MS)) return;
    server.closeAllConnections();
    await within(closed, ABORT_PATIENCE_MS);
  } finally {
    clearInterval(sweep);
  }
}
