import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../errors.ts";
import type { BuiltInProvider } from "../platform/identity/identity.ts";
import { networkOf } from "../platform/identity/network-of.ts";
import type { Log } from "../platform/log/log.ts";
import { acceptTokenBodies, bodyTimeLimit } from "./body-parsers.ts";
import type { HttpConfig } from "./http-config.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { toServiceError } from "./render-error.ts";
import type { RouteTable } from "./route-table.ts";
import { discardUnread } from "./unread-body.ts";

const TOKEN_BODY_LIMIT_BYTES = 16 * 1024;
const PASSWORD_GRANTS = new Set(["password", "http://auth0.com/oauth/grant-type/password-realm"]);

interface TokenRequest {
  readonly username: string;
  readonly password: string;
}

/**
 * Routes of the built-in identity provider: the two token requests, the key set and the discovery document.
 * Their failures are `{error, error_description}`, as RFC 6749 section 5.2 has them.
 */
export function mountIdentityRoutes(
  app: FastifyInstance,
  deps: {
    readonly provider: BuiltInProvider;
    readonly routes: RouteTable;
    readonly limit: RateLimiter;
    readonly config: Pick<HttpConfig, "bodyTimeoutMs">;
    readonly log: Log;
  },
): void {
  const { provider, routes, limit, config, log } = deps;
  acceptTokenBodies(app);
  app.setErrorHandler(async (thrown, request, reply) => {
    const error = toServiceError(thrown, request.id);
    if (error.status >= 500) log.error({ err: thrown, requestId: request.id }, "token request failed");
    for (const [name, value] of Object.entries(error.headers)) reply.header(name, value);
    discardUnread(request, reply);
    const code = error.status >= 500 ? "server_error" : error.status === 429 ? "too_many_attempts" : "invalid_request";
    await refuse(reply, error.status, code, error.message);
  });

  async function grant(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: (granted: { token: string; expiresInS: number; userId: string }, scope: string) => object,
  ): Promise<FastifyReply> {
    limit("initiate", `address ${networkOf(request.ip)}`);
    const body: unknown = request.body ?? {};
    const wanted = readTokenRequest(body);
    const outcome = await provider.login({ ...wanted, address: request.ip });
    if (outcome.kind === "locked") {
      reply.header("retry-after", String(outcome.retryAfterS));
      await refuse(reply, 429, "too_many_attempts", `Too many attempts; try again in ${outcome.retryAfterS} s`);
    } else if (outcome.kind === "refused") {
      await refuse(reply, 401, "invalid_grant", outcome.reason);
    } else {
      await reply.header("cache-control", "no-store").send(answer(outcome, textOf(body, "scope") ?? "openid"));
    }
    return reply;
  }

  const post = (url: string, answer: Parameters<typeof grant>[2]): void => {
    routes.add(url, ["POST"]);
    const limits = { bodyLimit: TOKEN_BODY_LIMIT_BYTES, preParsing: bodyTimeLimit(config.bodyTimeoutMs) };
    app.post(url, limits, (request, reply) => grant(request, reply, answer));
  };
  post("/oauth/ro", ({ token }, scope) => ({ id_token: token, access_token: token, token_type: "bearer", scope }));
  post("/oauth2/token", ({ token, expiresInS, userId }) => ({
    access_token: token,
    expires_in: expiresInS,
    token_type: "bearer",
    userId,
  }));

  routes.add("/.well-known/jwks.json", ["GET", "HEAD"]);
  app.get("/.well-known/jwks.json", async (_request, reply) => {
    reply.header("cache-control", "public, max-age=300");
    return provider.keys.publicKeys();
  });

  routes.add("/.well-known/openid-configuration", ["GET", "HEAD"]);
  app.get("/.well-known/openid-configuration", async (_request, reply) => {
    reply.header("cache-control", "public, max-age=300");
    return discoveryDocument(provider.issuer);
  });
}

/** OpenID Connect Discovery 1.0, section 3. */
function discoveryDocument(issuer: string): object {
  return {
    issuer,
    token_endpoint: `${issuer}/oauth2/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types_supported: ["password"],
    response_types_supported: ["token"],
    scopes_supported: ["openid"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["EdDSA"],
    token_endpoint_auth_methods_supported: ["none"],
    claims_supported: ["iss", "aud", "sub", "email", "iat", "exp"],
  };
}

function readTokenRequest(body: unknown): TokenRequest {
  const grantType = textOf(body, "grant_type");
  if (grantType !== undefined && !PASSWORD_GRANTS.has(grantType)) {
    throw new ServiceError("BAD-REQUEST", `Got the grant type "${grantType.slice(0, 100)}", expected password`);
  }
  const username = textOf(body, "username");
  const password = textOf(body, "password");
  if (username === undefined || password === undefined) {
    throw new ServiceError("BAD-REQUEST", "Expected username and password");
  }
  return { username, password };
}

function textOf(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, name)) return undefined;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" ? value : undefined;
}

async function refuse(reply: FastifyReply, status: number, error: string, description: string): Promise<void> {
  await reply.code(status).header("cache-control", "no-store").send({ error, error_description: description });
}
