import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { createGunzip } from "node:zlib";
import { certificateError } from "@swath/base/certificate-error";
import { displayUrl, type HostRules } from "./host-rules.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A body that is longer is not read: the connection is closed and `body` is null. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null when it is longer than was allowed. */
  readonly body: Uint8Array | null;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
}

/** One exchange over HTTP. Rejects when there is no whole answer; any status is an answer. */
export type HttpTransport = (request: HttpRequest) => Promise<HttpResponse>;

/** Adds what a host wants to see to a request to it: headers, or a query. */
export type Authorize = (
  url: URL,
  signal: AbortSignal,
) => Promise<{ readonly headers?: Readonly<Record<string, string>>; readonly query?: string } | null>;

export interface TransportOptions {
  readonly rules: HostRules;
  readonly authorize?: Authorize;
  readonly userAgent?: string;
  /** Open connections to one host. */
  readonly maxSockets?: number;
  /** Redirects that are followed, 5 unless given; 0: the redirect is the answer. */
  readonly maxRedirects?: number;
  /** Resolves names; the system's unless given. */
  readonly lookup?: (host: string) => Promise<readonly LookupAddress[]>;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const IDLE_SOCKET_MS = 15_000;

/** The answer ended before its declared end, or the connection broke. Worth another try. */
class BrokenExchangeError extends Error {
  override readonly name = "BrokenExchangeError";
}

/**
 * HTTP over Node's client. The rules apply to every address, redirects included, and to the resolved address of the
 * connection itself, so that no second resolution can differ. Credentials are determined for every hop and never reach
 * another host.
 */
export function createHttpTransport(options: TransportOptions): HttpTransport & Disposable {
  const { rules, maxRedirects = MAX_REDIRECTS } = options;
  const agentOptions = { keepAlive: true, maxSockets: options.maxSockets ?? 16, timeout: IDLE_SOCKET_MS };
  const agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) };
  const lookup = guardedLookup(rules, options.lookup ?? systemLookup);

  const once = async (request: HttpRequest, url: URL): Promise<HttpResponse> => {
    rules.check(url);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !rules.allowsAddress(host, host)) throw refusedAddress(url.hostname, host);
    const credential = (await options.authorize?.(url, request.signal)) ?? null;
    const target = withQuery(url, credential?.query);
    const headers: Record<string, string> = {
      "user-agent": options.userAgent ?? "swath",
      "accept-encoding": "identity",
      ...request.headers,
      ...credential?.headers,
      ...(request.body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": String(Buffer.byteLength(request.body)) }),
    };
    return new Promise((resolve, reject) => {
      const secure = target.protocol === "https:";
      const send = secure ? httpsRequest : httpRequest;
      const outgoing = send(
        target,
        {
          method: request.method,
          headers,
          agent: secure ? agents.https : agents.http,
          lookup,
          signal: request.signal,
        },
        (incoming) => {
          readBody(incoming, request.maxBytes).then(
            (body) => resolve({ status: incoming.statusCode ?? 0, headers: flat(incoming), body, url }),
            reject,
          );
        },
      );
      outgoing.on("error", (error) => reject(certificateError(error, target.host) ?? error));
      outgoing.end(request.body);
    });
  };

  const transport = async (request: HttpRequest): Promise<HttpResponse> => {
    let url = request.url;
    let current = request;
    for (let hop = 0; ; hop++) {
      const response = await once(current, url);
      const location = response.headers["location"];
      if (!REDIRECTS.has(response.status) || location === undefined || maxRedirects === 0) return response;
      if (hop >= maxRedirects) throw new Error(`${displayUrl(request.url)} redirects more than ${maxRedirects} times`);
      if (!URL.canParse(location, url)) throw new Error(`${displayUrl(url)} redirects to something that is no address`);
      url = new URL(location, url);
      // As browsers do: only 307 and 308 repeat the body.
      const kept = response.status === 307 || response.status === 308;
      if ((current.method === "POST" && !kept) || response.status === 303) {
        const { body: _body, ...rest } = current;
        current = { ...rest, method: "GET" };
      }
    }
  };
  return Object.assign(transport, {
    [Symbol.dispose]: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  });
}

function withQuery(url: URL, query: string | undefined): URL {
  if (query === undefined || query === "") return url;
  const result = new URL(url);
  const added = query.replace(/^\?/, "");
  result.search = result.search === "" ? added : `${result.search}&${added}`;
  return result;
}

function flat(incoming: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

/** The whole body, decompressed; null when it is longer than the limit. */
async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | null> {
  const declared = Number(incoming.headers["content-length"] ?? Number.NaN);
  const encoding = incoming.headers["content-encoding"] ?? "identity";
  const compressed = encoding === "gzip" || encoding === "x-gzip";
  if (!compressed && encoding !== "identity" && encoding !== "") {
    incoming.destroy();
    throw new Error(`the answer has the content encoding "${encoding.slice(0, 40)}", expected none or gzip`);
  }
  if (declared > maxBytes) {
    incoming.destroy();
    return null;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = compressed ? incoming.pipe(createGunzip()) : incoming;
  if (compressed) incoming.on("error", (error) => stream.destroy(error));
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > maxBytes) {
        incoming.destroy();
        return null;
      }
      chunks.push(chunk);
    }
  } catch (cause) {
    incoming.destroy();
    throw new BrokenExchangeError("the connection broke in the middle of the answer", { cause });
  }
  if (!incoming.complete) throw new BrokenExchangeError("the connection closed in the middle of the answer");
  return joined(chunks, length);
}

/** A plain array, because its slices are copies and slices of a Buffer are not. */
function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

type Lookup = NonNullable<TransportOptions["lookup"]>;

const systemLookup: Lookup = (host) =>
  new Promise((resolve, reject) => {
    dnsLookup(host, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });

/** Resolution that gives allowed addresses only, called by the socket itself. */
function guardedLookup(rules: HostRules, lookup: Lookup): LookupFunction {
  return (host, options, callback) => {
    lookup(host).then(
      (addresses) => {
        const allowed = addresses.filter(({ address }) => rules.allowsAddress(host, address));
        const [first] = allowed;
        if (first === undefined) callback(refusedAddress(host, addresses[0]?.address ?? "nothing"), "", 0);
        else if (options.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), "", 0);
      },
    );
  };
}

/** The name of a listed host leads into a private network: never worth another try. */
export class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
}

function refusedAddress(host: string, address: string): RefusedAddressError {
  return new RefusedAddressError(
    `${host} is at ${address}, an address that is not of the public internet and not among the allowed names`,
  );
}
