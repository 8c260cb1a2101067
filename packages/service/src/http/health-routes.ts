import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Db } from "../platform/context.ts";
import type { RouteTable } from "./route-table.ts";

const READY_WITHIN_MS = 2000;

/**
 * `GET /health` and `/health/live`: the process answers. `GET /health/ready`: it can also reach its database and is
 * not stopping; 503 otherwise.
 */
export function mountHealthRoutes(
  app: FastifyInstance,
  deps: { readonly db: Db; readonly routes: RouteTable; readonly isStopping: () => boolean },
): void {
  const { db, routes, isStopping } = deps;
  for (const url of ["/health", "/health/live", "/health/ready"]) routes.add(url, ["GET", "HEAD"]);
  app.get("/health/live", async () => ({ status: "ok" }));
  const readiness = async (): Promise<boolean> => {
    if (isStopping()) return false;
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), READY_WITHIN_MS);
    try {
      const reached = sql`select 1`.execute(db).then(
        () => true,
        () => false,
      );
      return await Promise.race([reached, late]);
    } finally {
      clearTimeout(timer);
    }
  };
  for (const url of ["/health", "/health/ready"]) {
    app.get(url, async (_request, reply) => {
      const ready = await readiness();
      if (!ready) reply.code(503).header("retry-after", "2");
      reply.header("cache-control", "no-store");
      return { status: ready ? "ok" : isStopping() ? "stopping" : "database unreachable", live: true, ready };
    });
  }
}
