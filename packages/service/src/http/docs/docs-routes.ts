import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { readExamples } from "../openapi/examples.ts";
import { openApiDocument } from "../openapi/openapi.ts";
import type { ServiceContract } from "@swath/contract/kit/contract";
import { matchesEtag } from "../../platform/etag.ts";
import { identityPaths } from "../identity-document.ts";
import type { RouteTable } from "../route-table.ts";
import { addressShare } from "../traffic/share-name.ts";
import type { Traffic } from "../traffic/traffic.ts";
import { workOn } from "../traffic/work.ts";
import { BASE_COST, TOKEN_PAYS } from "@swath/contract/kit/request-cost";
import { meterOfAddress, type Rates } from "../admission.ts";
import { charge } from "../meter.ts";
import { docsPage } from "./docs-page.ts";
import { DOCS_SCRIPT } from "./docs-script.ts";
import { HOME_PAGE, HOME_POINTERS, prefersPage } from "./home-page.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const HTML_TYPE = "text/html; charset=utf-8";
const NO_OUTSIDE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * `GET /openapi.json`, and `GET /docs`: the same for people, in one page that asks nobody else for anything. `GET /`
 * answers a browser with a page of links and a program with JSON.
 */
export function mountDocsRoutes(
  app: FastifyInstance,
  deps: {
    readonly contract: ServiceContract;
    readonly routes: RouteTable;
    readonly builtIn: boolean;
    readonly traffic: Traffic;
    readonly rates: Rates;
  },
): void {
  // Written on first demand: start-up does not wait for pages that may never be asked for.
  let json: Page | null = null;
  let html: Page | null = null;
  const document = (): ReturnType<typeof openApiDocument> =>
    openApiDocument(deps.contract, { extraPaths: deps.builtIn ? identityPaths : [], examples: readExamples() });

  deps.routes.add("/openapi.json", ["GET", "HEAD"]);
  app.get("/openapi.json", async (request, reply) => {
    json ??= page(JSON.stringify(document()));
    return await sendPage(deps, request, reply, json, JSON_TYPE);
  });

  deps.routes.add("/docs", ["GET", "HEAD"]);
  const scriptHash = createHash("sha256").update(DOCS_SCRIPT).digest("base64");
  app.get("/docs", async (request, reply) => {
    html ??= page(docsPage(document()));
    const allowed = `style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; connect-src 'self'`;
    reply.header("content-security-policy", `default-src 'none'; ${allowed}; ${NO_OUTSIDE}`);
    return await sendPage(deps, request, reply, html, HTML_TYPE);
  });

  mountHome(app, deps);
}

function mountHome(app: FastifyInstance, deps: PageDeps & { readonly routes: RouteTable }): void {
  const home = page(HOME_PAGE);
  const pointers = page(JSON.stringify(HOME_POINTERS));
  deps.routes.add("/", ["GET", "HEAD"]);
  app.get("/", async (request, reply) => {
    reply.header("vary", "accept");
    if (!prefersPage(request.headers.accept)) return await sendPage(deps, request, reply, pointers, JSON_TYPE);
    reply.header("content-security-policy", `default-src 'none'; style-src 'unsafe-inline'; ${NO_OUTSIDE}`);
    return await sendPage(deps, request, reply, home, HTML_TYPE);
  });
}

interface Page {
  /** One copy for all readers. */
  readonly bytes: Buffer;
  readonly etag: string;
}

function page(text: string): Page {
  return {
    bytes: Buffer.from(text),
    etag: `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`,
  };
}

interface PageDeps {
  readonly traffic: Traffic;
  readonly rates: Rates;
}

/** A reader pays for the page by its size, and holds a place of its address until it has the page. */
async function sendPage(
  { traffic, rates }: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: Page,
  type: string,
): Promise<FastifyReply> {
  return await workOn(traffic, addressShare(request.ip), reply, async () => {
    reply.header("etag", etag).header("cache-control", "no-cache");
    const isKnown = matchesEtag(request.headers["if-none-match"], etag);
    charge(
      meterOfAddress(request, reply, "read", rates),
      BASE_COST + (isKnown ? 0 : Math.floor(bytes.length / TOKEN_PAYS.bodyBytes)),
    );
    if (isKnown) return reply.code(304).send();
    return reply.type(type).send(bytes);
  });
}
