import { hkdfSync } from "node:crypto";
import { DEFAULT_HTTP_CONFIG, type HttpConfig } from "./http/http-config.ts";
import type { Config } from "./platform/config/config.ts";
import { DEFAULT_TOKEN_LIFETIME_S, type IdentityConfig } from "./platform/identity/identity.ts";

/** Audience of the built-in provider's tokens. */
const AUDIENCE = "swath";
const WILDCARD_HOSTS: ReadonlySet<string> = new Set(["0.0.0.0", "::", ""]);

export function httpConfig({ http, demo }: Config): HttpConfig {
  return {
    publicUrl: http.publicUrl,
    listensOn: http.host,
    mapsvcAlias: http.mapsvcAlias,
    corsOrigins: http.corsOrigins,
    rateLimits: http.rateLimits,
    tierLimits: http.tierLimits,
    trustProxy: http.trustProxy,
    validateResponses: http.validateResponses,
    traffic: { ...DEFAULT_HTTP_CONFIG.traffic, ...http.traffic },
    demonstration: demo === null || demo.password === null ? null : { email: demo.email, password: demo.password },
  };
}

export function identityConfig(config: Config, port: number): IdentityConfig {
  return {
    issuer: config.http.publicUrl ?? localUrl(config.http.host, port),
    audience: AUDIENCE,
    external: config.externalIssuer,
    tokenLifetimeS: DEFAULT_TOKEN_LIFETIME_S,
  };
}

/** Address of the service on its own machine. */
function localUrl(host: string, port: number): string {
  const name = WILDCARD_HOSTS.has(host) ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** A secret for one purpose, derived from the service's own. */
export function derivedKey(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, new Uint8Array(), purpose, 32));
}
