import type { ComposedPlatform } from "./compose-platform.ts";
import type { CreatedFeatures } from "./feature-kit/create-features.ts";
import type { ServerMetrics } from "./http/server.ts";
import { trafficMetrics } from "./http/traffic/traffic-metrics.ts";
import type { Traffic } from "./http/traffic/traffic.ts";
import { diskMetrics } from "./platform/metrics/disk-metrics.ts";
import { single, type MetricFamily } from "./platform/metrics/exposition.ts";
import { ProcessMetrics } from "./platform/metrics/process-metrics.ts";
import { QueueMetrics } from "./platform/metrics/queue-metrics.ts";
import { createRequestMetrics } from "./platform/metrics/request-metrics.ts";
import type { PoolCounts } from "./platform/postgres/pool.ts";
import { operationLanes } from "./worker/operation-handlers.ts";

/** The metrics of a process: of its server, its queue, its caches, its pool, its disks and itself. */
export function composeMetrics(
  { connections, platform }: ComposedPlatform,
  { all }: CreatedFeatures,
  stack: AsyncDisposableStack,
  traffic: () => Traffic | null,
): ServerMetrics {
  const { caches, config, db } = platform;
  const requests = createRequestMetrics();
  const own = stack.use(new ProcessMetrics());
  const pools = all.flatMap(({ pipelines }) => pipelines.pools ?? []).map(({ lane }) => lane);
  const queue = new QueueMetrics(db, [...operationLanes, ...pools]);
  const disks = { data: config.dataFolder, ...(config.blobs.kind === "fs" ? { blobs: config.blobs.folder } : {}) };
  return {
    token: config.metricsToken,
    requests,
    async read() {
      const served = traffic();
      return [
        ...requests.families(),
        ...(served === null ? [] : trafficMetrics(served)),
        ...(await queue.families()),
        ...caches.families(),
        ...poolMetrics(connections(), config.database.connections),
        ...(await diskMetrics(disks)),
        single("gauge", "swath_disk_reserve_bytes", "Free space that uploads leave.", config.diskReserveBytes),
        ...own.families(),
      ];
    },
  };
}

function poolMetrics({ idle, open, waiting }: PoolCounts, most: number): readonly MetricFamily[] {
  return [
    {
      name: "swath_database_connections",
      help: "Open connections of the pool, by state.",
      type: "gauge",
      samples: [
        { labels: { state: "idle" }, value: idle },
        { labels: { state: "used" }, value: open - idle },
      ],
    },
    single("gauge", "swath_database_connections_max", "Most connections of the pool.", most),
    single("gauge", "swath_database_queries_waiting", "Queries that wait for a connection.", waiting),
  ];
}
