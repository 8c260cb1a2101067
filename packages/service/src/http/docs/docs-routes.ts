import type { FastifyInstance } from "fastify";
import { createHash } from "node:crypto";
import { readExamples } from "../openapi/examples.ts";
import { openApiDocument } from "../openapi/openapi.ts";
import type { ServiceContract } from "@swath/contract/kit/contract";
import { identityPaths, issuerConsolePaths } from "../identity-document.ts";
import type { RouteTable } from "../route-table.ts";
import { HTML_TYPE, JSON_TYPE, page, sendPage, type Page, type PageDeps } from "../pages/send-page.ts";
import { docsPage } from "./docs-page.ts";
import { DOCS_SCRIPT } from "./docs-script.ts";
import { HOME_POINTERS, prefersPage } from "./home-page.ts";

const NO_OUTSIDE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * `GET /openapi.json`, and `GET /docs`: the same for people, in one page that asks nobody else for anything. `GET /`
 * leads a browser to the console and answers a program with JSON.
 */
export function mountDocsRoutes(
  app: FastifyInstance,
  deps: PageDeps & {
    readonly contract: ServiceContract;
    readonly routes: RouteTable;
    readonly builtIn: boolean;
  },
): void {
  // Written on first demand: start-up does not wait for pages that may never be asked for.
  let json: Page | null = null;
  let html: Page | null = null;
  const document = (): ReturnType<typeof openApiDocument> =>
    openApiDocument(deps.contract, {
      extraPaths: deps.builtIn ? identityPaths : issuerConsolePaths,
      examples: readExamples(),
    });

  deps.routes.add("/openapi.json", ["GET", "HEAD"]);
  app.get("/openapi.json", async (request, reply) => {
    json ??= page(JSON.stringify(document()), JSON_TYPE);
    return await sendPage(deps, request, reply, json);
  });

  deps.routes.add("/docs", ["GET", "HEAD"]);
  const scriptHash = createHash("sha256").update(DOCS_SCRIPT).digest("base64");
  app.get("/docs", async (request, reply) => {
    html ??= page(docsPage(document()), HTML_TYPE);
    const allowed = `style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; connect-src 'self'`;
    reply.header("content-security-policy", `default-src 'none'; ${allowed}; ${NO_OUTSIDE}`);
    return await sendPage(deps, request, reply, html);
  });

  mountHome(app, deps);
}

/** Browsers go to the console, programs read where everything is. */
function mountHome(app: FastifyInstance, deps: PageDeps & { readonly routes: RouteTable }): void {
  const pointers = page(JSON.stringify(HOME_POINTERS), JSON_TYPE);
  deps.routes.add("/", ["GET", "HEAD"]);
  app.get("/", async (request, reply) => {
    reply.header("vary", "accept");
    if (prefersPage(request.headers.accept)) return await reply.redirect("/console", 302);
    return await sendPage(deps, request, reply, pointers);
  });
}
