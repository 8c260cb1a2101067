import { ServiceError } from "@swath/kernel/errors/service-error";
import { displayUrl } from "@swath/raster/remote/host-rules";
import type { HttpResponse } from "@swath/raster/remote/http-transport";
import { type RemoteClient, Retry } from "@swath/raster/remote/remote-client";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";

export type Json = Readonly<Record<string, unknown>>;

/** A catalogue to exchange JSON with. */
export interface StacPeer {
  readonly client: RemoteClient;
  /** For messages. */
  readonly name: string;
}

export interface JsonRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly body: Json | null;
  readonly headers?: Readonly<Record<string, string>>;
}

const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

/** Sends a request and parses its answer, whatever the status. */
export async function exchangeJson(
  { client }: StacPeer,
  request: JsonRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly response: HttpResponse; readonly json: unknown }> {
  let json: unknown = null;
  const response = await client.send(
    {
      method: request.method,
      url: request.url,
      headers: {
        accept: "application/geo+json, application/json",
        "accept-encoding": "gzip",
        ...request.headers,
      },
      maxBytes,
      ...(request.body === null ? {} : { body: JSON.stringify(request.body) }),
      accept: (answer) => {
        if (answer.body === null) throw tooLong(answer, maxBytes);
        json = parse(answer);
      },
    },
    signal,
  );
  return { response, json };
}

/** A document and its address after redirects. Null when there is none. */
export async function getDocument(
  peer: StacPeer,
  url: URL,
  signal: AbortSignal,
): Promise<{ readonly json: Json; readonly from: URL } | null> {
  const { response, json } = await exchangeJson(peer, { method: "GET", url, body: null }, MAX_DOCUMENT_BYTES, signal);
  if (response.status === 404 || response.status === 410) return null;
  return { json: expectOk(peer, response, json), from: response.url };
}

/** @throws {ServiceError} for statuses that are no success */
export function expectOk({ name }: StacPeer, response: HttpResponse, json: unknown): Json {
  if (response.status >= 200 && response.status < 300 && isRecord(json)) return json;
  const where = displayUrl(response.url);
  if (response.status === 401 || response.status === 403) {
    throw new ServiceError(
      "SERVICE-UNAVAILABLE",
      `${name}: ${where} refused with status ${response.status}; check the credentials of its host in the configuration`,
    );
  }
  throw new ServiceError("SERVICE-UNAVAILABLE", `${name}: ${where} answered ${response.status}${descriptionOf(json)}`);
}

/** @throws {Retry} when a success is not JSON: the answer may have been cut on its way */
function parse(answer: HttpResponse): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: false }).decode(answer.body ?? new Uint8Array(0)));
  } catch {
    if (answer.status >= 200 && answer.status < 300) throw new Retry("answered with invalid JSON", "unreadable");
    return null;
  }
}

function tooLong(answer: HttpResponse, maxBytes: number): ServiceError {
  return new ServiceError(
    "SCENE-UNREADABLE",
    `${displayUrl(answer.url)} answered with more than ${maxBytes} bytes, expected a STAC document`,
  );
}

/** The reason that a catalogue gives for its refusal. */
function descriptionOf(json: unknown): string {
  if (!isRecord(json)) return "";
  const text = [json["description"], json["detail"], json["message"]].find((one) => typeof one === "string");
  return typeof text === "string" && text !== "" ? `: ${text.replaceAll(/\s+/g, " ").slice(0, 200)}` : "";
}
