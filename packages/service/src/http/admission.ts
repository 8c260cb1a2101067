import { isGranted } from "@swath/kernel/permissions/permission";
import type { FastifyRequest } from "fastify";
import type { Access, RateClass } from "@swath/contract/kit/access";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../platform/context.ts";
import { ANONYMOUS } from "../platform/identity/identity.ts";
import type { Identity } from "../platform/identity/identity.ts";
import { networkOf } from "../platform/identity/network-of.ts";
import type { RateLimiter } from "./rate-limit.ts";

export type Authenticator = Pick<Identity, "authenticate">;

/**
 * Who is calling, after the rate limit: of the address for grid files and for whoever shows no valid token, of the
 * user otherwise.
 */
export async function identifyCaller(
  request: FastifyRequest,
  access: Access,
  rateClass: RateClass,
  deps: { readonly identity: Authenticator; readonly limit: RateLimiter },
): Promise<Caller> {
  const byAddress = `address ${networkOf(request.ip)}`;
  if (access === "public") {
    deps.limit(rateClass, byAddress);
    return ANONYMOUS;
  }
  let caller: Caller | null;
  try {
    caller = await deps.identity.authenticate(request.headers.authorization);
  } catch (error) {
    deps.limit(rateClass, byAddress);
    throw error;
  }
  deps.limit(rateClass, caller === null || rateClass === "grid" ? byAddress : `user ${caller.userId}`);
  if (caller === null) {
    if (access === "optional") return ANONYMOUS;
    throw new ServiceError("NOT-AUTHORIZED", 'This needs the header "Authorization: Bearer <token>"');
  }
  if (access === "user" && caller.kind !== "user") {
    throw new ServiceError("API-KEY-AUTHORIZATION-NOT-PERMITTED", "This needs a user's token; API keys are not taken");
  }
  return caller;
}

/** @throws {ServiceError} NOT-AUTHORIZED naming the first permission that is missing */
export function requirePermissions(caller: Caller, required: readonly string[]): void {
  for (const permission of required) {
    if (!isGranted(caller.permissions, permission)) {
      throw new ServiceError("NOT-AUTHORIZED", `This needs the permission ${permission}`);
    }
  }
}

/** Permissions that one request needs, derived from its members. */
export type Derivation<Request = unknown> = (request: Request) => readonly string[];

/** Content first: a refusal then names the imagery before a flag of the request. */
export function derivationsOf(
  declaration: { readonly dynamicPermissions: ((request: never) => readonly string[]) | null },
  content: Derivation | null,
): readonly Derivation[] {
  return [content, declaration.dynamicPermissions as Derivation | null].filter((derive) => derive !== null);
}

/**
 * The permissions a request asks for. Rights are checked before the schema, so the request may have any shape: of a
 * malformed one only what can still be read counts, for it is refused right after. Of a well-formed one everything
 * counts, and a failure of a derivation is a failure of the service.
 */
export function dynamicPermissions<Request>(
  derivations: readonly Derivation<Request>[],
  request: Request,
  wellFormed: boolean,
): readonly string[] {
  return derivations.flatMap((derive) => (wellFormed ? derive(request) : readable(derive, request)));
}

function readable<Request>(derive: Derivation<Request>, request: Request): readonly string[] {
  try {
    return derive(request).filter(isWhole);
  } catch {
    return [];
  }
}

/** Whether no segment stands for a value that was not there. */
function isWhole(permission: unknown): boolean {
  if (typeof permission !== "string") return false;
  return permission
    .split(".")
    .every(
      (part) => part !== "" && part !== "undefined" && part !== "null" && part !== "NaN" && !part.startsWith("[object"),
    );
}
