import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { CONSOLE_TOKEN_LIFETIME_S, type SessionCookie } from "../platform/identity/console-sessions.ts";
import type { BuiltInProvider } from "../platform/identity/identity.ts";
import type { LoginOutcome } from "../platform/identity/password-login.ts";
import { baseUrlOf, isLoopbackName } from "./base-url.ts";
import type { HttpConfig } from "./http-config.ts";
import { refuseLogin } from "./login-refusal.ts";
import { originOf } from "./request-context.ts";
import type { RouteTable } from "./route-table.ts";
import { readExchange, textOf } from "./token-request.ts";

/** Scripts of other origins cannot send it: no answer of these routes allows them to. */
const HEADER = "x-swath-console";
const PATH = "/console/session";
const LEG = { leg: PATH, lifetimeS: CONSOLE_TOKEN_LIFETIME_S } as const;
const OVER = {
  status: 401,
  error: "login_required",
  description: "There is no session, or it is over; sign in again",
} as const;

interface ConsoleSessionDeps {
  readonly provider: BuiltInProvider;
  readonly routes: RouteTable;
  readonly config: Pick<HttpConfig, "demonstration" | "listensOn" | "publicUrl">;
  /** Limits of bodies of token requests. */
  readonly limits: RouteShorthandOptions;
  /** Charges a request by its address, and runs it in the share of that address. */
  readonly admit: <Done>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<Done>) => Promise<Done>;
}

/**
 * The session of the web console. `POST /console/session` signs in with password and second factor, or exchanges the
 * cookie for an access token and the next cookie; `POST /console/session/end` signs out. No other route reads the
 * cookie. Answers have no CORS headers, so that no other origin passes the header check.
 * `POST /console/demonstration` tells the login of the demonstration user to readers on this machine.
 */
export function mountConsoleSession(app: FastifyInstance, deps: ConsoleSessionDeps): void {
  const { routes, limits, admit } = deps;
  const options = { ...limits, config: { cors: false } as const };
  const mount = (url: string, work: (request: FastifyRequest, reply: FastifyReply) => Promise<void>): void => {
    routes.add(url, ["POST"]);
    app.post(url, options, async (request, reply) => {
      if (request.headers[HEADER] !== "1") {
        throw new ServiceError("BAD-REQUEST", "Expected the header X-Swath-Console: 1");
      }
      await admit(request, reply, () => work(request, reply));
      return reply;
    });
    app.options(url, { config: { cors: false } }, (request) => {
      throw routes.refusal(request.method, url);
    });
  };
  mount(PATH, (request, reply) => openSession(deps, request, reply));
  mount(`${PATH}/end`, (request, reply) => endSession(deps, request, reply));
  mount("/console/demonstration", (request, reply) => tellDemonstration(deps, request, reply));
}

async function openSession(
  { provider, config }: ConsoleSessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const cookies = cookieFormOf(request, config);
  const outcome = await signIn(provider, request);
  if (outcome !== null) {
    if (outcome.kind !== "granted") return refuseLogin(reply, outcome);
    // Who signs in again leaves the earlier session of the browser.
    const earlier = readCookie(request, cookies.name);
    if (earlier !== null) await provider.consoleSessions.end(earlier);
    const { token, expiresInS, userId } = outcome;
    const cookie = await provider.consoleSessions.begin(outcome);
    return sendToken(reply, { token, expiresInS, userId, cookie }, cookies);
  }
  const cookie = readCookie(request, cookies.name);
  const refreshed = cookie === null ? null : await provider.consoleSessions.refresh(cookie);
  if (refreshed !== null) return sendToken(reply, refreshed, cookies);
  if (cookie !== null) reply.header("set-cookie", written(cookies, "", 0));
  return refuseLogin(reply, OVER);
}

async function endSession(
  { provider, config }: ConsoleSessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const cookies = cookieFormOf(request, config);
  const cookie = readCookie(request, cookies.name);
  if (cookie !== null) await provider.consoleSessions.end(cookie);
  await reply
    .header("set-cookie", written(cookies, "", 0))
    .header("cache-control", "no-store")
    .send({ ended: cookie !== null });
}

/**
 * Three conditions: the service listens on the loopback interface alone, the reader is there, and the name in the
 * address is one of it. A foreign name that leads here would be a page of somebody else.
 */
async function tellDemonstration(
  { config }: ConsoleSessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { demonstration, listensOn, publicUrl } = config;
  const isHere = [listensOn, request.ip, request.hostname].every(isLoopbackName);
  const isForwarded = request.headers["x-forwarded-for"] !== undefined || request.headers["forwarded"] !== undefined;
  if (demonstration === null || publicUrl !== null || !isHere || isForwarded) {
    throw new ServiceError("NON-EXISTENT-ENDPOINT", "There is no demonstration user at this address");
  }
  await reply.header("cache-control", "no-store").send(demonstration);
}

/** Null for a request without credentials. */
async function signIn(provider: BuiltInProvider, request: FastifyRequest): Promise<LoginOutcome | null> {
  const { body, ip } = request;
  if (textOf(body, "mfa_token") !== undefined) return provider.exchange(readExchange(body, ip, [LEG]));
  const username = textOf(body, "username");
  const password = textOf(body, "password");
  if (username === undefined && password === undefined) return null;
  if (username === undefined || password === undefined) {
    throw new ServiceError("BAD-REQUEST", "Expected username and password");
  }
  return provider.login({ username, password, address: ip, form: { ...LEG, scope: "openid" } });
}

async function sendToken(
  reply: FastifyReply,
  granted: {
    readonly token: string;
    readonly expiresInS: number;
    readonly userId: string;
    readonly cookie: SessionCookie;
  },
  cookies: CookieForm,
): Promise<void> {
  const { token, expiresInS, userId, cookie } = granted;
  await reply
    .header("set-cookie", written(cookies, cookie.value, cookie.expiresInS))
    .header("cache-control", "no-store")
    .send({ access_token: token, expires_in: expiresInS, token_type: "bearer", userId });
}

interface CookieForm {
  readonly name: string;
  readonly attributes: string;
}

/** `__Host-`: browsers take the cookie from this host over HTTPS only, and send it to no other. */
function cookieFormOf(request: FastifyRequest, config: Pick<HttpConfig, "listensOn" | "publicUrl">): CookieForm {
  const shared = "HttpOnly; SameSite=Strict; Path=/";
  return baseUrlOf(originOf(request), config).startsWith("https:")
    ? { name: "__Host-swath", attributes: `${shared}; Secure` }
    : { name: "swath", attributes: shared };
}

function written({ name, attributes }: CookieForm, value: string, maxAgeS: number): string {
  return `${name}=${value}; Max-Age=${maxAgeS}; ${attributes}`;
}

function readCookie({ headers }: FastifyRequest, name: string): string | null {
  const prefix = `${name}=`;
  const pair = headers.cookie?.split(";").find((text) => text.trim().startsWith(prefix));
  return pair === undefined ? null : pair.trim().slice(prefix.length);
}
