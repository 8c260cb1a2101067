import type { FastifyInstance } from "fastify";
import type { PageDeps } from "../pages/send-page.ts";
import type { RouteTable } from "../route-table.ts";
import { basemapNames, consoleFileNames } from "./console-files.ts";
import { consoleSender } from "./console-sender.ts";
import { pagePolicy } from "./page-policy.ts";
import { mountPublicMap } from "./public-map-routes.ts";

const PAGE = "index.html";

const HEADERS = {
  "content-security-policy": pagePolicy("'none'"),
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "geolocation=(self)",
} as const;

/** The web console: its page at `/console` and below, the files of its bundle, the outlines of land, and public maps. */
export function mountConsole(app: FastifyInstance, deps: PageDeps & { readonly routes: RouteTable }): void {
  const { routes } = deps;
  const send = consoleSender(deps);
  for (const name of [...consoleFileNames(), ...basemapNames()]) {
    if (name.endsWith(".html")) continue;
    routes.add(`/console/${name}`, ["GET", "HEAD"]);
    app.get(`/console/${name}`, { compress: false }, send(name));
  }
  const page = send(PAGE, HEADERS);
  routes.add("/console", ["GET", "HEAD"]);
  app.get("/console", { compress: false }, page);
  // Each view of the console has a separate address, which the page reads; addresses with a dot are files.
  app.get("/console/*", { compress: false }, async (request, reply) => {
    const [path = ""] = request.url.split("?");
    if (path.includes(".")) throw routes.refusal(request.method, path);
    return await page(request, reply);
  });
  mountPublicMap(app, { routes, send });
}
