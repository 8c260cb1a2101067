import type { FastifyInstance } from "fastify";
import type { RouteTable } from "../route-table.ts";
import type { SendConsoleFile } from "./console-sender.ts";
import { pagePolicy } from "./page-policy.ts";

const PAGE = "map.html";

/**
 * The public page of one map at `/m/:mapId`, and the same for frames of any site at `/m/:mapId/embed`. The page reads
 * the map by its ID, and says so where the ID grants nothing. It has no session.
 */
export function mountPublicMap(
  app: FastifyInstance,
  { routes, send }: { readonly routes: RouteTable; readonly send: SendConsoleFile },
): void {
  const common = { "permissions-policy": "geolocation=()" };
  const page = send(PAGE, {
    ...common,
    "content-security-policy": pagePolicy("'none'"),
    "cross-origin-opener-policy": "same-origin",
  });
  const embed = send(PAGE, { ...common, "content-security-policy": pagePolicy("*") });
  routes.add("/m/:mapId", ["GET", "HEAD"]);
  app.get("/m/:mapId", { compress: false }, page);
  routes.add("/m/:mapId/embed", ["GET", "HEAD"]);
  app.get("/m/:mapId/embed", { compress: false }, async (request, reply) => {
    // The policy of the page permits frames; the general header would forbid them.
    reply.removeHeader("x-frame-options");
    return await embed(request, reply);
  });
}
