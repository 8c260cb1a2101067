import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import type { Json } from "../stac/stac-exchange.ts";
import { linksOf } from "../stac/stac-links.ts";

/** The documents that a catalogue or collection names. */
export interface CatalogueLinks {
  readonly children: readonly string[];
  readonly items: readonly string[];
}

export const NO_LINKS: CatalogueLinks = { children: [], items: [] };

/** Longer addresses are no key of an index. */
const MAX_URL = 2000;

/** Absolute addresses without fragments. Addresses that are not http and over-long ones are left out. */
export function catalogueLinks(document: Json, from: URL, most: number): CatalogueLinks {
  const links = linksOf(document, most);
  const named = (rel: string): readonly string[] =>
    links.filter((link) => link.rel === rel).flatMap(({ href }) => documentUrl(href, from) ?? []);
  return { children: named("child"), items: named("item") };
}

/** Null when the text is no address of a document. */
export function documentUrl(href: string, from?: URL): string | null {
  if (!URL.canParse(href, from)) return null;
  const url = new URL(href, from);
  url.hash = "";
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return isWeb && url.href.length <= MAX_URL ? url.href : null;
}

/** The links that `JSON.stringify` wrote. */
export function parseLinks(json: string): CatalogueLinks {
  const value: unknown = JSON.parse(json);
  if (!isRecord(value)) return NO_LINKS;
  return { children: texts(value["children"]), items: texts(value["items"]) };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}
