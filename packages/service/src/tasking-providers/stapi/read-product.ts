import { LRUCache } from "lru-cache";
import type { Json } from "../../sources/stac/stac-exchange.ts";
import { addressOf, askFor, linkTo, type StapiPeer } from "./stapi-peer.ts";

/** The members of a product that the client needs. */
export interface StapiProduct {
  /** Null for a product without opportunities. */
  readonly opportunities: URL | null;
}

const KEPT_MS = 600_000;

/** Products of peers, read again after ten minutes. */
export type ProductCache = LRUCache<string, StapiProduct>;

export function productCache(): ProductCache {
  return new LRUCache({ max: 10, ttl: KEPT_MS });
}

/** @throws {ServiceError} SERVICE-UNAVAILABLE when the provider has no such product */
export async function readProduct(peer: StapiPeer, cache: ProductCache, signal: AbortSignal): Promise<StapiProduct> {
  const { product } = peer.settings;
  const known = cache.get(product);
  if (known !== undefined) return known;
  const url = addressOf(peer, "products", product);
  const answer = await askFor(peer, { method: "GET", url, body: null }, signal);
  const link = linkTo(answer, "opportunities");
  const offers = conformsTo(answer.json, /\/(?:opportunities|opportunities-async|async-opportunities)$/u);
  const found = { opportunities: link?.url ?? (offers ? addressOf(peer, "products", product, "opportunities") : null) };
  cache.set(product, found);
  return found;
}

function conformsTo({ conformsTo: classes }: Json, wanted: RegExp): boolean {
  return Array.isArray(classes) && classes.some((one) => typeof one === "string" && wanted.test(one));
}
