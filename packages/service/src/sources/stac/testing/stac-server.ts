import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { overlapsEnough, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import { extentArea } from "@swath/kernel/geometry/extent";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { splitBounds } from "@swath/kernel/geometry/mbr";
import { answerFile } from "@swath/raster/testing/range-server";

type Json = Record<string, unknown>;

export interface StacItemJson extends Json {
  readonly id: string;
  readonly collection: string;
  readonly properties: Json;
}

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Json | null;
}

/** Answers in place of the server; returns false to let it answer itself. */
type Intercept = (request: SeenRequest, response: ServerResponse) => boolean;

export interface StacServerOptions {
  readonly items: readonly StacItemJson[];
  /** Content of a file by its path below `/files/`; null for 404. */
  readonly file?: (path: string) => Uint8Array | null;
  readonly conformsTo?: readonly string[];
  /** Whether POST /search exists. */
  readonly post?: boolean;
  /** How links to the next page are written. */
  readonly paging?: "merge" | "body" | "get";
  readonly maxPage?: number;
  /** Whether files are served by ranges. */
  readonly ranges?: boolean;
}

export interface StacServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: SeenRequest[];
  intercept: Intercept | null;
  /** Part of every ETag: another value is another version of all files. */
  version: number;
}

const CORE = "https://api.stacspec.org/v1.0.0/core";
const SEARCH = "https://api.stacspec.org/v1.0.0/item-search";
export const ALL_CONFORMANCE = [CORE, SEARCH, `${SEARCH}#sort`, `${SEARCH}#query`];

/** The options of a server and the server itself. */
interface Served {
  readonly options: StacServerOptions;
  readonly server: StacServer;
}

