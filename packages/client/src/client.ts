import type { ServiceContract, contract } from "@swath/contract";
import type { Client, RequestOptions } from "./client-interface.ts";
import { followEvents, type FollowOptions } from "./follow-events.ts";
import { runPipeline } from "./run-pipeline.ts";
import type { RunOptions } from "./run-pipeline.ts";
import { fixedToken, passwordTokens } from "./token-source.ts";
import type { Credentials } from "./token-source.ts";
import { ApiError } from "./api-error.ts";
import { DEFAULT_RETRY, sendWithRetries } from "./transport.ts";
import type { Fetch, RetryOptions } from "./transport.ts";
import { sendFile, uploadScene } from "./upload.ts";
import type { SendOptions, UploadOptions, UploadSource } from "./upload.ts";

export type {
  StatisticsRequest,
  StatisticsResult,
  StatisticsRow,
} from "@swath/contract/features/maps/statistics-contract";
export type { ImportAnswer } from "@swath/contract/features/stac/transaction-contract";
export type { Client, RequestOptions } from "./client-interface.ts";
export { ApiError } from "./api-error.ts";
export type { ErrorDetail } from "./api-error.ts";
export type { FollowOptions, SwathEvent } from "./follow-events.ts";
export type { PipelineStatus, Progress, RunOptions } from "./run-pipeline.ts";
export { runSplit, splitSearch } from "./run-split.ts";
export type { FoundScene, SearchRequest, SplitOptions, SplitProgress } from "./run-split.ts";
export type { Credentials } from "./token-source.ts";
export type { RetryOptions } from "./transport.ts";
export type { SendOptions, UploadOptions, UploadPlace, UploadProgress, UploadResult, UploadSource } from "./upload.ts";

export interface ClientOptions {
  /** Such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** A token, or a function that returns one before each request. */
  readonly token?: string | (() => string | Promise<string>);
  /** Instead of a token: the client logs in when needed and before the token expires. */
  readonly credentials?: Credentials;
  /** Address of the identity provider; the service itself by default. */
  readonly authUrl?: string;
  readonly fetch?: Fetch;
  readonly retry?: Partial<RetryOptions>;
}

/**
 * A client of the service.
 *
 * @example
 * const client = createClient({ baseUrl, credentials: { username, password } });
 * const { results } = await client.run("/imagery/search", { datasets, extent });
 */
export function createClient<C extends ServiceContract = typeof contract>(options: ClientOptions): Client<C> {
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const fetchIt: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const retry: RetryOptions = { ...DEFAULT_RETRY, ...options.retry };
  const tokens =
    options.credentials === undefined
      ? fixedToken(options.token ?? null)
      : passwordTokens({
          authUrl: (options.authUrl ?? baseUrl).replace(/\/+$/, ""),
          credentials: options.credentials,
          fetch: fetchIt,
          retry,
        });

  async function send(path: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
    let sent: string | null = null;
    const authorized = async (): Promise<RequestInit> => {
      sent = await tokens.token(signal);
      const headers = new Headers(init.headers);
      if (sent !== null) headers.set("authorization", `Bearer ${sent}`);
      return { ...init, headers };
    };
    try {
      return await sendWithRetries(fetchIt, retry, baseUrl + path, authorized, signal);
    } catch (error) {
      // A token may end early, for instance after a replacement of the signing key: one fresh login may help.
      const stale = error instanceof ApiError && error.code === "INVALID-JWT" && sent !== null;
      if (!stale || !tokens.refused(sent ?? "")) throw error;
      return sendWithRetries(fetchIt, retry, baseUrl + path, authorized, signal);
    }
  }

  async function post(path: string, body: unknown = {}, signal?: AbortSignal): Promise<unknown> {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const answer = await send(path, { method: "POST", headers, body: JSON.stringify(body) }, signal);
    return answer.json();
  }

  const fileUrl = (path: string, request: FileParts): string =>
    baseUrl + filledPath(path, request.params, request.query);

  // The signatures of `Client` bind each path to its types; here paths and bodies are untyped.
  const untyped = {
    baseUrl,
    call: (path: string, body: object = {}, request: RequestOptions = {}) =>
      post(filledPath(path, { ...body }), body, request.signal),
    async get(path: string, parameters: Texts = {}, request: RequestOptions = {}) {
      const names = new Set(Array.from(path.matchAll(/:(\w+)/g), (match) => match[1]));
      const params = Object.fromEntries(Object.entries(parameters).filter(([name]) => names.has(name)));
      const query = Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.has(name)));
      const answer = await send(filledPath(path, params, query), { method: "GET" }, request.signal);
      return answer.json();
    },
    run: (path: string, body: object = {}, request: RunOptions = {}) =>
      runPipeline(post, filledPath(path, { ...body }), body, request),
    initiate: (path: string, body: object = {}, request: RequestOptions = {}) =>
      post(`${filledPath(path, { ...body })}/initiate`, body, request.signal),
    // The id alone names the pipeline: any text may replace the parameters of the path.
    retrieve: (path: string, pipelineId: string, request: RequestOptions = {}) =>
      post(`${path.replaceAll(/:\w+/g, "-")}/retrieve`, { pipelineId }, request.signal),
    file: (path: string, request: FileParts) =>
      send(filledPath(path, request.params, request.query), { headers: request.headers ?? {} }, request.signal),
    fileUrl,
    events: (request?: FollowOptions) =>
      followEvents(
        (query, headers, signal) => send(filledPath("/events/stream", {}, query), { headers }, signal),
        request,
      ),
    sendFile: (source: UploadSource, file: SendOptions) =>
      sendFile({ post, fetch: fetchIt, retry, baseUrl }, source, file),
    upload: (source: UploadSource, request: UploadOptions) =>
      uploadScene({ post, fetch: fetchIt, retry, baseUrl }, source, request),
    async importItems(collectionId: string, lines: Uint8Array<ArrayBuffer>, request: RequestOptions = {}) {
      const path = filledPath("/stac/collections/:collectionId/import", { collectionId });
      const headers = { "content-type": "application/x-ndjson" };
      const answer = await send(path, { method: "PUT", headers, body: new Blob([lines]) }, request.signal);
      return answer.json();
    },
    token: () => tokens.token(),
  };
  return untyped as unknown as Client<C>;
}

type Texts = Readonly<Record<string, unknown>>;

interface FileParts {
  readonly params: Texts;
  readonly query?: Texts;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

function filledPath(path: string, params: Texts, query: Texts = {}): string {
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`the path ${path} needs the parameter ${name}`);
    return encodeURIComponent(textOf(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, textOf(value));
  }
  const text = search.toString();
  return text === "" ? filled : `${filled}?${text}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
