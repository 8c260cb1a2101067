import { mbr } from "@swath/kernel/geometry/mbr";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { HostRules } from "@swath/raster/remote/host-rules";
import type { StacDatasetConfig } from "../stac/config.ts";
import { sceneOfItem, type SkipReason } from "../stac/item-scene.ts";
import { linksOf } from "../stac/stac-links.ts";
import type { StacPeer } from "../stac/stac-exchange.ts";
import { catalogueLinks, documentUrl, NO_LINKS, parseLinks, type CatalogueLinks } from "./catalogue-links.ts";
import { readDocument, type ReadDocument } from "./read-document.ts";
import type { CrawlLimits } from "./settings.ts";
import type { KnownRow, ReadRow } from "./store.ts";

/** Where a crawl keeps what it reads. */
interface CrawlIndex {
  known(urls: readonly string[]): Promise<readonly KnownRow[]>;
  /** The documents are as they were. */
  touch(urls: readonly string[]): Promise<void>;
  write(row: ReadRow): Promise<void>;
}

type CrawlBound = "items" | "documents" | "depth" | "bytes" | "time";

/** The counts of a crawl. */
export interface CrawlReport {
  readonly documents: number;
  readonly items: number;
  readonly unchanged: number;
  /** Addresses that answered 404 or 410. */
  readonly missing: number;
  /** Documents that could not be read. */
  readonly failed: number;
  /** Links to hosts that the settings do not list. */
  readonly refused: number;
  readonly firstFault: string | null;
  /** Items that are no scenes, by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason | "repeated" | "unreadable", number>>>;
  /** Bounds that the catalogue is larger than. */
  readonly reached: readonly CrawlBound[];
}

export interface CrawlScope extends StacPeer {
  readonly root: URL;
  readonly rules: Pick<HostRules, "allows">;
  readonly dataset: StacDatasetConfig;
  readonly limits: CrawlLimits;
  readonly index: CrawlIndex;
}

interface Step {
  readonly url: string;
  /** Links from the root. */
  readonly depth: number;
}

/** A crawl under way. */
interface Crawl extends CrawlScope {
  /** Documents to read, those before `next` being read. */
  readonly queue: Step[];
  next: number;
  /** Every address that was queued, so that loops end. */
  readonly seen: Set<string>;
  readonly sceneIds: Set<string>;
  readonly reached: Set<CrawlBound>;
  readonly skipped: Partial<Record<SkipReason | "repeated" | "unreadable", number>>;
  documents: number;
  items: number;
  unchanged: number;
  missing: number;
  failed: number;
  refused: number;
  bytes: number;
  firstFault: string | null;
}

/** Documents that are read at once; each has at most 4 MB. */
const AT_ONCE = 8;

/**
 * Follows the links of a static catalogue from its root, each address once, and keeps its items. Ends at the first
 * bound; the index then holds what was read before.
 *
 * @throws {ServiceError} SERVICE-UNAVAILABLE when the root cannot be read, or is no static catalogue
 */
export async function crawlCatalogue(scope: CrawlScope, signal: AbortSignal): Promise<CrawlReport> {
  const root = documentUrl(scope.root.href) ?? scope.root.href;
  const crawl: Crawl = {
    ...scope,
    queue: [{ url: root, depth: 0 }],
    next: 0,
    seen: new Set([root]),
    sceneIds: new Set(),
    reached: new Set(),
    skipped: {},
    documents: 0,
    items: 0,
    unchanged: 0,
    missing: 0,
    failed: 0,
    refused: 0,
    bytes: 0,
    firstFault: null,
  };
  const deadline = AbortSignal.timeout(Math.ceil(scope.limits.ms));
  const either = AbortSignal.any([signal, deadline]);
  try {
    while (crawl.next < crawl.queue.length && !isFull(crawl)) await visitNext(crawl, either);
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error;
    crawl.reached.add("time");
  }
  const { documents, items, unchanged, missing, failed, refused, firstFault, skipped, reached } = crawl;
  return { documents, items, unchanged, missing, failed, refused, firstFault, skipped, reached: [...reached] };
}

function isFull({ bytes, items, limits, reached }: Crawl): boolean {
  if (bytes >= limits.bytes) reached.add("bytes");
  if (items >= limits.items) reached.add("items");
  return reached.has("bytes") || reached.has("items");
}

/** Reads the next documents together and keeps them one after the other. */
async function visitNext(crawl: Crawl, signal: AbortSignal): Promise<void> {
  const steps = crawl.queue.slice(crawl.next, crawl.next + AT_ONCE);
  crawl.next += steps.length;
  const rows = await crawl.index.known(steps.map(({ url }) => url));
  const known = new Map(rows.map((row) => [row.url, row]));
  const read = await Promise.all(
    steps.map(({ url }) => {
      const row = known.get(url);
      const version = row === undefined ? null : { etag: row.etag, lastModified: row.last_modified };
      return readDocument(crawl, new URL(url), version, signal);
    }),
  );
  const touched: string[] = [];
  for (const [index, step] of steps.entries()) {
    const document = read[index];
    if (document === undefined || crawl.items >= crawl.limits.items) continue;
    crawl.documents += 1;
    if (document.kind === "unchanged") {
      touched.push(step.url);
      keepUnchanged(crawl, step, known.get(step.url));
    } else {
      await keepRead(crawl, step, document, signal);
    }
  }
  if (touched.length > 0) await crawl.index.touch(touched);
}

