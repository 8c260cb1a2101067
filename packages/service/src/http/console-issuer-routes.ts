import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { SessionCookie } from "../platform/identity/console-sessions.ts";
import type { IssuerConsole } from "../platform/identity/issuer-console.ts";
import { IssuerRefusal } from "../platform/identity/issuer-sign-in.ts";
import { baseUrlOf } from "./base-url.ts";
import type { HttpConfig } from "./http-config.ts";
import type { Refusal } from "./login-refusal.ts";
import { originOf } from "./request-context.ts";
import { cookieForm, readCookie, setCookie } from "./session-cookie.ts";

/** The page of the console to which an issuer sends browsers back. */
const RETURN_PATH = "/console/signed-in";
const COOKIE = "swath-sign-in";
/** Time to sign in at the issuer. */
const WITHIN_S = 15 * 60;
const MAX_QUERY_LENGTH = 8192;

type AddressConfig = Pick<HttpConfig, "listensOn" | "publicUrl">;

/** Sends a browser to the issuer; the secret of the sign-in stays in a cookie of this browser. */
export async function leaveForIssuer(
  { signIn }: Pick<IssuerConsole, "signIn">,
  config: AddressConfig,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (signIn === null) throw new ServiceError("NON-EXISTENT-ENDPOINT", "The issuer has no client for the console");
  const { address, secret } = await signIn.begin(returnAddress(config, request));
  setCookie(reply, cookieForm(COOKIE, request, config), secret, WITHIN_S);
  await reply.header("cache-control", "no-store").send({ address });
}

/**
 * The session of the user whom the issuer has sent back with this query, or the reason why there is none. The cookie of
 * the sign-in is good once.
 */
export async function returnFromIssuer(
  issuerConsole: Pick<IssuerConsole, "begin">,
  config: AddressConfig,
  query: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SessionCookie | Refusal> {
  if (query.length > MAX_QUERY_LENGTH || !query.startsWith("?")) {
    throw new ServiceError(
      "BAD-REQUEST",
      `Expected the query of the address, of at most ${MAX_QUERY_LENGTH} characters`,
    );
  }
  const form = cookieForm(COOKIE, request, config);
  const secret = readCookie(request, form);
  if (secret === null) return refusal("this browser has begun no sign-in");
  setCookie(reply, form, "", 0);
  try {
    return await issuerConsole.begin(new URL(query, returnAddress(config, request)), secret);
  } catch (error) {
    if (error instanceof IssuerRefusal) return refusal(error.message);
    if (error instanceof ServiceError && error.code === "INVALID-JWT") return refusal(error.message);
    throw error;
  }
}

function refusal(reason: string): Refusal {
  return { status: 401, error: "invalid_grant", description: `The sign-in cannot be completed: ${reason}` };
}

/** Of the service itself, whatever the request says; the issuer compares it with the registered addresses. */
function returnAddress(config: AddressConfig, request: FastifyRequest): string {
  return `${baseUrlOf(originOf(request), config)}${RETURN_PATH}`;
}
