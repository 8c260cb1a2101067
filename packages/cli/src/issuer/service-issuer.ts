import { CommandError, EXIT } from "../exit-code.ts";

/** The OpenID Connect issuer of a service, and how to ask it for a token. */
export interface ServiceIssuer {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly audience: string;
  readonly resource: string | null;
}

const PATH = "/.well-known/oauth-protected-resource";
const NOT_FOUND = 404;

/**
 * The issuer that the service names (RFC 9728). Null for a service with the built-in provider.
 *
 * @throws {CommandError} when the service names an issuer and no client of it
 */
export async function findIssuer(baseUrl: string, signal: AbortSignal): Promise<ServiceIssuer | null> {
  const answer = await fetch(baseUrl + PATH, { signal });
  if (answer.status === NOT_FOUND) return null;
  if (!answer.ok) throw new CommandError(`${baseUrl}${PATH} answered ${answer.status}, expected 200`);
  const document: unknown = await answer.json();
  const issuer = isRecord(document) && Array.isArray(document["authorization_servers"]) ? firstOf(document) : null;
  if (!isRecord(document) || issuer === null) throw new CommandError(`${baseUrl}${PATH} names no issuer`);
  const { scopes_supported: scopes, swath_audience: audience, swath_client_id: clientId, swath_resource } = document;
  if (typeof clientId !== "string" || typeof audience !== "string") {
    throw new CommandError(
      `${issuer} signs users of ${baseUrl} in, and no client of it for the command line is configured`,
      EXIT.failure,
      "ask the operator for SWATH_OIDC_CLIENT_ID, or give a token of the issuer with --token",
    );
  }
  return {
    issuer,
    clientId,
    audience,
    scope: Array.isArray(scopes) ? scopes.join(" ") : "openid",
    resource: typeof swath_resource === "string" ? swath_resource : null,
  };
}

function firstOf({ authorization_servers: servers }: Readonly<Record<string, unknown>>): string | null {
  const first: unknown = Array.isArray(servers) ? servers[0] : null;
  return typeof first === "string" ? first : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
