import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { ServiceError } from "@swath/kernel/errors/service-error";
import {
  CONSOLE_TOKEN_LIFETIME_S,
  type ConsoleSessions,
  type SessionCookie,
} from "../platform/identity/console-sessions.ts";
import type { BuiltInProvider } from "../platform/identity/identity.ts";
import type { IssuerConsole } from "../platform/identity/issuer-console.ts";
import type { LoginOutcome } from "../platform/identity/password-login.ts";
import { isLoopbackName } from "./base-url.ts";
import { leaveForIssuer, returnFromIssuer } from "./console-issuer-routes.ts";
import type { HttpConfig } from "./http-config.ts";
import { refuseLogin } from "./login-refusal.ts";
import type { RouteTable } from "./route-table.ts";
import { cookieForm, readCookie, setCookie, type CookieForm } from "./session-cookie.ts";
import { readExchange, textOf } from "./token-request.ts";

/** Scripts of other origins cannot send it: no answer of these routes allows them to. */
const HEADER = "x-swath-console";
const PATH = "/console/session";
const COOKIE = "swath";
const LEG = { leg: PATH, lifetimeS: CONSOLE_TOKEN_LIFETIME_S } as const;
const OVER = {
  status: 401,
  error: "login_required",
  description: "There is no session, or it is over; sign in again",
} as const;

/** Users of the console sign in by passwords at the service, or at an external issuer. */
export type ConsoleUsers =
  | { readonly kind: "password"; readonly provider: BuiltInProvider }
  | { readonly kind: "issuer"; readonly issuerConsole: IssuerConsole };

interface ConsoleSessionDeps {
  readonly users: ConsoleUsers;
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
 * cookie. Answers have no CORS headers, so that no other origin passes the header check. `POST /console/sign-in` tells
 * the ways to sign in, and `POST /console/sign-in/begin` the page of the external issuer.
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
  mount("/console/sign-in", (_request, reply) => tellWays(deps, reply));
  const { users, config } = deps;
  if (users.kind === "issuer") {
    mount("/console/sign-in/begin", (request, reply) => leaveForIssuer(users.issuerConsole, config, request, reply));
    return;
  }
  mount("/console/demonstration", (request, reply) => tellDemonstration(deps, request, reply));
}

async function openSession(
  { users, config }: ConsoleSessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const cookies = cookieForm(COOKIE, request, config);
  const sessions = sessionsOf(users);
  const given = readCookie(request, cookies);
  // A new sign-in ends the earlier session of the browser.
  const leaveEarlier = async (): Promise<void> => (given === null ? undefined : sessions.end(given));
  const query = textOf(request.body, "query");
  if (users.kind === "issuer" && query !== undefined) {
    const begun = await returnFromIssuer(users.issuerConsole, config, query, request, reply);
    if ("status" in begun) return refuseLogin(reply, begun);
    await leaveEarlier();
    const refreshed = await sessions.refresh(begun.value);
    return refreshed === null ? refuseLogin(reply, OVER) : sendToken(reply, refreshed, cookies);
  }
  const outcome = users.kind === "password" ? await signIn(users.provider, request) : null;
  if (outcome !== null) {
    if (outcome.kind !== "granted") return refuseLogin(reply, outcome);
    await leaveEarlier();
    const { token, expiresInS, userId } = outcome;
    const cookie = await sessions.begin(outcome);
    return sendToken(reply, { token, expiresInS, userId, cookie }, cookies);
  }
  const refreshed = given === null ? null : await sessions.refresh(given);
  if (refreshed !== null) return sendToken(reply, refreshed, cookies);
  if (given !== null) setCookie(reply, cookies, "", 0);
  return refuseLogin(reply, OVER);
}

function sessionsOf(users: ConsoleUsers): ConsoleSessions {
  return users.kind === "password" ? users.provider.consoleSessions : users.issuerConsole.sessions;
}

/** The ways to sign in to the console: by password, or at the named issuers. */
async function tellWays({ users }: ConsoleSessionDeps, reply: FastifyReply): Promise<void> {
  const signInThere = users.kind === "issuer" ? users.issuerConsole.signIn : null;
  const issuers = signInThere === null ? [] : [new URL(signInThere.issuer).host];
  await reply.header("cache-control", "no-store").send({ password: users.kind === "password", issuers });
}

async function endSession(
  { users, config }: ConsoleSessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const cookies = cookieForm(COOKIE, request, config);
  const cookie = readCookie(request, cookies);
  if (cookie !== null) await sessionsOf(users).end(cookie);
  setCookie(reply, cookies, "", 0);
  await reply.header("cache-control", "no-store").send({ ended: cookie !== null });
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
  setCookie(reply, cookies, cookie.value, cookie.expiresInS);
  await reply
    .header("cache-control", "no-store")
    .send({ access_token: token, expires_in: expiresInS, token_type: "bearer", userId });
}
