import assert from "node:assert/strict";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- a black-box suite reads whatever JSON arrives
  readonly body: any;
}

// oxlint-disable-next-line typescript/no-explicit-any -- as above
export async function readJson(response: Response): Promise<any> {
  return await response.json();
}

/** Plain fetch, nothing of the service's own: what any client in any language would do. */
export class RawClient {
  readonly baseUrl: string;
  readonly token: string | null;
  /** `METHOD path` of every request that was answered with success, for the coverage row. */
  readonly succeeded: Set<string>;

  constructor(baseUrl: string, token: string | null = null, succeeded = new Set<string>()) {
    this.baseUrl = baseUrl;
    this.token = token;
    this.succeeded = succeeded;
  }

  as(token: string | null): RawClient {
    return new RawClient(this.baseUrl, token, this.succeeded);
  }

  async post(path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method: "POST",
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(this.token === null ? {} : { Authorization: `Bearer ${this.token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) this.succeeded.add(`POST ${path}`);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
  }

  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const target = url.startsWith("http") ? url : `${this.baseUrl}${url}`;
    const response = await fetch(target, {
      headers: { ...headers, ...(this.token === null ? {} : { Authorization: `Bearer ${this.token}` }) },
    });
    if (response.ok) this.succeeded.add(`GET ${new URL(target).pathname}`);
    return response;
  }

  async login(credentials: { readonly email: string; readonly password: string }): Promise<RawClient> {
    const { status, body } = await this.post("/oauth/ro", {
      client_id: "swath",
      username: credentials.email,
      password: credentials.password,
      connection: "default",
      grant_type: "password",
      scope: "openid",
    });
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

  async settled(pipelineId: string): Promise<string> {
    for (let round = 0; round < 20; round++) {
      const { body } = await this.post("/tasking/get-status", { pipelineId, waitSeconds: 30, getProgress: true });
      if (body.status !== "NEW" && body.status !== "PROCESSING") return body.status;
    }
    throw new Error(`pipeline ${pipelineId} did not settle`);
  }
}
