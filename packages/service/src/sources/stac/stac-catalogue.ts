import { LRUCache } from "lru-cache";
import type { Clock } from "@swath/base/clock";
import { type Log, silentLog } from "@swath/base/log/log";
import type { HostBreakers } from "@swath/raster/remote/host-breakers";
import { HeaderCache } from "@swath/raster/remote/http-byte-source";
import { createHostRules, type HostRules } from "@swath/raster/remote/host-rules";
import { createHttpTransport, type HttpTransport } from "@swath/raster/remote/http-transport";
import { createRemoteClient, type RemoteClient, type Timers } from "@swath/raster/remote/remote-client";
import type { StacSourceConfig } from "./config.ts";
import { createAuthorize } from "./credentials.ts";
import type { CatalogueItem } from "./item-scene.ts";
import { createStacApi, type StacApi } from "./stac-api.ts";

export interface StacSourceDeps {
  readonly clock: Clock;
  readonly log?: Log;
  /** Time of pauses and timeouts; the system's unless given. */
  readonly timers?: Timers;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: () => number;
  /** Laid around the source's own transport, for measuring and tests. */
  readonly observe?: (transport: HttpTransport) => HttpTransport;
  /** Whether hosts are well, shared with other sources; by default its alone. */
  readonly breakers?: HostBreakers;
  /** Beginnings of files, shared with sources that have the same credentials; by default its alone. */
  readonly headers?: HeaderCache;
}

/** A configured catalogue: its API, its hosts and its last items. */
export interface StacCatalogue extends Disposable {
  readonly config: StacSourceConfig;
  /** For messages. */
  readonly name: string;
  readonly root: URL;
  readonly clock: Clock;
  readonly log: Log;
  readonly rules: HostRules;
  readonly client: RemoteClient;
  readonly api: StacApi;
  readonly headers: HeaderCache;
  /** Items by scene identifier, and the moment at which they were read. */
  readonly kept: LRUCache<string, { readonly item: CatalogueItem; readonly atMs: number }>;
}

/** Items kept for opening and pictures after a search found them. */
const KEPT_ITEMS = 1000;

/**
 * Sends nothing yet; the configuration is checked here.
 *
 * @throws {Error} when the configuration contradicts itself or a secret is missing
 */
export function connectCatalogue(config: StacSourceConfig, deps: StacSourceDeps): StacCatalogue {
  const { clock, log = silentLog } = deps;
  const root = new URL(config.url);
  const name = config.name ?? root.host;
  const rules = createHostRules({
    hosts: [`${root.protocol}//${root.host}`, ...(config.hosts ?? [])],
    ...(config.privateHosts === undefined ? {} : { privateHosts: config.privateHosts }),
  });
  const authorize = createAuthorize(config.credentials ?? [], clock, () => client);
  const transport = createHttpTransport({ rules, authorize, maxSockets: config.concurrency ?? 8 });
  const client: RemoteClient = createRemoteClient({
    transport: deps.observe?.(transport) ?? transport,
    clock,
    log,
    ...(deps.timers === undefined ? {} : { timers: deps.timers }),
    ...(deps.random === undefined ? {} : { random: deps.random }),
    attempts: config.attempts ?? 4,
    timeoutMs: config.timeoutMs ?? 30_000,
    concurrency: config.concurrency ?? 8,
    ...(deps.breakers === undefined ? {} : { breakers: deps.breakers }),
  });
  return {
    config,
    name,
    root,
    clock,
    log,
    rules,
    client,
    api: createStacApi({ client, url: root, name, method: config.method ?? "auto" }),
    headers: deps.headers ?? new HeaderCache(clock),
    kept: new LRUCache({ max: KEPT_ITEMS }),
    [Symbol.dispose]: () => {
      transport[Symbol.dispose]();
    },
  };
}

export function keepItem({ kept, clock }: StacCatalogue, item: CatalogueItem): CatalogueItem {
  kept.set(item.scene.sceneId, { item, atMs: clock.now().getTime() });
  return item;
}
