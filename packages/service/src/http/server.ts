import compress from "@fastify/compress";
import cors from "@fastify/cors";
import Fastify from "fastify";
import type { FastifyInstance } from "fastify";
import { randomUUID } from "node:crypto";
import { maxHeaderSize, type IncomingMessage } from "node:http";
import { constants } from "node:zlib";
import type { ServiceContract } from "@swath/contract/kit/contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../platform/context.ts";
import { DatabaseProbe } from "../platform/storage/database-probe.ts";
import type { StorageWatch } from "../platform/storage/storage-watch.ts";
import type { Identity } from "../platform/identity/identity.ts";
import type { RequestMetrics } from "../platform/metrics/request-metrics.ts";
import type { Log } from "@swath/base/log/log";
import { keepAdmitted } from "./admit-before-body.ts";
import { acceptJsonBodies, acceptStreams, LARGE_BODY_BYTES } from "./body-parsers.ts";
import { mountConsole } from "./console/console-routes.ts";
import { mountDocsRoutes } from "./docs/docs-routes.ts";
import { mountHealthRoutes } from "./health-routes.ts";
import type { HttpConfig } from "./http-config.ts";
import { mountIdentityRoutes } from "./identity-routes.ts";
import { mountContract, type Erased } from "./mount-contract.ts";
import { mountMetricsRoute, type MetricsDeps } from "./metrics-route.ts";
import type { PipelineGate } from "./pipeline-gate.ts";
import { ratesOf } from "./rates.ts";
import { mountResourceMetadata, type TokenIssuer } from "./resource-metadata-route.ts";
import { sendError } from "./render-error.ts";
import { RequestAbortedError } from "./request-aborted-error.ts";
import { createCancellation, type Cancellation } from "./request-context.ts";
import { securityHeaders } from "./security-headers.ts";
import { createRouteTable, type RouteTable } from "./route-table.ts";
import { sendInPieces } from "./traffic/answer-pieces.ts";
import { requestBegins, requestEnds } from "./traffic/connections.ts";
import { paceTooMany } from "./traffic/paced-refusals.ts";
import { addressShare } from "./traffic/share-name.ts";
import { createTraffic, sweepEveryMs, watchTraffic, type Traffic } from "./traffic/traffic.ts";
import { beginInTurn } from "./traffic/turns.ts";
import { refuseUnreadable } from "./unreadable-request.ts";

export interface HttpServerDeps {
  readonly contract: ServiceContract;
  /** By feature and declaration; mounting refuses a declaration without its handler. */
  readonly handlers: Erased;
  /** Functions of the declarations with `contentPermissions`; mounting refuses one without. */
  readonly permissions?: Erased;
  readonly db: Db;
  readonly storage: Pick<StorageWatch, "fault" | "require">;
  readonly pipelines: PipelineGate;
  readonly identity: Pick<Identity, "authenticate" | "builtIn" | "issuerConsole">;
  readonly config: HttpConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: ServerMetrics;
  /** External issuer of tokens; null or absent: the built-in provider. */
  readonly issuer?: TokenIssuer | null;
}

/** Metrics of requests, and of the process for `GET /metrics`. */
export interface ServerMetrics extends Pick<MetricsDeps, "read" | "token"> {
  readonly requests: RequestMetrics;
}

export interface HttpServer extends AsyncDisposable {
  /** For `inject` in tests. */
  readonly app: FastifyInstance;
  /** What callers hold at present. */
  readonly traffic: Traffic;
  /** @returns the address, such as `http://127.0.0.1:8080` */
  listen(options: { readonly host: string; readonly port: number }): Promise<string>;
  /** From now on requests are answered 503 and readiness is refused; those under way go on. */
  drain(): void;
  /** Aborts what is under way. */
  abort(): void;
  /** Stops listening and waits for the requests under way. */
  close(): Promise<void>;
}

