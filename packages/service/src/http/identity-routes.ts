import { statusOf } from "../error-status.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { BASE_COST } from "@swath/contract/kit/request-cost";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BuiltInProvider } from "../platform/identity/identity.ts";
import type { IssuerConsole } from "../platform/identity/issuer-console.ts";
import type { LoginOutcome } from "../platform/identity/password-login.ts";
import type { Log } from "@swath/base/log/log";
import { meterOfAddress, type Rates } from "./admission.ts";
import { acceptTokenBodies } from "./body-parsers.ts";
import { mountConsoleSession, type ConsoleUsers } from "./console-session-routes.ts";
import type { HttpConfig } from "./http-config.ts";
import { refuseLogin } from "./login-refusal.ts";
import { charge } from "./meter.ts";
import { setErrorHeaders, toServiceError } from "./render-error.ts";
import type { RouteTable } from "./route-table.ts";
import { readExchange, textOf } from "./token-request.ts";
import { awaitKeptBody } from "./traffic/await-body.ts";
import { addressShare } from "./traffic/share-name.ts";
import { paceTooMany } from "./traffic/paced-refusals.ts";
import type { Traffic } from "./traffic/traffic.ts";
import { workOn } from "./traffic/work.ts";
import { discardUnread } from "./unread-body.ts";

const TOKEN_BODY_LIMIT_BYTES = 16 * 1024;
/** It travels in the mfa_token. */
const MAX_SCOPE_LENGTH = 200;
const PASSWORD_GRANTS = new Set(["password", "http://auth0.com/oauth/grant-type/password-realm"]);

interface TokenRequest {
  readonly username: string;
  readonly password: string;
}

type Granted = Extract<LoginOutcome, { readonly kind: "granted" }>;

/** The answer of each token request; the second leg answers as the first one would have. */
const ANSWERS: Readonly<Record<string, (granted: Granted) => object>> = {
  "/oauth/ro": ({ token, form }) => ({
    id_token: token,
    access_token: token,
    token_type: "bearer",
    scope: form.scope,
  }),
  "/oauth2/token": ({ token, expiresInS, userId }) => ({
    access_token: token,
    expires_in: expiresInS,
    token_type: "bearer",
    userId,
  }),
};

const LEGS = Object.keys(ANSWERS).map((leg) => ({ leg }));

/**
 * Routes of the built-in identity provider: the two token requests, their second leg, the session of the console, the key set and the discovery
 * document.
 * Their failures are `{error, error_description}`, as RFC 6749 section 5.2 has them.
 */
export function mountIdentityRoutes(
  app: FastifyInstance,
  deps: {
    /** Null with an external issuer: only the session of the console is here. */
    readonly provider: BuiltInProvider | null;
    readonly issuerConsole: IssuerConsole | null;
    readonly config: Pick<HttpConfig, "demonstration" | "listensOn" | "publicUrl">;
    readonly routes: RouteTable;
    readonly rates: Rates;
    readonly traffic: Traffic;
    readonly log: Log;
  },
): void {
  const { provider, issuerConsole, config, routes, rates, traffic, log } = deps;
  acceptTokenBodies(app);
  app.setErrorHandler(async (thrown, request, reply) => {
    await paceTooMany(traffic.refusals, thrown, request, reply);
    const error = toServiceError(thrown, request.id);
    const status = statusOf(error);
    // A client that cuts its request off is no failure of the service.
    if (status >= 500 && !reply.raw.destroyed)
      log.error({ err: thrown, requestId: request.id }, "token request failed");
    setErrorHeaders(reply, error);
    discardUnread(request, reply);
    const code = status >= 500 ? "server_error" : status === 429 ? "too_many_attempts" : "invalid_request";
    await refuseLogin(reply, { status, error: code, description: error.message });
  });

  const limits = {
    bodyLimit: TOKEN_BODY_LIMIT_BYTES,
    preParsing: awaitKeptBody(traffic, TOKEN_BODY_LIMIT_BYTES, ({ ip }) => addressShare(ip)),
  };
  const admit = <Done>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<Done>): Promise<Done> => {
    charge(meterOfAddress(request, reply, "initiate", rates), BASE_COST);
    return workOn(traffic, addressShare(request.ip), reply, work);
  };
  const users: ConsoleUsers | null =
    provider !== null
      ? { kind: "password", provider }
      : issuerConsole !== null
        ? { kind: "issuer", issuerConsole }
        : null;
  if (users !== null) mountConsoleSession(app, { users, routes, config, limits, admit });
  if (provider === null) return;
  const post = (url: string, outcomeOf: (request: FastifyRequest) => Promise<LoginOutcome>): void => {
    routes.add(url, ["POST"]);
    app.post(url, limits, async (request, reply) => {
      await sendOutcome(reply, await admit(request, reply, () => outcomeOf(request)));
      return reply;
    });
  };
  for (const { leg } of LEGS) {
    post(leg, (request) => {
      const form = { leg, scope: (textOf(request.body, "scope") ?? "openid").slice(0, MAX_SCOPE_LENGTH) };
      return provider.login({ ...readTokenRequest(request.body), address: request.ip, form });
    });
  }
  post("/oauth/mfa", (request) => provider.exchange(readExchange(request.body, request.ip, LEGS)));

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

async function sendOutcome(reply: FastifyReply, outcome: LoginOutcome): Promise<void> {
  if (outcome.kind !== "granted") {
    await refuseLogin(reply, outcome);
    return;
  }
  const answer = ANSWERS[outcome.form.leg];
  if (answer === undefined) throw new Error(`no token request is at ${outcome.form.leg}`);
  await reply.header("cache-control", "no-store").send(answer(outcome));
}
