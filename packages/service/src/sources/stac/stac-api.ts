import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import { displayUrl } from "@swath/raster/remote/host-rules";
import type { HttpResponse } from "@swath/raster/remote/http-transport";
import { type RemoteClient, Retry } from "@swath/raster/remote/remote-client";

type Json = Readonly<Record<string, unknown>>;

export interface ItemSearch {
  readonly collections: readonly string[];
  readonly ids?: readonly string[];
  readonly intersects?: MultiPolygon;
  /** Where geometries cannot be sent; east below west across the antimeridian. */
  readonly bbox?: Bounds;
  /** An interval as RFC 3339 texts with `..` for an open end. */
  readonly datetime?: string;
  /** Properties that must be equal, by the query extension. */
  readonly where?: Readonly<Record<string, string | number | boolean>>;
  readonly newestFirst: boolean;
  /** Items of a page. */
  readonly limit: number;
}

export interface ItemPage {
  readonly items: readonly Json[];
  /** How many the whole search finds, as far as the catalogue says. */
  readonly matched: number | null;
  readonly hasNext: boolean;
}

export interface Capabilities {
  readonly canSort: boolean;
  readonly canQuery: boolean;
}

/** A STAC API 1.0 as sources need it. Answers are JSON of unknown form but for what the names say. */
export interface StacApi {
  /** Asked once. */
  capabilities(signal: AbortSignal): Promise<Capabilities>;
  /** Pages until the last one; following the links between them ends when the consumer stops. */
  pages(search: ItemSearch, signal: AbortSignal): AsyncGenerator<ItemPage, void>;
  /** Null when there is none. */
  item(collection: string, id: string, signal: AbortSignal): Promise<Json | null>;
}

export interface StacApiOptions {
  readonly client: RemoteClient;
  readonly url: URL;
  /** For messages. */
  readonly name: string;
  readonly method: "auto" | "POST" | "GET";
}

interface Landing extends Capabilities {
  readonly searchUrl: URL;
  readonly post: boolean;
}

interface PageRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly body: Json | null;
}

const MAX_PAGE_BYTES = 64 * 1024 * 1024;
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;
/** Addresses longer than this are refused by many servers. */
const MAX_QUERY_LENGTH = 6000;

