import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import type { HostRules } from "@swath/raster/remote/host-rules";
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

/** Links to documents, and how many lead to hosts that may not be asked. */
export interface FoundLinks {
  readonly links: CatalogueLinks;
  readonly refused: number;
  /** The first refused address. */
  readonly firstRefused: string | null;
}

/**
 * The links of a document as absolute addresses without fragments. Addresses that are not http and over-long ones are
 * left out. Gives way to other work: a document may name ten thousands.
 */
export async function catalogueLinks(
  document: Json,
  from: URL,
  { most, rules }: { readonly most: number; readonly rules: Pick<HostRules, "allows"> },
  signal: AbortSignal,
): Promise<FoundLinks> {
  const share = loopShare();
  const found: Record<keyof CatalogueLinks, string[]> = { children: [], items: [] };
  let refused = 0;
  let firstRefused: string | null = null;
  for (const { rel, href } of linksOf(document, most)) {
    if (isUsedUp(share)) await giveWay(share, signal);
    const kind = rel === "child" ? "children" : rel === "item" ? "items" : null;
    const url = kind === null ? null : documentUrl(href, from);
    if (kind === null || url === null) continue;
    if (rules.allows(new URL(url))) found[kind].push(url);
    else {
      refused += 1;
      firstRefused ??= url;
    }
  }
  return { links: found, refused, firstRefused };
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
