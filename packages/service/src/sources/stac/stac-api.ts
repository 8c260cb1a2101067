import { ServiceError } from "@swath/kernel/errors/service-error";
import { displayUrl } from "@swath/raster/remote/host-rules";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import { firstRequest, nextRequest, type ItemSearch } from "./page-request.ts";
import { exchangeJson, expectOk, getDocument, type Json, type JsonRequest, type StacPeer } from "./stac-exchange.ts";
import { readLanding, type Landing } from "./stac-landing.ts";

export interface ItemPage {
  readonly items: readonly Json[];
  /** How many the whole search finds, as far as the catalogue says. */
  readonly matched: number | null;
  readonly hasNext: boolean;
}

interface Capabilities {
  readonly canSort: boolean;
  readonly canQuery: boolean;
}

/** A STAC API 1.0 as sources need it. Answers are JSON; only the named members have a known form. */
export interface StacApi {
  /** Asked once. */
  capabilities(signal: AbortSignal): Promise<Capabilities>;
  /** Pages until the last one; following the links between them ends when the consumer stops. */
  pages(search: ItemSearch, signal: AbortSignal): AsyncGenerator<ItemPage, void>;
  /** Null when there is none. */
  item(collection: string, id: string, signal: AbortSignal): Promise<Json | null>;
}

export interface StacApiOptions extends StacPeer {
  readonly url: URL;
  readonly method: "auto" | "POST" | "GET";
}

/** A catalogue with the answers that are remembered. */
interface Catalogue extends StacPeer {
  readonly root: URL;
  readonly method: StacApiOptions["method"];
  landing: Promise<Landing> | null;
  /** Whether the catalogue refused POST although its landing page promises it. */
  refusesPost: boolean;
}

const MAX_PAGE_BYTES = 64 * 1024 * 1024;

export function createStacApi({ client, name, url, method }: StacApiOptions): StacApi {
  const root = new URL(url);
  if (!root.pathname.endsWith("/")) root.pathname += "/";
  const catalogue: Catalogue = { client, name, root, method, landing: null, refusesPost: false };
  return {
    capabilities: (signal) => landingOf(catalogue, signal),
    pages: (search, signal) => pagesOf(catalogue, search, signal),

    async item(collection, id, signal) {
      const path = `collections/${encodeURIComponent(collection)}/items/${encodeURIComponent(id)}`;
      return (await getDocument(catalogue, new URL(path, root), signal))?.json ?? null;
    },
  };
}

async function landingOf(catalogue: Catalogue, signal: AbortSignal): Promise<Landing> {
  signal.throwIfAborted();
  const asking = (catalogue.landing ??= readLanding(catalogue, catalogue.root, signal));
  try {
    return await asking;
  } catch (error) {
    // Failures, and waits that a caller gave up, are not remembered.
    if (catalogue.landing === asking) catalogue.landing = null;
    if (!signal.aborted && isAbort(error)) return landingOf(catalogue, signal);
    throw error;
  }
}

async function* pagesOf(
  catalogue: Catalogue,
  search: ItemSearch,
  signal: AbortSignal,
): AsyncGenerator<ItemPage, void, undefined> {
  const { name } = catalogue;
  const landing = await landingOf(catalogue, signal);
  let request: JsonRequest | null = firstRequest(search, landing, usesPost(catalogue, landing));
  const asked = new Set<string>();
  while (request !== null) {
    const signature = JSON.stringify([request.method, request.url.href, request.body]);
    if (asked.has(signature)) {
      throw new ServiceError(
        "SCENE-UNREADABLE",
        `${name}: the link to the next page leads back to one that was read already, after ${asked.size} pages`,
      );
    }
    asked.add(signature);
    const current: JsonRequest = request;
    const { response, json } = await exchangeJson(catalogue, current, MAX_PAGE_BYTES, signal);
    const isPostRefused = current.method === "POST" && [404, 405, 501].includes(response.status);
    if (isPostRefused && asked.size === 1 && catalogue.method === "auto") {
      catalogue.refusesPost = true;
      request = firstRequest(search, landing, false);
      continue;
    }
    const page = expectOk(catalogue, response, json);
    const features = page["features"];
    if (!Array.isArray(features)) {
      throw new ServiceError(
        "SCENE-UNREADABLE",
        `${name}: ${displayUrl(response.url)} answered without features, expected a FeatureCollection`,
      );
    }
    const next = nextRequest(page, current, response.url);
    const items = features.filter(isRecord);
    // Some catalogues link from an empty last page to itself.
    const hasNext = next !== null && items.length > 0;
    yield { items, matched: matchedOf(page), hasNext };
    request = hasNext ? next : null;
  }
}

function usesPost({ method, refusesPost }: Catalogue, { post }: Landing): boolean {
  return method === "auto" ? post && !refusesPost : method === "POST";
}

function matchedOf(page: Json): number | null {
  const context = isRecord(page["context"]) ? page["context"]["matched"] : null;
  const matched = page["numberMatched"] ?? page["numMatched"] ?? context;
  return typeof matched === "number" && Number.isFinite(matched) ? matched : null;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
