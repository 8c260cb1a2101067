import type { SigningKeys } from "../platform/signed-text.ts";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type { Schedule } from "@swath/base/concurrency/schedule";
import type { Log } from "@swath/base/log/log";
import type { OrbitSource } from "@swath/kernel/orbits/orbit-source";
import type { Analyser } from "@swath/maps/engine/analyser";
import type { MapTypes } from "@swath/maps/registry";
import type { GridRenderer } from "@swath/maps/render/grid-renderer";
import type { WindowReader } from "@swath/maps/render/read-window";
import type { Config } from "../platform/config/config.ts";
import type { Db } from "../platform/context.ts";
import type { EventSignals } from "../platform/events/event-signals.ts";
import type { Areas } from "../platform/geometry/areas.ts";
import type { FeatureTests } from "../platform/geometry/feature-tests.ts";
import type { PassSearch } from "../platform/geometry/pass-search.ts";
import type { Identity } from "../platform/identity/identity.ts";
import type { RightsChanges } from "../platform/identity/rights-changes.ts";
import type { SecondFactor } from "../platform/identity/second-factor.ts";
import type { CacheMeters } from "../platform/metrics/cache-meters.ts";
import type { PipelineService } from "../platform/queue/pipeline-service.ts";
import type { SavedMaps } from "../platform/saved-maps.ts";
import type { DiskSpace } from "../platform/storage/disk-space.ts";
import type { StorageWatch } from "../platform/storage/storage-watch.ts";
import type { UploadFolder } from "../platform/uploads/upload-folder.ts";
import type { WorkFolders } from "../platform/uploads/work-folders.ts";
import type { Catalog } from "../providers/catalog.ts";
import type { SourceBindings } from "../sources/bindings.ts";
import type { CatalogueConfiguration } from "../sources/catalogue-configuration.ts";
import type { RegisteredItems } from "../sources/registered/registered-items.ts";
import type { TaskingProviders } from "../tasking-providers/tasking-provider.ts";

/** Values that one process of the service has once, by the names that features need them by. */
export interface Platform {
  /** Threads that analyse pixels. */
  readonly analyser: Analyser;
  /** Areas of requests, and threads for slow ones. */
  readonly areas: Areas;
  readonly blobs: BlobStore;
  /** Take the readings of caches for the metrics of the process. */
  readonly caches: CacheMeters;
  /** Providers and datasets as configured. */
  readonly catalog: Catalog;
  readonly catalogue: CatalogueConfiguration;
  readonly clock: Clock;
  readonly config: Config;
  readonly db: Db;
  /** Free space of the disks that the service writes to. */
  readonly disk: DiskSpace;
  readonly events: EventSignals;
  /** Exact tests of features against queries, and threads for slow ones. */
  readonly featureTests: FeatureTests;
  /** Temporary folders of running work. */
  readonly folders: WorkFolders;
  readonly identity: Identity;
  /** Items whose files stay where they are. */
  readonly items: RegisteredItems;
  readonly log: Log;
  /** Built-in map types and installed models. */
  readonly mapTypes: MapTypes;
  /** Orbits of scenes without stored state vectors. */
  readonly orbits: Pick<OrbitSource, "stateVectors">;
  /** Windows of satellites over areas, and threads that compute them. */
  readonly passes: PassSearch;
  readonly queue: PipelineService;
  /** Threads that draw tiles. */
  readonly renderer: GridRenderer;
  /** Changes of users, groups and keys, by whichever process. */
  readonly rights: RightsChanges;
  /** What maps read of analyses. */
  readonly savedMaps: SavedMaps;
  readonly schedule: Pick<Schedule, "soon">;
  readonly secondFactor: SecondFactor;
  readonly secrets: Secrets;
  readonly sources: SourceBindings;
  /** Whether blobs and disks take writes. */
  readonly storage: StorageWatch;
  /** Take orders for new captures. */
  readonly taskingProviders: TaskingProviders;
  /** Partial uploads of this process. */
  readonly uploads: UploadFolder;
  readonly windows: WindowReader;
}

/** Secrets of the service, the same in all of its processes. */
export interface Secrets {
  /** Sign map IDs. */
  readonly mapIds: SigningKeys;
  /** Keys for the addresses of one purpose. */
  keysFor(this: void, purpose: string): SigningKeys;
  /** A secret of 32 bytes for one purpose, which never changes. */
  keyFor(this: void, purpose: string): Uint8Array;
}
