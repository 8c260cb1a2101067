import { join } from "node:path";
import { openBlobStore } from "@swath/base/blobs/open-blob-store";
import { systemClock } from "@swath/base/clock";
import { Schedule } from "@swath/base/concurrency/schedule";
import type { Log } from "@swath/base/log/log";
import { createAnalyser } from "@swath/maps/engine/analyser";
import { keepModels } from "@swath/maps/models/runtime/keep-models";
import { createLiveMapTypes } from "@swath/maps/registry";
import { createGridRenderer } from "@swath/maps/render/create-grid-renderer";
import { createWindowReader } from "@swath/maps/render/read-window";
import { simulatedOrbits } from "@swath/simulator/simulated-orbits";
import { externalRecorder, factorRecorder } from "./compose-audit.ts";
import { openDatabase, type OpenedDatabase } from "./compose-database.ts";
import { derivedKey, identityConfig } from "./compose-settings.ts";
import { configuredCatalogue, sourceFactories } from "./compose-sources.ts";
import { createSavedMaps } from "./features/analyses/saved-maps.ts";
import { createAuditService } from "./features/audit/service.ts";
import type { Platform, Secrets } from "./feature-kit/platform.ts";
import type { Config } from "./platform/config/config.ts";
import { createAreas } from "./platform/geometry/areas.ts";
import type { Db } from "./platform/context.ts";
import { scheduleEvents } from "./platform/events/event-schedule.ts";
import { EVENT_CHANNELS, eventSignals } from "./platform/events/event-signals.ts";
import { createPassSearch } from "./platform/geometry/pass-search.ts";
import { createFeatureTests } from "./platform/geometry/feature-tests.ts";
import { heldPermissions } from "./providers/held-permissions.ts";
import { createIdentity } from "./platform/identity/identity.ts";
import { createLoginThrottle } from "./platform/identity/login-throttle.ts";
import { RIGHTS_CHANNEL, watchRights } from "./platform/identity/rights-changes.ts";
import { createCacheMeters } from "./platform/metrics/cache-meters.ts";
import { createSecondFactor } from "./platform/identity/second-factor.ts";
import { openLinkKeys, RELOAD_EVERY_MS, type LinkKeys } from "./platform/link-keys.ts";
import type { PoolCounts } from "./platform/postgres/pool.ts";
import { openListening } from "./platform/postgres/listening.ts";
import { freePort } from "@swath/base/processes/free-port";
import { createPipelineService } from "./platform/queue/pipeline-service.ts";
import { PIPELINE_CHANNELS, pipelineSignals, type PipelineSignals } from "./platform/queue/pipeline-signals.ts";
import { createRecentEnds, type RecentEnds } from "./platform/queue/recent-ends.ts";
import { DiskSpace } from "./platform/storage/disk-space.ts";
import { StorageWatch } from "./platform/storage/storage-watch.ts";
import { openUploadFolder } from "./platform/uploads/upload-folder.ts";
import { openWorkFolders } from "./platform/uploads/work-folders.ts";
import { reloadModels } from "./reload-models.ts";
import { createSourceBindings } from "./sources/bindings.ts";
import { createRegisteredItems } from "./sources/registered/registered-items.ts";
import { taskingFactories, taskingProviders } from "./compose-tasking.ts";

/** The platform and the parts of it that only the composition uses. */
export interface ComposedPlatform {
  readonly platform: Platform;
  /** Connections of the pool at present. */
  readonly connections: () => PoolCounts;
  /** Reads the folder of models again. */
  readonly reloadModels: () => Promise<void>;
  /** Address of the database server in use. */
  readonly databaseUrl: string;
  /** Whether the service runs its own database server. */
  readonly hasEmbeddedDatabase: boolean;
  /** The port to listen at. */
  readonly port: number;
  /** Ends of pipelines that this process has stored. */
  readonly recent: RecentEnds;
  readonly schedule: Schedule;
  readonly signals: PipelineSignals;
}

