import { Cql2Error, type Expression } from "@swath/kernel/cql2/expression";
import { readCql2Json } from "@swath/kernel/cql2/read-json";
import { readCql2Text } from "@swath/kernel/cql2/read-text";
import type { Bounds, Geometry } from "@swath/kernel/geometry/geojson";
import { DEFAULT_ITEMS, MAX_ITEMS, type SearchBody, type SearchQuery } from "@swath/contract/features/stac/contract";
import { badRequest } from "./bad-request.ts";
import { bboxNumbers, readBbox } from "./bbox.ts";
import { readPeriod, type Period } from "./datetime.ts";
import { fieldsOfBody, fieldsOfText, type Fields } from "./fields.ts";
import { queryFilter } from "./query-extension.ts";
import { sortOfBody, sortOfText, type SortKey } from "./sort.ts";

/** A search of items, whichever way it came. */
export interface SearchInput {
  /** Null: all. */
  readonly collections: readonly string[] | null;
  readonly ids: readonly string[] | null;
  readonly period: Period;
  readonly bbox: Bounds | null;
  readonly intersects: Geometry | null;
  readonly filter: Expression | null;
  readonly sort: readonly SortKey[];
  readonly fields: Fields | null;
  readonly limit: number;
  readonly token: string | undefined;
}

/** @throws {ServiceError} BAD-REQUEST */
export function inputOfQuery(query: SearchQuery): SearchInput {
  return inputOf({
    ...query,
    collections: namesOf(query.collections),
    ids: namesOf(query.ids),
    bbox: query.bbox === undefined ? undefined : bboxNumbers(query.bbox),
    intersects: jsonOf("intersects", query.intersects),
    query: jsonOf("query", query.query),
    filter: filterOf(query["filter-lang"] ?? "cql2-text", query.filter),
    sort: sortOfText(query.sortby),
    fields: fieldsOfText(query.fields),
  });
}

/** @throws {ServiceError} BAD-REQUEST */
export function inputOfBody(body: SearchBody): SearchInput {
  return inputOf({
    ...body,
    collections: typeof body.collections === "string" ? namesOf(body.collections) : body.collections,
    filter: filterOf(body["filter-lang"] ?? "cql2-json", body.filter),
    sort: sortOfBody(body.sortby),
    fields: fieldsOfBody(body.fields),
  });
}

interface Parts {
  readonly limit?: number | undefined;
  readonly token?: string | undefined;
  readonly datetime?: string | null | undefined;
  readonly bbox?: readonly number[] | undefined;
  readonly intersects?: unknown;
  readonly collections?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly query?: unknown;
  readonly filter: Expression | null;
  readonly "filter-crs"?: string | undefined;
  readonly sort: readonly SortKey[];
  readonly fields: Fields | null;
}

const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";

function inputOf(parts: Parts): SearchInput {
  const { bbox, intersects, limit = DEFAULT_ITEMS } = parts;
  if (bbox !== undefined && intersects !== undefined) throw badRequest("intersects", "excludes bbox");
  if ((parts["filter-crs"] ?? CRS84) !== CRS84) throw badRequest("filter-crs", `must be ${CRS84}`);
  const query = queryFilter(parts.query);
  const filters = [parts.filter, query].filter((one) => one !== null);
  return {
    collections: parts.collections === undefined || parts.collections.length === 0 ? null : parts.collections,
    ids: parts.ids === undefined || parts.ids.length === 0 ? null : parts.ids,
    period: readPeriod(parts.datetime),
    bbox: bbox === undefined ? null : readBbox(bbox),
    intersects: intersects === undefined ? null : geometryOf(intersects),
    filter: filters.length > 1 ? { kind: "call", op: "and", args: filters } : (filters[0] ?? null),
    sort: parts.sort,
    fields: parts.fields,
    limit: Math.min(limit, MAX_ITEMS),
    token: parts.token,
  };
}

function namesOf(text: string | undefined): readonly string[] | undefined {
  return text?.split(",").filter((name) => name !== "");
}

function jsonOf(member: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(member, "must be JSON");
  }
}

function filterOf(language: string, filter: unknown): Expression | null {
  if (filter === undefined || filter === null) return null;
  try {
    if (language === "cql2-text") {
      if (typeof filter !== "string") throw new Cql2Error("a filter in cql2-text must be a text");
      return readCql2Text(filter);
    }
    return readCql2Json(typeof filter === "string" ? jsonOf("filter", filter) : filter);
  } catch (error) {
    if (error instanceof Cql2Error) throw badRequest("filter", `is not readable: ${error.message}`);
    throw error;
  }
}

function geometryOf(value: unknown): Geometry {
  const isGeometry = typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
  if (!isGeometry) throw badRequest("intersects", "must be a GeoJSON geometry");
  // Coordinates are checked where an area is made of them.
  return value as Geometry;
}
