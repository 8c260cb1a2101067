import Fastify from "fastify";
import type { Log } from "@swath/base/log/log";
import { mountHealthRoutes, type HealthDeps } from "./health-routes.ts";
import { mountMetricsRoute, type MetricsDeps } from "./metrics-route.ts";
import { sendError } from "./render-error.ts";
import { createRouteTable } from "./route-table.ts";
import { securityHeaders } from "./security-headers.ts";
import { refuseUnreadable } from "./unreadable-request.ts";

export interface OpsDeps extends Omit<HealthDeps, "routes"> {
  readonly metrics: Omit<MetricsDeps, "routes">;
  readonly log: Log;
}

/** The port for operators. */
export interface OpsServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:9090`. */
  readonly url: string;
}

/** The public URL leads to the port of clients: the port for operators may lack HTTPS. */
const HEADERS = securityHeaders({ publicUrl: null });

/** Whether only programs of this machine reach the address. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/**
 * Answers probes and scrapes at a port beside the one of clients. It keeps answering until disposed, while the service
 * stops. Beyond the loopback interface it has metrics only with their token.
 */
export async function openOpsServer(
  deps: OpsDeps,
  listensOn: { readonly host: string; readonly port: number },
): Promise<OpsServer> {
  const routes = createRouteTable();
  const { log, metrics } = deps;
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) => {
      reply.headers(HEADERS);
      void sendError(error, request, reply, log);
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, HEADERS),
  });
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers(HEADERS);
  });
  mountHealthRoutes(app, { ...deps, routes });
  if (metrics.token !== null || isLoopback(listensOn.host)) mountMetricsRoute(app, { ...metrics, routes });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, log));
  app.setNotFoundHandler((request) => {
    throw routes.refusal(request.method, request.url);
  });
  const url = await app.listen(listensOn);
  return { url, [Symbol.asyncDispose]: () => app.close() };
}
