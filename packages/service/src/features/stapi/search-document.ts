import { intervalText, parseInterval } from "../../tasking-providers/stapi/interval.ts";
import { GEOJSON_TYPE, JSON_TYPE, nextLinks, productHref, rootOf, searchHref } from "./link.ts";
import type { Link, Page } from "./link.ts";
import type { SearchRow } from "./search-store.ts";

type Document = Readonly<Record<string, unknown>>;

interface SearchStatus {
  readonly timestamp: string;
  readonly status_code: "cancelled" | "completed" | "failed" | "in_progress" | "received";
  readonly reason_code?: string;
  readonly reason_text?: string;
  readonly links: readonly Link[];
}

/** The statuses of a search, oldest first. */
function searchStatuses(row: SearchRow): readonly SearchStatus[] {
  const received: SearchStatus = { timestamp: row.createdAt.toISOString(), status_code: "received", links: [] };
  return row.status === "NEW" ? [received] : [received, latestStatus(row)];
}

function latestStatus({ errorCode, errorMessage, finishedAt, modifiedAt, status }: SearchRow): SearchStatus {
  const timestamp = (finishedAt ?? modifiedAt).toISOString();
  if (status === "RESOLVED") return { timestamp, status_code: "completed", links: [] };
  if (status === "CANCELLED") return { timestamp, status_code: "cancelled", links: [] };
  if (status !== "FAILED") return { timestamp, status_code: "in_progress", links: [] };
  const reason = { reason_code: errorCode ?? "PROCESSING-ERROR", reason_text: errorMessage ?? "the search failed" };
  return { timestamp, status_code: "failed", ...reason, links: [] };
}

/** A request as answers repeat it: with an interval that every client reads. */
export function shownDatetime(datetime: string): string {
  const interval = parseInterval(datetime);
  return interval === null ? datetime : intervalText(interval);
}

/** The record of a search. */
export function searchDocument(row: SearchRow, baseUrl: string): Document {
  const { id, request } = row;
  const self = searchHref(baseUrl, id);
  const opportunities = `${productHref(baseUrl, request.productId)}/opportunities/${encodeURIComponent(id)}`;
  const { productId, datetime, ...rest } = request;
  return {
    id,
    product_id: productId,
    opportunity_request: { datetime: shownDatetime(datetime), ...rest },
    status: searchStatuses(row).at(-1),
    links: [
      { rel: "self", href: self, type: JSON_TYPE },
      { rel: "root", href: rootOf(baseUrl), type: JSON_TYPE },
      { rel: "monitor", href: `${self}/statuses`, type: JSON_TYPE },
      ...(row.status === "RESOLVED" ? [{ rel: "opportunities", href: opportunities, type: GEOJSON_TYPE }] : []),
    ],
  };
}

export function searchesDocument(rows: readonly SearchRow[], page: Page, baseUrl: string): Document {
  const self = `${rootOf(baseUrl)}/searches/opportunities`;
  return {
    search_records: rows.map((row) => searchDocument(row, baseUrl)),
    links: [
      { rel: "self", href: self, type: JSON_TYPE },
      { rel: "root", href: rootOf(baseUrl), type: JSON_TYPE },
      ...nextLinks(self, page),
    ],
  };
}

export function searchStatusesDocument(row: SearchRow, baseUrl: string): Document {
  const href = searchHref(baseUrl, row.id);
  return {
    statuses: searchStatuses(row),
    links: [
      { rel: "self", href: `${href}/statuses`, type: JSON_TYPE },
      { rel: "search", href, type: JSON_TYPE },
    ],
  };
}
