import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { EXPOSITION_TYPE, writeExposition, type MetricFamily } from "../platform/metrics/exposition.ts";
import type { RouteTable } from "./route-table.ts";

export interface MetricsDeps {
  readonly routes: RouteTable;
  readonly read: () => Promise<readonly MetricFamily[]>;
  /** Bearer token that readers need; null where only operators reach the port. */
  readonly token: string | null;
}

/** `GET /metrics`: the metrics of this process in the text format of Prometheus. */
export function mountMetricsRoute(app: FastifyInstance, { read, routes, token }: MetricsDeps): void {
  routes.add("/metrics", ["GET", "HEAD"]);
  app.get("/metrics", { logLevel: "silent" }, async (request, reply) => {
    if (token !== null && !isToken(request.headers.authorization, token)) {
      throw new ServiceError("INVALID-AUTHORIZATION-HEADER", "Expected the token of SWATH_METRICS_TOKEN");
    }
    reply.header("cache-control", "no-store").type(EXPOSITION_TYPE);
    return writeExposition(await read());
  });
}

/** Compares digests: the time tells neither the length nor the beginning of the token. */
function isToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? "")?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
