import { ServiceError } from "@swath/kernel/errors/service-error";
import { displayUrl } from "@swath/raster/remote/host-rules";
import type { HttpResponse } from "@swath/raster/remote/http-transport";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import { systemTimers, type Timers } from "@swath/raster/remote/remote-client";
import type { Db } from "../../platform/context.ts";
import { connectPeer, type ConnectedPeer, type PeerDeps } from "../../sources/stac/connect-peer.ts";
import { linksOf, type Link } from "../../sources/stac/stac-links.ts";
import { exchangeJson, expectOk, type Json, type JsonRequest } from "../../sources/stac/stac-exchange.ts";
import type { OfferedWindow, TaskingRequest } from "../tasking-provider.ts";
import type { StapiSettings } from "./settings.ts";

export interface StapiDeps extends PeerDeps {
  readonly db: Db;
  /** Windows of the satellites of a dataset, for products without opportunities; null without satellites. */
  readonly passes?: ((request: TaskingRequest, signal: AbortSignal) => Promise<readonly OfferedWindow[]>) | null;
}

/** A configured product of a STAPI provider. */
export interface StapiPeer extends ConnectedPeer {
  readonly settings: StapiSettings;
  readonly deps: StapiDeps;
  readonly timers: Timers;
  /** Address that other addresses are relative to: the root with a slash at its end. */
  readonly base: URL;
}

/** Documents of one object. */
const MAX_OBJECT_BYTES = 1024 * 1024;
/** Lists of objects. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const MAX_LINKS = 200;

/** @throws {Error} when the settings contradict themselves or a secret is missing */
export function connectStapi(settings: StapiSettings, deps: StapiDeps): StapiPeer {
  const peer = connectPeer(settings, deps);
  const base = new URL(peer.root);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return { ...peer, settings, deps, base, timers: deps.timers ?? systemTimers };
}

/** An address below the root; segments are encoded. */
export function addressOf({ base }: StapiPeer, ...segments: readonly string[]): URL {
  return new URL(segments.map((segment) => encodeURIComponent(segment)).join("/"), base);
}

/** A document with the address that relative links in it start from, and its status. */
export interface Answer {
  readonly json: Json;
  readonly from: URL;
  readonly response: HttpResponse;
}

/**
 * A request that may be repeated.
 *
 * @returns null for statuses of which `absent` says that there is nothing
 * @throws {ServiceError} SERVICE-UNAVAILABLE for every other answer that is no JSON object of bounded size
 */
export async function ask(
  peer: StapiPeer,
  request: JsonRequest,
  signal: AbortSignal,
  { isList = false, absent = [] }: { readonly isList?: boolean; readonly absent?: readonly number[] } = {},
): Promise<Answer | null> {
  try {
    const { response, json } = await exchangeJson(peer, request, isList ? MAX_PAGE_BYTES : MAX_OBJECT_BYTES, signal);
    if (absent.includes(response.status)) return null;
    return { json: expectOk(peer, response, json), from: response.url, response };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "SERVICE-UNAVAILABLE") throw error;
    throw new ServiceError("SERVICE-UNAVAILABLE", `${peer.name}: ${error.message}`, { cause: error });
  }
}

/** A document that must be there. */
export async function askFor(peer: StapiPeer, request: JsonRequest, signal: AbortSignal): Promise<Answer> {
  const answer = await ask(peer, request, signal);
  if (answer === null) throw unreadable(peer, request.url, "nothing");
  return answer;
}

/** The first link with one of the relations, and its address. */
export function linkTo({ json, from }: Answer, ...rels: readonly string[]): (Link & { readonly url: URL }) | null {
  for (const link of linksOf(json, MAX_LINKS)) {
    if (rels.includes(link.rel) && URL.canParse(link.href, from)) return { ...link, url: new URL(link.href, from) };
  }
  return null;
}

/** Whether an address may be asked; the log names one that may not. */
export function mayAsk({ log, name, rules }: StapiPeer, url: URL): boolean {
  if (rules.allows(url)) return true;
  log.warn(
    { provider: name, url: displayUrl(url) },
    "address left out: its host is not among the hosts of the provider",
  );
  return false;
}

/** Of answers that are JSON and not what was asked for. */
export function unreadable({ name }: StapiPeer, url: URL, what: string): ServiceError {
  return new ServiceError("SERVICE-UNAVAILABLE", `${name}: ${displayUrl(url)} answered ${what}`);
}

export function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** A text of a document, shortened; null for other values. */
export function textOf(value: unknown, most = 500): string | null {
  return typeof value === "string" && value !== "" ? value.replaceAll(/\p{Cc}+/gu, " ").slice(0, most) : null;
}
