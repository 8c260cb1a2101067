import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { withAbsoluteFiles } from "./with-absolute-files.ts";

interface CatalogueLink {
  readonly rel: string;
  readonly href: string;
}

/** Documents that are read at the same time. */
const AT_ONCE = 32;
const MAX_DOCUMENTS = 10_000_000;

/**
 * The items of a static catalogue on this disk, each document once. Links lead to documents below the folder of the
 * root; others are left out.
 *
 * @param base address of the folder of the root; without it, relative addresses are relative to the `self` link
 */
export async function* catalogueItems(root: string, base: string | null): AsyncGenerator {
  const home = dirname(resolve(root));
  const seen = new Set([resolve(root)]);
  const waiting = [resolve(root)];
  while (waiting.length > 0 && seen.size < MAX_DOCUMENTS) {
    const paths = waiting.splice(-AT_ONCE);
    const documents = await Promise.all(paths.map(readDocument));
    for (const [index, document] of documents.entries()) {
      const path = paths[index] ?? home;
      if (document.type === "Feature") {
        const address = addressOf(document, path, home, base);
        yield address === null ? document.json : withAbsoluteFiles(document.json, address);
        continue;
      }
      for (const next of followed(document, path, home, base)) {
        if (seen.has(next)) continue;
        seen.add(next);
        waiting.push(next);
      }
    }
  }
}

interface Document {
  readonly type: unknown;
  readonly links: readonly CatalogueLink[];
  readonly json: unknown;
}

async function readDocument(path: string): Promise<Document> {
  const json: unknown = JSON.parse(await readFile(path, "utf8"));
  if (typeof json !== "object" || json === null) return { type: null, links: [], json };
  const { type = null, links = [] } = json as { readonly type?: unknown; readonly links?: unknown };
  return { type, links: Array.isArray(links) ? links.filter(isLink) : [], json };
}

function isLink(link: unknown): link is CatalogueLink {
  return (
    typeof link === "object" &&
    link !== null &&
    "rel" in link &&
    "href" in link &&
    typeof link.rel === "string" &&
    typeof link.href === "string"
  );
}

function* followed({ links }: Document, path: string, home: string, base: string | null): Generator<string> {
  for (const { rel, href } of links) {
    if (rel !== "child" && rel !== "item") continue;
    const next = localPath(href, path, home, base);
    if (next !== null) yield next;
  }
}

/** Null outside of the folder of the root. */
function localPath(href: string, from: string, home: string, base: string | null): string | null {
  const isUrl = /^[a-z][a-z0-9+.-]*:/iu.test(href);
  if (isUrl && (base === null || !href.startsWith(base))) return null;
  const path = isUrl ? resolve(home, decodeURIComponent(href.slice(base?.length))) : resolve(dirname(from), href);
  return relative(home, path).startsWith("..") ? null : path;
}

/** The published address of an item; null where nothing states it. */
function addressOf({ links }: Document, path: string, home: string, base: string | null): string | null {
  if (base !== null) {
    const below = pathToFileURL(path).pathname.slice(pathToFileURL(home).pathname.length + 1);
    return URL.canParse(below, base) ? new URL(below, base).href : null;
  }
  const self = links.find(({ rel, href }) => rel === "self" && /^https?:/iu.test(href));
  return self?.href ?? null;
}
