/** A link of a STAC or OGC document. */
export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
  readonly title?: string;
  readonly method?: "GET" | "POST";
  readonly body?: unknown;
  readonly merge?: boolean;
  /** Identifiers of layers, of a link to a WMTS. */
  readonly "wmts:layer"?: readonly string[];
}

export const JSON_TYPE = "application/json";
export const GEOJSON_TYPE = "application/geo+json";
export const QUERYABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/queryables";

export function rootOf(baseUrl: string): string {
  return `${baseUrl}/stac`;
}

export function collectionHref(baseUrl: string, collectionId: string): string {
  return `${rootOf(baseUrl)}/collections/${encodeURIComponent(collectionId)}`;
}

export function itemHref(baseUrl: string, collectionId: string, itemId: string): string {
  return `${collectionHref(baseUrl, collectionId)}/items/${encodeURIComponent(itemId)}`;
}