/** A STAC API 1.0 on loopback over a list of items, and a file server with ranges. */
export async function startStacServer(options: StacServerOptions, port = 0): Promise<StacServer> {
  const http = createServer((incoming, response) => {
    answer({ options, server }, incoming, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  await new Promise<void>((resolve) => {
    http.listen(port, "127.0.0.1", resolve);
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has an address with a port
  const { port: bound } = http.address() as AddressInfo;
  const server: StacServer = {
    url: `http://127.0.0.1:${bound}`,
    requests: [],
    intercept: null,
    version: 1,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => {
          resolve();
        });
      }),
  };
  return server;
}

async function answer(served: Served, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { server, options } = served;
  const address = new URL(incoming.url ?? "/", server.url);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const seen: SeenRequest = {
    method: incoming.method ?? "",
    path: decodeURIComponent(address.pathname),
    query: address.searchParams,
    headers: incoming.headers,
    body: text === "" ? null : (JSON.parse(text) as Json),
  };
  server.requests.push(seen);
  if (server.intercept?.(seen, response) === true) return;
  if (seen.path === "/") sendJson(response, 200, landing(served));
  else if (seen.path === "/search") answerSearch(served, seen, response);
  else if (seen.path.startsWith("/collections/")) answerItem(options, seen, response);
  else if (seen.path.startsWith("/files/")) answerItemFile(served, seen, response);
  else sendJson(response, 404, { code: "NotFound", description: `no ${seen.path}` });
}

function landing({ options, server: { url } }: Served): Json {
  return {
    type: "Catalog",
    id: "test",
    stac_version: "1.0.0",
    description: "test",
    conformsTo: options.conformsTo ?? ALL_CONFORMANCE,
    links: [
      { rel: "self", href: `${url}/` },
      { rel: "search", href: `${url}/search`, method: "GET" },
      ...(options.post === false ? [] : [{ rel: "search", href: `${url}/search`, method: "POST" }]),
    ],
  };
}

function answerSearch(served: Served, seen: SeenRequest, response: ServerResponse): void {
  const { options } = served;
  if (seen.method === "POST" && options.post === false) {
    sendJson(response, 405, { code: "MethodNotAllowed", description: "only GET" });
    return;
  }
  const parameters = seen.method === "POST" ? (seen.body ?? {}) : fromQuery(seen.query);
  const found = sorted(
    options.items.filter((one) => matches(one, parameters)),
    parameters,
    options.conformsTo ?? ALL_CONFORMANCE,
  );
  const limit = Math.min(Number(parameters["limit"] ?? 10), options.maxPage ?? 1000);
  const offset = Number(parameters["token"] ?? 0);
  const features = found.slice(offset, offset + limit);
  const more = offset + limit < found.length;
  sendJson(response, 200, {
    type: "FeatureCollection",
    numberMatched: found.length,
    numberReturned: features.length,
    features,
    links: more ? [nextLink(served, seen, parameters, offset + limit)] : [],
  });
}

function nextLink({ options, server: { url } }: Served, seen: SeenRequest, parameters: Json, offset: number): Json {
  const token = String(offset);
  if (seen.method === "GET" || options.paging === "get") {
    const next = new URLSearchParams(seen.query);
    if (seen.method === "POST")
      for (const [key, value] of Object.entries(parameters)) next.set(key, JSON.stringify(value));
    next.set("token", token);
    return { rel: "next", href: `${url}/search?${next.toString()}`, method: "GET" };
  }
  return options.paging === "body"
    ? { rel: "next", href: `${url}/search`, method: "POST", body: { ...parameters, token } }
    : { rel: "next", href: `${url}/search`, method: "POST", body: { token }, merge: true };
}

function answerItem({ items }: StacServerOptions, seen: SeenRequest, response: ServerResponse): void {
  const [, , collection, , id] = seen.path.split("/");
  const found = items.find((one) => one.collection === collection && one.id === id);
  if (found === undefined) sendJson(response, 404, { code: "NotFound", description: "no such item" });
  else sendJson(response, 200, found);
}

function answerItemFile({ options, server }: Served, seen: SeenRequest, response: ServerResponse): void {
  const bytes = options.file?.(seen.path.slice("/files/".length)) ?? null;
  answerFile(seen.headers, response, { bytes, version: server.version, ranges: options.ranges ?? true });
}

export function sendJson(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}

function fromQuery(query: URLSearchParams): Json {
  return Object.fromEntries(
    [...query].map(([key, value]) => {
      if (key === "collections" || key === "ids")
        return [key, value.startsWith("[") ? JSON.parse(value) : value.split(",")];
      if (key === "bbox") return [key, value.split(",").map(Number)];
      if (key === "intersects" || key === "query") return [key, JSON.parse(value)];
      if (key === "sortby")
        return [
          key,
          value.startsWith("[")
            ? JSON.parse(value)
            : [{ field: value.slice(1), direction: value.startsWith("-") ? "desc" : "asc" }],
        ];
      return [key, value.replaceAll('"', "")];
    }),
  );
}

function matches(item: StacItemJson, parameters: Json): boolean {
  const collections = parameters["collections"];
  if (Array.isArray(collections) && !collections.includes(item.collection)) return false;
  const ids = parameters["ids"];
  if (Array.isArray(ids) && !ids.includes(item.id)) return false;
  const query = parameters["query"];
  if (typeof query === "object" && query !== null) {
    for (const [name, { eq }] of Object.entries(query as Record<string, { eq: unknown }>))
      if (item.properties[name] !== eq) return false;
  }
  return inTime(item, parameters["datetime"]) && inSpace(item, parameters);
}

function inTime(item: StacItemJson, interval: unknown): boolean {
  if (typeof interval !== "string") return true;
  const [from = "..", to = ".."] = interval.split("/");
  const { datetime, start_datetime: start, end_datetime: end } = item.properties;
  const first = Date.parse(String(datetime ?? start));
  const last = Date.parse(String(datetime ?? end ?? start));
  // An item without time is found at any: that is a fault of it, not of the search.
  if (Number.isNaN(first)) return true;
  return (from === ".." || last >= Date.parse(from)) && (to === ".." || first <= Date.parse(to));
}

function inSpace(item: StacItemJson, parameters: Json): boolean {
  const geometry = item["geometry"] as GeoJson | null;
  const area = geometry === null ? null : extentArea(geometry);
  const bbox = parameters["bbox"] as readonly [number, number, number, number] | undefined;
  const wanted = (parameters["intersects"] as GeoJson | undefined) ?? (bbox === undefined ? undefined : boxArea(bbox));
  if (wanted === undefined || area === null) return true;
  const extent = extentArea(wanted);
  return extent !== null && overlapsEnough(prepareArea(extent), prepareArea(area), { of: "extent", ratio: 0 });
}

function boxArea([west, south, east, north]: readonly [number, number, number, number]): GeoJson {
  return {
    type: "MultiPolygon",
    coordinates: splitBounds([west, south, east < west ? east + 360 : east, north]).map(([w, s, e, n]) => [
      [
        [w, s],
        [e, s],
        [e, n],
        [w, n],
        [w, s],
      ],
    ]),
  };
}

function sorted(
  items: readonly StacItemJson[],
  parameters: Json,
  conformsTo: readonly string[],
): readonly StacItemJson[] {
  const sortby = parameters["sortby"];
  if (!Array.isArray(sortby) || !conformsTo.some((one) => one.endsWith("#sort"))) return items;
  const time = (item: StacItemJson) =>
    Date.parse(String(item.properties["datetime"] ?? item.properties["start_datetime"]));
  return items.toSorted((a, b) => (time(b) || 0) - (time(a) || 0));
}
