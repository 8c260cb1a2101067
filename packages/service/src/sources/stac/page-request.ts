import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Json, JsonRequest } from "./stac-exchange.ts";
import type { Landing } from "./stac-landing.ts";
import { linksOf } from "./stac-links.ts";

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

/** Addresses longer than this are refused by many servers. */
const MAX_QUERY_LENGTH = 6000;

/** The request for the first page. */
export function firstRequest(search: ItemSearch, { searchUrl, canQuery }: Landing, post: boolean): JsonRequest {
  const parameters = parametersOf(search, canQuery);
  return post
    ? { method: "POST", url: searchUrl, body: parameters }
    : { method: "GET", url: withParameters(searchUrl, parameters, search), body: null };
}

/** The request that the `next` link describes: another address, or the same with a body that is merged or replaced. */
export function nextRequest(page: Json, current: JsonRequest, from: URL): JsonRequest | null {
  const link = linksOf(page).find(({ rel }) => rel === "next");
  if (link === undefined || !URL.canParse(link.href, from)) return null;
  const url = new URL(link.href, from);
  if (link.method !== "POST") return { method: "GET", url, body: null };
  const body = link.merge ? { ...current.body, ...link.body } : (link.body ?? current.body);
  return { method: "POST", url, body };
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
