import type { FastifyInstance } from "fastify";
import type { DatabaseProbe } from "../platform/storage/database-probe.ts";
import type { StorageWatch } from "../platform/storage/storage-watch.ts";
import type { RouteTable } from "./route-table.ts";

export interface HealthDeps {
  readonly database: Pick<DatabaseProbe, "takesWrites">;
  readonly storage: Pick<StorageWatch, "fault">;
  readonly routes: RouteTable;
  readonly isStopping: () => boolean;
}

/**
 * `GET /health` and `/health/live`: the process answers. `GET /health/ready`: its database and its storage also take
 * writes, and it is not stopping; 503 otherwise. Probes write at most once a second, however often they are asked.
 */
export function mountHealthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  for (const url of ["/health", "/health/live", "/health/ready"]) deps.routes.add(url, ["GET", "HEAD"]);
  app.get("/health/live", async () => ({ status: "ok" }));
  for (const url of ["/health", "/health/ready"]) {
    app.get(url, async (_request, reply) => {
      const fault = await faultOf(deps);
      if (fault !== null) reply.code(503).header("retry-after", "2");
      reply.header("cache-control", "no-store");
      return { status: fault ?? "ok", live: true, ready: fault === null };
    });
  }
}

async function faultOf({ database, isStopping, storage }: HealthDeps): Promise<string | null> {
  if (isStopping()) return "stopping";
  const [takesWrites, fault] = await Promise.all([database.takesWrites(), storage.fault("files")]);
  if (isStopping()) return "stopping";
  if (!takesWrites) return "database unreachable";
  return fault === null ? null : `storage ${fault}`;
}
