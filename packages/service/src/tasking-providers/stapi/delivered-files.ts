import { createHash } from "node:crypto";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import { fileOf, readStacAssets, type StacAsset } from "@swath/raster/scene-metadata/stac-item";
import { linksOf } from "../../sources/stac/stac-links.ts";
import type { Json } from "../../sources/stac/stac-exchange.ts";
import type { StapiOrder, StapiStatus } from "./order-document.ts";
import type { StapiSettings } from "./settings.ts";

/** Something that a provider delivered: a STAC item, or a file without a description. */
export interface Delivered {
  readonly kind: "item" | "file";
  readonly url: URL;
  /** Time of the first status that names it. */
  readonly toldMs: number;
}

const RELS = ["item", "data", "enclosure"];
/** Of one order. */
const MAX_DELIVERED = 50;
const MAX_LINKS = 200;

/**
 * Targets of the links and assets of an order and of its statuses, each once. Addresses are compared without queries:
 * signatures change from answer to answer.
 */
export function deliveredOf(
  order: StapiOrder,
  history: readonly StapiStatus[],
  settings: StapiSettings,
  from: URL,
): readonly Delivered[] {
  const rels = settings.deliveryRels ?? RELS;
  const statuses = [...history, order.status].toSorted((a, b) => a.atMs - b.atMs);
  const found = new Map<string, Delivered>();
  const add = (href: string, type: string, isItem: boolean, toldMs: number): void => {
    if (!URL.canParse(href, from)) return;
    const url = new URL(href, from);
    const key = url.origin + url.pathname;
    if ((url.protocol !== "http:" && url.protocol !== "https:") || found.has(key) || found.size >= MAX_DELIVERED)
      return;
    const kind = isItem ? "item" : isImage(type, href) ? "file" : null;
    if (kind !== null) found.set(key, { kind, url, toldMs });
  };
  const documents = [
    ...statuses.map(({ json, atMs }) => ({ json, atMs })),
    { json: order.json, atMs: order.status.atMs },
  ];
  for (const { json, atMs } of documents) {
    for (const { rel, href, type } of typedLinks(json)) {
      if (rels.includes(rel)) add(href, type, rel === "item" || /geo\+json/u.test(type), atMs);
    }
    for (const { href, mediaType } of readStacAssets({ assets: assetsOf(json) })) add(href, mediaType, false, atMs);
  }
  return [...found.values()];
}

/** The file of an item that is ingested; null for an item without a GeoTIFF. */
export function assetOf(item: Json, { assets: wanted = [] }: StapiSettings): StacAsset | null {
  const assets = readStacAssets(item);
  const named = wanted.flatMap((key) => assets.filter((asset) => asset.key === key));
  const images = assets.filter(({ mediaType, href }) => isImage(mediaType, href));
  const ofData = images.filter(({ roles }) => roles.includes("data"));
  return named[0] ?? ofData[0] ?? images.find(({ roles }) => !roles.includes("thumbnail")) ?? null;
}

/** A name for something at an address, the same for every signature. */
export function nameOfAddress({ origin, pathname }: URL): string {
  return createHash("sha256")
    .update(origin + pathname)
    .digest("hex")
    .slice(0, 32);
}

function isImage(type: string, href: string): boolean {
  return /^image\/tiff/iu.test(type) || /\.(?:tiff?|geotiff)$/iu.test(fileOf(href));
}

function assetsOf(json: Json): unknown {
  const properties = json["properties"];
  return json["assets"] ?? (isRecord(properties) ? properties["assets"] : undefined);
}

function typedLinks(json: Json): readonly { readonly rel: string; readonly href: string; readonly type: string }[] {
  const types = new Map<string, string>();
  const links: unknown = json["links"];
  for (const link of Array.isArray(links) ? links.slice(0, MAX_LINKS) : []) {
    if (isRecord(link) && typeof link["href"] === "string" && typeof link["type"] === "string") {
      types.set(link["href"], link["type"]);
    }
  }
  return linksOf(json, MAX_LINKS).map(({ rel, href }) => ({ rel, href, type: types.get(href) ?? "" }));
}