export function createStacApi(options: StacApiOptions): StacApi {
  const { client, name } = options;
  const root = new URL(options.url);
  if (!root.pathname.endsWith("/")) root.pathname += "/";
  let landing: Promise<Landing> | null = null;
  /** Whether the catalogue refused POST although it should know it. */
  let onlyGet = options.method === "GET";

  const getJson = async (
    url: URL,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<{ json: Json; from: URL } | null> => {
    const { response, json } = await exchange({ method: "GET", url, body: null }, maxBytes, signal);
    if (response.status === 404 || response.status === 410) return null;
    return { json: expectOk(response, json), from: response.url };
  };

  const exchange = async (
    request: PageRequest,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<{ readonly response: HttpResponse; readonly json: unknown }> => {
    let json: unknown = null;
    const response = await client.send(
      {
        method: request.method,
        url: request.url,
        headers: { accept: "application/geo+json, application/json", "accept-encoding": "gzip" },
        maxBytes,
        ...(request.body === null ? {} : { body: JSON.stringify(request.body) }),
        accept: (answer) => {
          if (answer.body === null) throw tooLong(answer, maxBytes);
          json = parse(answer);
        },
      },
      signal,
    );
    return { response, json };
  };

  /** @throws {ServiceError} for statuses that are no success */
  const expectOk = (response: HttpResponse, json: unknown): Json => {
    if (response.status >= 200 && response.status < 300 && isRecord(json)) return json;
    const where = displayUrl(response.url);
    if (response.status === 401 || response.status === 403) {
      throw new ServiceError(
        "SERVICE-UNAVAILABLE",
        `${name}: ${where} refused with status ${response.status}; check the credentials of its host in the configuration`,
      );
    }
    throw new ServiceError(
      "SERVICE-UNAVAILABLE",
      `${name}: ${where} answered ${response.status}${descriptionOf(json)}`,
    );
  };

  const probe = async (signal: AbortSignal): Promise<Landing> => {
    const found = await getJson(root, MAX_DOCUMENT_BYTES, signal);
    if (found === null) {
      throw new ServiceError("SERVICE-UNAVAILABLE", `${name}: ${displayUrl(root)} answered 404, expected a STAC API`);
    }
    const { json, from } = found;
    const searches = linksOf(json).filter(({ rel }) => rel === "search");
    const [first] = searches;
    const searchUrl = new URL(first?.href ?? "search", first === undefined ? root : from);
    let conforms = texts(json["conformsTo"]);
    const conformance = linksOf(json).find(({ rel }) => rel === "conformance" || rel.endsWith("/conformance"));
    if (conforms.length === 0 && conformance !== undefined) {
      const document = await getJson(new URL(conformance.href, from), MAX_DOCUMENT_BYTES, signal);
      conforms = texts(document?.json["conformsTo"]);
    }
    const has = (feature: string) => conforms.some((one) => one.includes(`item-search#${feature}`));
    const methods = searches.map(({ method }) => method);
    return {
      searchUrl,
      post: methods.length === 0 || methods.some((method) => method === null || method === "POST"),
      canSort: has("sort"),
      canQuery: has("query"),
    };
  };

  const known = async (signal: AbortSignal): Promise<Landing> => {
    signal.throwIfAborted();
    const asking = (landing ??= probe(signal));
    try {
      return await asking;
    } catch (error) {
      // Failures, and waits that a caller gave up, are not remembered.
      if (landing === asking) landing = null;
      if (!signal.aborted && isAbort(error)) return known(signal);
      throw error;
    }
  };

  const firstRequest = (search: ItemSearch, { searchUrl, post, canQuery }: Landing): PageRequest => {
    const parameters = parametersOf(search, canQuery);
    if (options.method === "POST" || (post && !onlyGet)) return { method: "POST", url: searchUrl, body: parameters };
    return { method: "GET", url: withParameters(searchUrl, parameters, search), body: null };
  };

  return {
    capabilities: known,

    async *pages(search, signal) {
      const found = await known(signal);
      let request: PageRequest | null = firstRequest(search, found);
      const asked = new Set<string>();
      while (request !== null) {
        const signature = JSON.stringify([request.method, request.url.href, request.body]);
        if (asked.has(signature)) {
          throw new ServiceError(
            "SCENE-UNREADABLE",
            `${name}: the link to the next page leads back to one that was read already, after ${asked.size} pages`,
          );
        }
        asked.add(signature);
        const current: PageRequest = request;
        // oxlint-disable-next-line no-await-in-loop -- each page tells where the next one is
        const { response, json } = await exchange(current, MAX_PAGE_BYTES, signal);
        const refusesPost = current.method === "POST" && [404, 405, 501].includes(response.status);
        if (refusesPost && asked.size === 1 && options.method === "auto") {
          onlyGet = true;
          request = firstRequest(search, found);
          continue;
        }
        const page = expectOk(response, json);
        const features = page["features"];
        if (!Array.isArray(features)) {
          throw new ServiceError(
            "SCENE-UNREADABLE",
            `${name}: ${displayUrl(response.url)} answered without features, expected a FeatureCollection`,
          );
        }
        const next = nextRequest(page, current, response.url);
        const items = features.filter(isRecord);
        // Some catalogues link from an empty last page to itself.
        const hasNext = next !== null && items.length > 0;
        yield { items, matched: matchedOf(page), hasNext };
        request = hasNext ? next : null;
      }
    },

    async item(collection, id, signal) {
      const url = new URL(`collections/${encodeURIComponent(collection)}/items/${encodeURIComponent(id)}`, root);
      const found = await getJson(url, MAX_DOCUMENT_BYTES, signal);
      return found?.json ?? null;
    },
  };
}

/** @throws {Retry} when a success is not JSON: the answer may have been cut on its way */
function parse(answer: HttpResponse): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: false }).decode(answer.body ?? new Uint8Array(0)));
  } catch {
    if (answer.status >= 200 && answer.status < 300) throw new Retry("answered with invalid JSON", "unreadable");
    return null;
  }
}

