import type { FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { BASE_COST, TOKEN_PAYS } from "@swath/contract/kit/request-cost";
import { matchesEtag } from "../../platform/etag.ts";
import { meterOfAddress, type Rates } from "../admission.ts";
import { charge } from "../meter.ts";
import { addressShare } from "../traffic/share-name.ts";
import type { Traffic } from "../traffic/traffic.ts";
import { workOn } from "../traffic/work.ts";

/** Bytes that all readers of an address get. */
export interface Page {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly mediaType: string;
  readonly cacheControl: string;
}

export interface PageDeps {
  readonly traffic: Traffic;
  readonly rates: Rates;
}

export const JSON_TYPE = "application/json; charset=utf-8";
export const HTML_TYPE = "text/html; charset=utf-8";

/** A page that readers ask for again each time, with its ETag. */
export function page(content: string | Buffer, mediaType: string, cacheControl = "no-cache"): Page {
  const bytes = Buffer.from(content);
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { bytes, etag: `W/"${digest}"`, mediaType, cacheControl };
}

/** A reader pays for the page by its size, and holds a place of its address until it has the page. */
export async function sendPage(
  { traffic, rates }: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag, mediaType, cacheControl }: Page,
): Promise<FastifyReply> {
  return await workOn(traffic, addressShare(request.ip), reply, async () => {
    reply.header("etag", etag).header("cache-control", cacheControl);
    const isKnown = matchesEtag(request.headers["if-none-match"], etag);
    charge(
      meterOfAddress(request, reply, "read", rates),
      BASE_COST + (isKnown ? 0 : Math.floor(bytes.length / TOKEN_PAYS.bodyBytes)),
    );
    if (isKnown) return reply.code(304).send();
    return reply.type(mediaType).send(bytes);
  });
}
