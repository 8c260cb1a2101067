import { ServiceError } from "@swath/kernel/errors/service-error";
import { RasterError } from "@swath/raster/raster-error";
import { displayUrl } from "@swath/raster/remote/host-rules";
import { exchangeJson, expectOk, type Json, type StacPeer } from "../stac/stac-exchange.ts";

/** The answer of an address. */
export type ReadDocument =
  | { readonly kind: "unchanged" }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly fault: string; readonly bytes: number }
  | ({
      readonly kind: "catalogue" | "collection" | "item";
      readonly json: Json;
      /** After redirects. */
      readonly from: URL;
      readonly bytes: number;
    } & Version);

/** The version of a document, by which a request is conditional. */
export interface Version {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

const MAX_DOCUMENT_BYTES = 4_000_000;
const MAX_HEADER = 300;
const KINDS: Readonly<Record<string, "catalogue" | "collection" | "item">> = {
  Catalog: "catalogue",
  Collection: "collection",
  Feature: "item",
};

/**
 * Reads a document of a static catalogue, unless it is as it was.
 *
 * @param known the version that an earlier crawl read
 * @throws the reason of the signal
 */
export async function readDocument(
  peer: StacPeer,
  url: URL,
  known: Version | null,
  signal: AbortSignal,
): Promise<ReadDocument> {
  try {
    const request = { method: "GET", url, body: null, headers: conditions(known) } as const;
    const { response, json } = await exchangeJson(peer, request, MAX_DOCUMENT_BYTES, signal);
    if (response.status === 304 && known !== null) return { kind: "unchanged" };
    if (response.status === 404 || response.status === 410) return { kind: "missing" };
    const document = expectOk(peer, response, json);
    const bytes = response.body?.length ?? 0;
    const type = document["type"];
    const kind = typeof type === "string" && Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
    if (kind === undefined) {
      const got = JSON.stringify(type ?? null).slice(0, 60);
      return { kind: "failed", fault: `${displayUrl(url)} has the type ${got}, expected ${expectedKinds()}`, bytes };
    }
    const { headers } = response;
    const version = { etag: header(headers["etag"]), lastModified: header(headers["last-modified"]) };
    return { kind, json: document, from: response.url, bytes, ...version };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ServiceError || error instanceof RasterError) {
      return { kind: "failed", fault: error.message, bytes: 0 };
    }
    throw error;
  }
}

function expectedKinds(): string {
  return Object.keys(KINDS).join(", ");
}

function conditions(known: Version | null): Readonly<Record<string, string>> {
  return {
    ...(known?.etag == null ? {} : { "if-none-match": known.etag }),
    ...(known?.lastModified == null ? {} : { "if-modified-since": known.lastModified }),
  };
}

function header(value: string | undefined): string | null {
  return value === undefined || value === "" || value.length > MAX_HEADER ? null : value;
}
