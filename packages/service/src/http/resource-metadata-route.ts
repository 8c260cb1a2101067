import type { FastifyInstance } from "fastify";
import { baseUrlOf } from "./base-url.ts";
import type { HttpConfig } from "./http-config.ts";
import { originOf } from "./request-context.ts";
import type { RouteTable } from "./route-table.ts";

/** The issuer of tokens, and the parameters with which programs of users ask it for one. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** Client of the issuer for the command line; null: there is none. */
  readonly clientId: string | null;
  /** Scopes of a token request, between spaces. */
  readonly scope: string;
  /** Resource of a token request (RFC 8707); null: the issuer needs none. */
  readonly resource: string | null;
}

/**
 * `GET /.well-known/oauth-protected-resource`: where tokens for the service come from (RFC 9728). Members that begin
 * with `swath_` are for its command line.
 */
export function mountResourceMetadata(
  app: FastifyInstance,
  {
    config,
    issuer,
    routes,
  }: { readonly config: HttpConfig; readonly issuer: TokenIssuer; readonly routes: RouteTable },
): void {
  const path = "/.well-known/oauth-protected-resource";
  routes.add(path, ["GET", "HEAD"]);
  app.get(path, async (request, reply) => {
    reply.header("cache-control", "public, max-age=300");
    return {
      resource: baseUrlOf(originOf(request), config),
      authorization_servers: [issuer.issuer],
      bearer_methods_supported: ["header"],
      scopes_supported: issuer.scope.split(" "),
      swath_audience: issuer.audience,
      swath_client_id: issuer.clientId,
      swath_resource: issuer.resource,
    };
  });
}