const API_VERSION = "1";
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** The router answers 404 to longer parts of a path. None can be: what is too long is told by the schema of its parameter. */
const MAX_PARAMETER_LENGTH = maxHeaderSize;
const KEEP_ALIVE_MS = 65_000;
/**
 * Connections that wait to be accepted; the kernel's own bound may be lower. Beyond, a client tries again after 1, 3 and
 * 7 s: beside 1,500 connections at once each other one took 1.04 s with Node's bound of 511.
 */
const MOST_UNACCEPTED = 4_096;
/** An upload has an hour, by the life of its address. */
const REQUEST_TIMEOUT_MS = 3_600_000;
const COMPRESS_ABOVE_BYTES = 1024;
/** Headers that scripts of other origins may read. */
const EXPOSED_HEADERS = [
  "Allow",
  "Accept-Ranges",
  "Api-Version",
  "Content-Length",
  "Content-Range",
  "ETag",
  "Link",
  "Location",
  "Preference-Applied",
  "Range",
  "RateLimit",
  "RateLimit-Policy",
  "Request-Id",
  "Retry-After",
];

/** State that the hooks of a server share with its life cycle. */
interface ServerState {
  stopping: boolean;
}

/** How often connections that have become idle are closed while the server closes. */
const CLOSE_IDLE_EVERY_MS = 20;

/** What the hooks and routes of a server share. */
interface Shared {
  readonly routes: RouteTable;
  readonly state: ServerState;
  readonly traffic: Traffic;
}