function tooLong(answer: HttpResponse, maxBytes: number): ServiceError {
  return new ServiceError(
    "SCENE-UNREADABLE",
    `${displayUrl(answer.url)} answered with more than ${maxBytes} bytes, expected a page of items`,
  );
}

function parametersOf(search: ItemSearch, canQuery: boolean): Json {
  const where = Object.entries(search.where ?? {});
  return {
    collections: search.collections,
    limit: search.limit,
    ...(search.ids === undefined ? {} : { ids: search.ids }),
    ...(search.intersects === undefined ? {} : { intersects: geometryOf(search.intersects) }),
    ...(search.intersects !== undefined || search.bbox === undefined ? {} : { bbox: search.bbox }),
    ...(search.datetime === undefined ? {} : { datetime: search.datetime }),
    ...(search.newestFirst ? { sortby: [{ field: "properties.datetime", direction: "desc" }] } : {}),
    ...(canQuery && where.length > 0
      ? { query: Object.fromEntries(where.map(([property, value]) => [property, { eq: value }])) }
      : {}),
  };
}

function geometryOf({ coordinates }: MultiPolygon): Json {
  const [only] = coordinates;
  return coordinates.length === 1 && only !== undefined
    ? { type: "Polygon", coordinates: only }
    : { type: "MultiPolygon", coordinates };
}

function withParameters(searchUrl: URL, parameters: Json, search: ItemSearch): URL {
  const url = new URL(searchUrl);
  for (const [key, value] of Object.entries(parameters)) {
    if (key === "sortby") url.searchParams.set("sortby", "-properties.datetime");
    else if (key === "intersects" || key === "query") url.searchParams.set(key, JSON.stringify(value));
    else url.searchParams.set(key, Array.isArray(value) ? value.join(",") : String(value));
  }
  if (url.search.length > MAX_QUERY_LENGTH && search.bbox !== undefined) {
    url.searchParams.delete("intersects");
    url.searchParams.set("bbox", search.bbox.join(","));
  }
  return url;
}

/** The request that the `next` link describes: another address, or the same with a body that is merged or replaced. */
function nextRequest(page: Json, current: PageRequest, from: URL): PageRequest | null {
  const link = linksOf(page).find(({ rel }) => rel === "next");
  if (link === undefined || !URL.canParse(link.href, from)) return null;
  const url = new URL(link.href, from);
  if (link.method !== "POST") return { method: "GET", url, body: null };
  const body = link.merge ? { ...current.body, ...link.body } : (link.body ?? current.body);
  return { method: "POST", url, body };
}

interface Link {
  readonly rel: string;
  readonly href: string;
  /** Upper case; null when not stated. */
  readonly method: string | null;
  readonly body: Json | null;
  readonly merge: boolean;
}

function linksOf(document: Json): readonly Link[] {
  const links: unknown = document["links"];
  if (!Array.isArray(links)) return [];
  return links.slice(0, 2000).flatMap((link: unknown): Link[] => {
    if (!isRecord(link) || typeof link["rel"] !== "string" || typeof link["href"] !== "string") return [];
    return [
      {
        rel: link["rel"],
        href: link["href"],
        method: typeof link["method"] === "string" ? link["method"].toUpperCase() : null,
        body: isRecord(link["body"]) ? link["body"] : null,
        merge: link["merge"] === true,
      },
    ];
  });
}

function matchedOf(page: Json): number | null {
  const context = isRecord(page["context"]) ? page["context"]["matched"] : null;
  const matched = page["numberMatched"] ?? page["numMatched"] ?? context;
  return typeof matched === "number" && Number.isFinite(matched) ? matched : null;
}

/** What a catalogue says about its refusal. */
function descriptionOf(json: unknown): string {
  if (!isRecord(json)) return "";
  const text = [json["description"], json["detail"], json["message"]].find((one) => typeof one === "string");
  return typeof text === "string" && text !== "" ? `: ${text.replaceAll(/\s+/g, " ").slice(0, 200)}` : "";
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
