import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json as readJson } from "node:stream/consumers";
import { answerFile } from "@swath/raster/testing/range-server";

type Json = Record<string, unknown>;

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: Json;
}

export interface PlacedOrder {
  readonly id: string;
  readonly created: string;
  readonly request: Json;
  readonly statuses: Json[];
}

/** A STAPI provider of the test in its own words: members of orders at the top, as the specification has them. */
export interface SmallStapi extends AsyncDisposable {
  readonly url: string;
  readonly requests: SeenRequest[];
  readonly orders: PlacedOrder[];
  /** Contents of files by their names below `/files/`. */
  readonly files: Map<string, Uint8Array>;
  /** Answers in place of the server, or false. */
  intercept: ((request: SeenRequest, response: ServerResponse, server: SmallStapi) => boolean) | null;
  /** Appends a status to an order. */
  tell(orderId: string, status: Json): Promise<void>;
}

const PAGE_ORDERS = 2;
const DAY_MS = 86_400_000;

export async function startSmallStapi(): Promise<SmallStapi> {
  const http = createServer((incoming, response) => {
    answer(server, incoming, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has an address with a port
  const { port } = http.address() as AddressInfo;
  const server: SmallStapi = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    orders: [],
    files: new Map(),
    intercept: null,
    tell(orderId, status) {
      orderOf(server, orderId)?.statuses.push({ timestamp: new Date().toISOString(), links: [], ...status });
      return Promise.resolve();
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}

async function answer(server: SmallStapi, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? "/", server.url);
  const hasBody = Number(incoming.headers["content-length"] ?? 0) > 0;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- clients of tests send objects
  const body = hasBody ? ((await readJson(incoming)) as Json) : {};
  const request = { method: incoming.method ?? "GET", url, headers: incoming.headers, body };
  server.requests.push(request);
  if (server.intercept?.(request, response, server) === true) return;
  const [, first = "", second = "", third = ""] = url.pathname.split("/");
  const file = first === "files" ? (server.files.get(second) ?? null) : null;
  if (file !== null) return answerFile(incoming.headers, response, { bytes: file });
  const found = documentAt(server, request, [first, second, third]);
  sendJson(response, found === null ? 404 : request.method === "POST" && third === "orders" ? 201 : 200, found ?? {});
}

function documentAt(server: SmallStapi, { method, url, body }: SeenRequest, path: readonly string[]): Json | null {
  const [first, second = "", third] = path;
  if (first === "products" && third === "orders") return orderDocument(server, placeOrder(server, body));
  if (first === "products" && third === "opportunities") return { type: "FeatureCollection", features: daily(body) };
  if (first === "products") {
    return { id: second, links: [{ rel: "opportunities", href: `${server.url}/products/${second}/opportunities` }] };
  }
  const order = orderOf(server, second);
  if (first === "orders" && second === "") return ordersPage(server, url);
  if (first !== "orders" || order === null) return null;
  if (method === "DELETE") {
    const isOpen = order.statuses.every(({ status_code: code }) => code !== "completed");
    if (isOpen) order.statuses.push({ timestamp: new Date().toISOString(), status_code: "user_cancelled", links: [] });
    return {};
  }
  return third === "statuses" ? { statuses: order.statuses, links: [] } : orderDocument(server, order);
}

/** Takes an order. */
export function placeOrder({ orders }: SmallStapi, request: Json): PlacedOrder {
  const created = new Date().toISOString();
  const statuses = [{ timestamp: created, status_code: "received", links: [] }];
  const order = { id: randomUUID(), created, request, statuses };
  orders.push(order);
  return order;
}

export function orderDocument({ url }: SmallStapi, { id, created, request, statuses }: PlacedOrder): Json {
  return {
    type: "Feature",
    id,
    geometry: request["geometry"],
    properties: {},
    user: "swath",
    created,
    status: statuses.at(-1),
    request,
    links: [{ rel: "monitor", href: `${url}/orders/${id}/statuses` }],
  };
}

export function sendJson(response: ServerResponse, status: number, document: unknown, headers: Json = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...(headers as Record<string, string>) });
  response.end(JSON.stringify(document));
}

function orderOf({ orders }: SmallStapi, id: string): PlacedOrder | null {
  return orders.find((order) => order.id === id) ?? null;
}

function ordersPage(server: SmallStapi, url: URL): Json {
  const from = Number(url.searchParams.get("from") ?? 0);
  const next = from + PAGE_ORDERS;
  return {
    type: "FeatureCollection",
    features: server.orders.slice(from, next).map((order) => orderDocument(server, order)),
    links: next < server.orders.length ? [{ rel: "next", href: `${server.url}/orders?from=${next}` }] : [],
  };
}

/** An opportunity of ten minutes on each day of the interval. */
function daily(body: Json): readonly Json[] {
  const [from = "", to = ""] = String(body["datetime"]).split("/");
  const days = Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS);
  return Array.from({ length: days }, (_, day) => {
    const startMs = Date.parse(from) + day * DAY_MS;
    const datetime = [startMs, startMs + 600_000].map((ms) => new Date(ms).toISOString()).join("/");
    return { type: "Feature", id: `day-${day}`, geometry: body["geometry"], properties: { datetime }, links: [] };
  });
}
