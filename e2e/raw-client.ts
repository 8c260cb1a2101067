import assert from "node:assert/strict";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- a black-box suite reads whatever JSON arrives
  readonly body: any;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Body of a sign-in at `/oauth/ro`. */
export function passwordGrant({ email, password }: Credentials): Readonly<Record<string, string>> {
  return {
    client_id: "swath",
    username: email,
    password,
    connection: "default",
    grant_type: "password",
    scope: "openid",
  };
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request and its answer. */
export interface Exchange {
  readonly method: Method;
  /** Without the query. */
  readonly path: string;
  /** JSON of the request, {} without a body; null of GET. */
  readonly request: unknown;
  readonly status: number;
  /** Without parameters; empty without a body. */
  readonly mediaType: string;
  /** JSON of the answer, null where it is none. */
  readonly response: unknown;
}

// oxlint-disable-next-line typescript/no-explicit-any -- as above
export async function readJson(response: Response): Promise<any> {
  return await response.json();
}

const mediaTypeOf = ({ headers }: Response): string => (headers.get("content-type") ?? "").split(";")[0] ?? "";

const isJson = (response: Response): boolean => mediaTypeOf(response).endsWith("json");

function jsonOf(response: Response, text: string): unknown {
  return isJson(response) && text !== "" ? JSON.parse(text) : null;
}

function answered(method: Method, path: string, response: Response): Omit<Exchange, "request" | "response"> {
  return { method, path, status: response.status, mediaType: mediaTypeOf(response) };
}

/** Plain fetch, nothing of the service's own: what any client in any language would do. */
export class RawClient {
  readonly baseUrl: string;
  readonly token: string | null;
  /** `METHOD path` of every request that was answered with success, for the coverage row. */
  readonly succeeded: Set<string>;
  readonly #record: (exchange: Exchange) => void;

  /** @param record receives every exchange */
  constructor(
    baseUrl: string,
    token: string | null = null,
    succeeded = new Set<string>(),
    record: (exchange: Exchange) => void = () => {},
  ) {
    this.baseUrl = baseUrl;
    this.token = token;
    this.succeeded = succeeded;
    this.#record = record;
  }

  as(token: string | null): RawClient {
    return new RawClient(this.baseUrl, token, this.succeeded, this.#record);
  }

  async post(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method: "POST",
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(this.token === null ? {} : { Authorization: `Bearer ${this.token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) this.succeeded.add(`POST ${path}`);
    const text = await response.text();
    this.#record({ ...answered("POST", path, response), request: body ?? {}, response: jsonOf(response, text) });
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
  }

  /** A request of another method; bytes are sent as they are. */
  async send(
    method: "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const isText = typeof body === "string";
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "Content-Type": isText ? "application/x-ndjson" : "application/json" }),
        ...headers,
        ...(this.token === null ? {} : { Authorization: `Bearer ${this.token}` }),
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    if (response.ok) this.succeeded.add(`${method} ${path}`);
    const text = await response.text();
    const request = body === undefined || isText ? null : body;
    this.#record({ ...answered(method, path, response), request, response: jsonOf(response, text) });
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
  }

  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const target = url.startsWith("http") ? url : `${this.baseUrl}${url}`;
    const response = await fetch(target, {
      headers: { ...headers, ...(this.token === null ? {} : { Authorization: `Bearer ${this.token}` }) },
    });
    const path = new URL(target).pathname;
    if (response.ok) this.succeeded.add(`GET ${path}`);
    const text = isJson(response) ? await response.clone().text() : "";
    this.#record({ ...answered("GET", path, response), request: null, response: jsonOf(response, text) });
    return response;
  }

  async login(credentials: Credentials): Promise<RawClient> {
    const { status, body } = await this.post("/oauth/ro", passwordGrant(credentials));
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.token_type, "bearer");
    return this.as(body.id_token);
  }

  /** Initiates, polls and retrieves, as the interface document describes it. */
  async run(path: string, request: unknown): Promise<Answer> {
    const initiated = await this.post(`${path}/initiate`, request);
    if (initiated.status !== 200) return initiated;
    assert.match(initiated.body.pipelineId, /^[0-9A-Za-z]{20}$/);
    assert.equal(initiated.body.status, "NEW");
    await this.settled(initiated.body.pipelineId);
    return await this.post(`${path}/retrieve`, { pipelineId: initiated.body.pipelineId });
  }

  /** @throws after 9 minutes: a test, which ends after 10, would not tell the latest answer. */
  async settled(pipelineId: string): Promise<string> {
    let latest = null;
    for (let round = 0; round < 18; round++) {
      const { body } = await this.post("/tasking/get-status", { pipelineId, waitSeconds: 30, getProgress: true });
      if (body.status !== "NEW" && body.status !== "PROCESSING") return body.status;
      latest = body;
    }
    throw new Error(`pipeline ${pipelineId} did not settle: ${JSON.stringify(latest)}`);
  }
}