function keepUnchanged(crawl: Crawl, step: Step, row: KnownRow | undefined): void {
  crawl.unchanged += 1;
  if (row === undefined) return;
  if (row.scene_id !== null) {
    crawl.items += 1;
    crawl.sceneIds.add(row.scene_id);
  }
  follow(crawl, step, parseLinks(row.links));
}

async function keepRead(
  crawl: Crawl,
  step: Step,
  document: Exclude<ReadDocument, { readonly kind: "unchanged" }>,
  signal: AbortSignal,
): Promise<void> {
  if (document.kind === "missing" || document.kind === "failed") {
    const fault = document.kind === "failed" ? document.fault : `${step.url} answered 404`;
    if (step.depth === 0) throw new ServiceError("SERVICE-UNAVAILABLE", `${crawl.name}: ${fault}`);
    crawl[document.kind] += 1;
    if (document.kind === "failed") {
      crawl.firstFault ??= fault;
      crawl.bytes += document.bytes;
    }
    return;
  }
  crawl.bytes += document.bytes;
  if (step.depth === 0) checkRoot(crawl, document);
  const { etag, lastModified } = document;
  if (document.kind === "item") {
    const scene = await sceneRow(crawl, step, document.json);
    if (scene !== null) crawl.items += 1;
    await crawl.index.write({ url: step.url, etag, lastModified, links: JSON.stringify(NO_LINKS), scene });
    return;
  }
  const links = isWanted(crawl, document) ? await allowedLinks(crawl, document, signal) : NO_LINKS;
  await crawl.index.write({ url: step.url, etag, lastModified, links: JSON.stringify(links), scene: null });
  follow(crawl, step, links);
}

type Catalogued = Extract<ReadDocument, { readonly json: unknown }>;

function checkRoot({ name }: Crawl, { kind, json }: Catalogued): void {
  if (kind === "item") {
    throw new ServiceError("SERVICE-UNAVAILABLE", `${name}: the root is an item, expected a Catalog or a Collection`);
  }
  if (linksOf(json).some(({ rel }) => rel === "search")) {
    const advice = 'expected a static catalogue; a STAC API has "kind": "stac"';
    throw new ServiceError("SERVICE-UNAVAILABLE", `${name}: the root links to a search, ${advice}`);
  }
}

function isWanted({ dataset: { collections } }: Crawl, { kind, json }: Catalogued): boolean {
  return kind !== "collection" || collections.length === 0 || collections.includes(String(json["id"]));
}

/** Links to hosts that may be asked. */
async function allowedLinks(crawl: Crawl, { json, from }: Catalogued, signal: AbortSignal): Promise<CatalogueLinks> {
  const bounds = { most: crawl.limits.documents, rules: crawl.rules };
  const { links, refused, firstRefused } = await catalogueLinks(json, from, bounds, signal);
  crawl.refused += refused;
  if (firstRefused !== null) {
    crawl.firstFault ??= `${firstRefused.slice(0, 200)} is at a host that the settings do not list`;
  }
  return links;
}

function follow(crawl: Crawl, { depth }: Step, { children, items }: CatalogueLinks): void {
  const isDeep = depth >= crawl.limits.depth;
  if (isDeep && children.length > 0) crawl.reached.add("depth");
  for (const url of isDeep ? items : [...items, ...children]) {
    if (crawl.seen.has(url)) continue;
    if (crawl.seen.size >= crawl.limits.documents) {
      crawl.reached.add("documents");
      return;
    }
    crawl.seen.add(url);
    crawl.queue.push({ url, depth: depth + 1 });
  }
}

/** The scene of an item; null and a count when it is none. */
async function sceneRow(crawl: Crawl, { url }: Step, json: Catalogued["json"]): Promise<ReadRow["scene"]> {
  const { links: _links, ...item } = json;
  const skip = (reason: keyof Crawl["skipped"]): null => {
    crawl.skipped[reason] = (crawl.skipped[reason] ?? 0) + 1;
    return null;
  };
  try {
    const found = await sceneOfItem(json, crawl.dataset);
    if (typeof found === "string") return skip(found);
    const { sceneId, footprint } = found.scene;
    if (crawl.sceneIds.has(sceneId)) return skip("repeated");
    crawl.sceneIds.add(sceneId);
    const acquiredAt = new Date(Math.floor(found.acquiredAtMs / 1000) * 1000);
    // Relative addresses of assets are relative to the document.
    const kept = { ...item, links: [{ rel: "self", href: url }] };
    return { sceneId, acquiredAt, bbox: mbr(footprint), item: JSON.stringify(kept) };
  } catch (error) {
    crawl.firstFault ??= `${url}: ${error instanceof Error ? error.message : String(error)}`;
    return skip("unreadable");
  }
}