interface Opened {
  readonly config: Config;
  readonly log: Log;
  /** Owns whatever is opened. */
  readonly stack: AsyncDisposableStack;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

/** Opens database, blobs and threads, and builds every value that features need. */
export async function openPlatform(opened: Opened): Promise<ComposedPlatform> {
  const { config, log, stack, stopping } = opened;
  const clock = systemClock;
  const database = await openDatabase(config, log, stack);
  const { db } = database;
  const blobs = stack.use(await openBlobStore(config.blobs, clock));
  const listening = stack.use(
    openListening(database.url, [...PIPELINE_CHANNELS, ...EVENT_CHANNELS, RIGHTS_CHANNEL], log),
  );
  const signals = stack.use(pipelineSignals(listening));
  const rights = watchRights(listening, database);
  const port = config.http.port === 0 ? await freePort() : config.http.port;
  const linkKeys = await openLinkKeys(db, clock);
  const secrets = secretsOf(linkKeys);
  const schedule = new Schedule({ log });
  schedule.add({ name: "platform: read signing keys", everyMs: RELOAD_EVERY_MS, run: () => linkKeys.reload() });
  const events = eventSignals(listening, stopping);
  if (config.roles.worker) scheduleEvents(schedule, { db, events, keptDays: config.eventDays });
  const recent = createRecentEnds();
  const workFolder = join(config.dataFolder, "work");
  const uploadFolder = join(config.dataFolder, "uploads");
  // The embedded database holds the lock of the data folder.
  const folders = await openWorkFolders(workFolder, clock, database.isEmbedded, config.workQuotas);
  const uploads = await openUploadFolder(uploadFolder);
  const blobFolder = config.blobs.kind === "fs" ? [config.blobs.folder] : [];
  const disk = new DiskSpace({
    folders: [config.dataFolder, workFolder, uploadFolder, ...blobFolder],
    reserveBytes: config.diskReserveBytes,
  });
  const { reload, ...imagery } = await imageryValues(opened, db, blobs);
  const caches = createCacheMeters();
  const platform: Platform = {
    ...identityValues(opened, database, { catalog: imagery.catalog, caches, rights, secrets, port }),
    ...imagery,
    areas: stack.use(createAreas()),
    featureTests: stack.use(createFeatureTests()),
    blobs,
    caches,
    clock,
    config,
    db,
    disk,
    events,
    folders,
    log,
    orbits: simulatedOrbits,
    queue: createPipelineService({
      db,
      signals,
      retentionDays: config.retentionDays,
      limits: config.queue,
      recent,
      stopping,
    }),
    rights,
    savedMaps: createSavedMaps({ db }),
    schedule,
    secrets,
    storage: new StorageWatch({ blobs, disk, folders: [workFolder, uploadFolder], log }),
    uploads,
  };
  return {
    platform,
    reloadModels: reload,
    connections: database.counts,
    databaseUrl: database.url,
    hasEmbeddedDatabase: database.isEmbedded,
    port,
    recent,
    schedule,
    signals,
  };
}

function secretsOf({ first, current }: LinkKeys): Secrets {
  return {
    mapIds: current,
    keysFor: (purpose) => () => current().map((secret) => derivedKey(secret, purpose)),
    keyFor: (purpose) => derivedKey(first, purpose),
  };
}

function identityValues(
  { config }: Opened,
  { db }: OpenedDatabase,
  {
    catalog,
    caches,
    rights,
    secrets,
    port,
  }: Pick<Platform, "catalog" | "caches" | "rights" | "secrets"> & { readonly port: number },
): Pick<Platform, "identity" | "secondFactor"> {
  const clock = systemClock;
  const audit = createAuditService({ db, clock });
  const secondFactor = createSecondFactor({
    db,
    clock,
    key: secrets.keyFor("second factors"),
    throttle: createLoginThrottle({ db, clock }),
    record: factorRecorder(audit),
  });
  const identity = createIdentity({
    heldFrom: (granted) => heldPermissions(catalog, granted),
    db,
    clock,
    config: identityConfig(config, port),
    changes: rights,
    caches,
    secondFactor,
    recordExternal: externalRecorder(audit),
  });
  return { identity, secondFactor };
}

async function imageryValues(
  { config, log, stack }: Opened,
  db: Db,
  blobs: Platform["blobs"],
): Promise<
  Pick<
    Platform,
    | "analyser"
    | "catalog"
    | "catalogue"
    | "items"
    | "mapTypes"
    | "passes"
    | "renderer"
    | "sources"
    | "taskingProviders"
    | "windows"
  > & {
    readonly reload: () => Promise<void>;
  }
> {
  const factories = sourceFactories({ clock: systemClock, log, db });
  const passes = stack.use(createPassSearch());
  const tasking = taskingFactories({ clock: systemClock, log, db, passes, speed: config.taskingSpeed });
  const catalogue = configuredCatalogue(config, factories, tasking);
  const { bindingOf, catalog } = catalogue;
  const s3 = config.blobs.kind === "s3" ? config.blobs : null;
  const { blockCacheBytes: cacheBytes, models, tileWorkers: threads } = config;
  const keptFolder = join(config.dataFolder, "models");
  const installed = models === null ? [] : await keepModels(models.installed, keptFolder, systemClock.now());
  const kept = models === null ? null : { installed, limits: models.limits };
  const analyser = stack.use(createAnalyser({ threads, s3, models: kept }));
  const mapTypes = createLiveMapTypes(installed.map(({ manifest }) => manifest));
  return {
    reload: () => reloadModels({ models, keptFolder, analyser, mapTypes, clock: systemClock, log }),
    analyser,
    catalog,
    catalogue,
    items: stack.use(createRegisteredItems(catalogue.items ?? {}, { clock: systemClock, log, db })),
    mapTypes,
    passes,
    renderer: stack.use(createGridRenderer({ blobs, workers: threads, cacheBytes, s3 })),
    sources: stack.use(createSourceBindings({ catalogue: { findDataset: catalog.findDataset, bindingOf }, factories })),
    taskingProviders: stack.use(taskingProviders(catalogue, tasking)),
    windows: stack.use(createWindowReader(blobs)),
  };
}
