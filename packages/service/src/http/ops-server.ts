import Fastify from "fastify";
import { mountHealthRoutes, type HealthDeps } from "./health-routes.ts";
import { createRouteTable } from "./route-table.ts";

/** The port for operators. */
export interface OpsServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:9090`. */
  readonly url: string;
}

/** Answers probes at a port beside the one of clients. It keeps answering until disposed, while the service stops. */
export async function openOpsServer(
  deps: Omit<HealthDeps, "routes">,
  listensOn: { readonly host: string; readonly port: number },
): Promise<OpsServer> {
  const routes = createRouteTable();
  const app = Fastify({ logger: false, forceCloseConnections: true });
  mountHealthRoutes(app, { ...deps, routes });
  app.setNotFoundHandler(async (request, reply) => {
    const refusal = routes.refusal(request.method, request.url);
    await reply.code(404).send({ error: refusal.code, errorMessage: refusal.message });
  });
  const url = await app.listen(listensOn);
  return { url, [Symbol.asyncDispose]: () => app.close() };
}