/** The HTTP side of the service, built by walking the contract. Nothing listens until `listen`. */
export async function createHttpServer(deps: HttpServerDeps): Promise<HttpServer> {
  const routes = createRouteTable();
  const cancellation = createCancellation();
  const state: ServerState = { stopping: false };
  const traffic = createTraffic(deps.config.traffic);
  const app = createApp(deps);
  watchTraffic(traffic, app.server);
  addHooks(app, deps, { routes, state, traffic });
  await addPlugins(app, deps.config);
  await mountRoutes(app, deps, { routes, cancellation, state, traffic });
  await app.ready();

  async function close(): Promise<void> {
    state.stopping = true;
    // A connection that was busy when listening ended stays open for its client's next request.
    const closing = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    try {
      await app.close();
    } finally {
      clearInterval(closing);
    }
  }
  return {
    app,
    traffic,
    listen: (options) => app.listen({ ...options, backlog: MOST_UNACCEPTED }),
    drain() {
      state.stopping = true;
    },
    abort: () => cancellation.abortAll(new RequestAbortedError("the service is stopping")),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createApp({ config, log }: HttpServerDeps): FastifyInstance {
  return Fastify({
    logger: false,
    trustProxy: config.trustProxy,
    genReqId: requestIdOf,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: config.traffic.headersMs, connectionsCheckingInterval: sweepEveryMs(config.traffic) },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    rewriteUrl: (request) => withoutAlias(request.url ?? "/", config.mapsvcAlias),
    frameworkErrors: (error, request, reply) => {
      reply.headers(standardHeaders(config, request.id));
      void sendError(error, request, reply, log);
    },
    clientErrorHandler: (error, socket) => {
      refuseUnreadable(error, socket, standardHeaders(config, randomUUID()));
    },
  });
}

/** Follows requests, refuses them at the end, and renders errors. */
function addHooks(
  app: FastifyInstance,
  { config, log, metrics }: HttpServerDeps,
  { routes, state, traffic: { connections, refusals, turns } }: Shared,
): void {
  app.addHook("onRequest", (request, reply, begin) => {
    const { headers, ip } = request;
    const isLarge = Number(headers["content-length"] ?? 0) >= LARGE_BODY_BYTES;
    const sender = { address: addressShare(ip), authorization: headers.authorization ?? "", isLarge };
    beginInTurn(turns, sender, reply.raw, begin);
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(standardHeaders(config, request.id));
    const { socket } = request.raw;
    requestBegins(connections, socket);
    reply.raw.once("close", () => requestEnds(connections, socket));
    const isProbe = request.url.startsWith("/health");
    if (state.stopping && !isProbe) {
      reply.header("connection", "close");
      throw new ServiceError("SERVICE-UNAVAILABLE", "The service is stopping; try again");
    }
    // Before the body is read: an address that does not exist does not care for it.
    if (request.is404) throw routes.refusal(request.method, pathOf(request.url));
    if (request.url.includes("%00")) throw new ServiceError("BAD-REQUEST", "The address holds the character U+0000");
  });
  app.addHook("onSend", sendInPieces);
  app.addHook("onResponse", async (request, reply) => {
    metrics?.requests.record(request.routeOptions.url ?? null, reply.statusCode, reply.elapsedTime / 1000);
    log.debug(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      "request",
    );
  });
  app.setErrorHandler(async (error, request, reply) => {
    await paceTooMany(refusals, error, request, reply);
    return await sendError(error, request, reply, log);
  });
  app.setNotFoundHandler((request) => {
    throw routes.refusal(request.method, pathOf(request.url));
  });
}

async function addPlugins(app: FastifyInstance, config: HttpConfig): Promise<void> {
  if (config.corsOrigins !== null) {
    await app.register(cors, {
      origin: config.corsOrigins === "*" ? "*" : [...config.corsOrigins],
      methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      exposedHeaders: EXPOSED_HEADERS,
      maxAge: 86_400,
      strictPreflight: false,
    });
  }
  await app.register(compress, {
    threshold: COMPRESS_ABOVE_BYTES,
    encodings: ["br", "gzip"],
    customTypes: /^application\/(?:[\w.-]+\+)?json|^text\/html/,
    // Quality 4 compresses JSON about as well as gzip 9 in a fifth of its time; the default of 11 takes seconds.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 5 },
  });
}

async function mountRoutes(
  app: FastifyInstance,
  deps: HttpServerDeps,
  { routes, cancellation, state, traffic }: Shared & { readonly cancellation: Cancellation },
): Promise<void> {
  const { config, db, handlers, identity, log, metrics, permissions = {} } = deps;
  keepAdmitted(app);
  const rates = ratesOf(config, deps.clock);
  const shared = {
    routes,
    identity,
    rates,
    traffic,
    cancellation,
    config,
    db,
    pipelines: deps.pipelines,
    storage: deps.storage,
    log,
  };
  await app.register(async (json) => {
    acceptJsonBodies(json);
    await json.register(async (streams) => {
      acceptStreams(streams);
      mountContract(deps.contract, { handlers, permissions }, { ...shared, app: json }, { ...shared, app: streams });
    });
    mountHealthRoutes(json, {
      database: new DatabaseProbe(db),
      storage: deps.storage,
      routes,
      isStopping: () => state.stopping,
    });
    // Without a token the port for operators alone has metrics.
    if (metrics !== undefined && metrics.token !== null) mountMetricsRoute(json, { ...metrics, routes });
    mountConsole(json, { routes, rates, traffic });
    mountDocsRoutes(json, { contract: deps.contract, routes, builtIn: identity.builtIn !== null, rates, traffic });
  });
  const { issuer = null } = deps;
  if (issuer !== null) mountResourceMetadata(app, { config, issuer, routes });
  const { builtIn: provider, issuerConsole } = identity;
  await app.register(async (tokens) =>
    mountIdentityRoutes(tokens, { provider, issuerConsole, config, routes, rates, traffic, log }),
  );
}

/** Headers of every answer. */
function standardHeaders(config: HttpConfig, requestId: string): Readonly<Record<string, string>> {
  return { "api-version": API_VERSION, "request-id": requestId, ...securityHeaders(config) };
}

function requestIdOf(request: Pick<IncomingMessage, "headers">): string {
  const given = request.headers["request-id"];
  return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}

function withoutAlias(url: string, alias: string | null): string {
  return alias !== null && url.startsWith(`/${alias}/`) ? `/mapsvc${url.slice(alias.length + 1)}` : url;
}
