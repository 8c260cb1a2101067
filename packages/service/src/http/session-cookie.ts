import type { FastifyReply, FastifyRequest } from "fastify";
import { baseUrlOf } from "./base-url.ts";
import type { HttpConfig } from "./http-config.ts";
import { originOf } from "./request-context.ts";

/** The cookies of the console: out of reach of scripts, and sent by pages of this origin alone. */
export interface CookieForm {
  readonly name: string;
  readonly attributes: string;
}

/** `__Host-`: browsers take the cookie from this host over HTTPS only, and send it to no other. */
export function cookieForm(
  name: string,
  request: FastifyRequest,
  config: Pick<HttpConfig, "listensOn" | "publicUrl">,
): CookieForm {
  const shared = "HttpOnly; SameSite=Strict; Path=/";
  return baseUrlOf(originOf(request), config).startsWith("https:")
    ? { name: `__Host-${name}`, attributes: `${shared}; Secure` }
    : { name, attributes: shared };
}

/** Sets a cookie beside others of the answer; an age of 0 removes it. */
export function setCookie(reply: FastifyReply, { name, attributes }: CookieForm, value: string, maxAgeS: number): void {
  reply.header("set-cookie", `${name}=${value}; Max-Age=${maxAgeS}; ${attributes}`);
}

export function readCookie({ headers }: FastifyRequest, { name }: CookieForm): string | null {
  const prefix = `${name}=`;
  const pair = headers.cookie?.split(";").find((text) => text.trim().startsWith(prefix));
  return pair === undefined ? null : pair.trim().slice(prefix.length);
}
