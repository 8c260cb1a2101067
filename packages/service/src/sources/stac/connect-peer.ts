import type { Clock } from "@swath/base/clock";
import { type Log, silentLog } from "@swath/base/log/log";
import type { HostBreakers } from "@swath/raster/remote/host-breakers";
import { createHostRules, type HostRules } from "@swath/raster/remote/host-rules";
import { createHttpTransport, type HttpTransport } from "@swath/raster/remote/http-transport";
import { createRemoteClient, type RemoteClient, type Timers } from "@swath/raster/remote/remote-client";
import type { StacSourceConfig } from "./config.ts";
import { createAuthorize } from "./credentials.ts";

/** Hosts that may be asked, and how. */
export type HostsConfig = Pick<
  StacSourceConfig,
  "hosts" | "privateHosts" | "credentials" | "timeoutMs" | "attempts" | "concurrency"
>;

/** The address of an API and how its hosts are asked. */
export type PeerConfig = HostsConfig & Pick<StacSourceConfig, "url" | "name">;

export interface PeerDeps {
  readonly clock: Clock;
  readonly log?: Log;
  /** Time of pauses and timeouts; the system's unless given. */
  readonly timers?: Timers;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: () => number;
  /** Laid around the transport of the peer, for measuring and tests. */
  readonly observe?: (transport: HttpTransport) => HttpTransport;
  /** Whether hosts are well, shared with other peers; by default its alone. */
  readonly breakers?: HostBreakers;
}

/** Hosts that may be asked, with their credentials. */
export interface ConnectedHosts extends Disposable {
  readonly clock: Clock;
  readonly log: Log;
  readonly rules: HostRules;
  /** Sends once; `client` sends again what fails. */
  readonly transport: HttpTransport;
  readonly client: RemoteClient;
}

/** The hosts of an API, with its address. */
export interface ConnectedPeer extends ConnectedHosts {
  /** For messages. */
  readonly name: string;
  readonly root: URL;
}

/**
 * Sends nothing yet; the configuration is checked here.
 *
 * @throws {Error} when the configuration contradicts itself or a secret is missing
 */
export function connectPeer(config: PeerConfig, deps: PeerDeps): ConnectedPeer {
  const root = new URL(config.url);
  const hosts = [`${root.protocol}//${root.host}`, ...(config.hosts ?? [])];
  return { ...connectHosts({ ...config, hosts }, deps), name: config.name ?? root.host, root };
}

/**
 * Sends nothing yet; the configuration is checked here.
 *
 * @throws {Error} when the configuration contradicts itself or a secret is missing
 */
export function connectHosts(config: HostsConfig, deps: PeerDeps): ConnectedHosts {
  const { clock, log = silentLog } = deps;
  const rules = createHostRules({
    hosts: config.hosts ?? [],
    ...(config.privateHosts === undefined ? {} : { privateHosts: config.privateHosts }),
  });
  const authorize = createAuthorize(config.credentials ?? [], clock, () => client);
  const own = createHttpTransport({ rules, authorize, maxSockets: config.concurrency ?? 8 });
  const transport = deps.observe?.(own) ?? own;
  const client: RemoteClient = createRemoteClient({
    transport,
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
    clock,
    log,
    rules,
    transport,
    client,
    [Symbol.dispose]: () => {
      own[Symbol.dispose]();
    },
  };
}
