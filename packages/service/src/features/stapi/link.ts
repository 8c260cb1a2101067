import { GEOJSON_TYPE, JSON_TYPE, type Link } from "../stac/link.ts";

export const STAPI_VERSION = "0.1.0";
export const SCHEMA_TYPE = "application/schema+json";

/** The members of a request that links need. */
export interface Page {
  readonly limit: number;
  /** Token of the next page; null on the last. */
  readonly next: string | null;
}

export function rootOf(baseUrl: string): string {
  return `${baseUrl}/stapi`;
}

export function productHref(baseUrl: string, productId: string): string {
  return `${rootOf(baseUrl)}/products/${encodeURIComponent(productId)}`;
}

export function orderHref(baseUrl: string, orderId: string): string {
  return `${rootOf(baseUrl)}/orders/${encodeURIComponent(orderId)}`;
}

export function searchHref(baseUrl: string, searchId: string): string {
  return `${rootOf(baseUrl)}/searches/opportunities/${encodeURIComponent(searchId)}`;
}

/** The link of a list to its next page; none on the last. */
export function nextLinks(href: string, { limit, next }: Page, type: string = JSON_TYPE): readonly Link[] {
  if (next === null) return [];
  const query = new URLSearchParams({ next, limit: String(limit) }).toString();
  return [{ rel: "next", href: `${href}?${query}`, type, method: "GET" }];
}

export { GEOJSON_TYPE, JSON_TYPE, type Link };
