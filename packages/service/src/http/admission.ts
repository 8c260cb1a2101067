import { isGranted } from "@swath/kernel/permissions/permission";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access, RateClass } from "@swath/contract/kit/access";
import { BASE_COST } from "@swath/contract/kit/request-cost";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../platform/context.ts";
import type { Demand } from "../platform/identity/credential.ts";
import { ANONYMOUS } from "../platform/identity/identity.ts";
import type { Identity } from "../platform/identity/identity.ts";
import { networkOf } from "../platform/identity/network-of.ts";
import { charge, meterOf, type Meter } from "./meter.ts";
import type { RateLimiter } from "./rate-limit.ts";

export type Authenticator = Pick<Identity, "authenticate">;

/** The limits of callers. */
export interface Rates {
  /** Null: nothing is limited. */
  readonly limiter: RateLimiter | null;
  /** Factor of the limits of a caller. */
  readonly factorOf: (caller: Caller) => number;
}

/** A caller within the limit, and the meter of the request. */
export interface Admitted {
  readonly caller: Caller;
  readonly meter: Meter;
}

/** The parts of a declaration that a caller is judged by. */
export interface Authority {
  readonly access: Access;
  readonly permissions: readonly string[];
  readonly rateClass: RateClass;
}

/** Callers who change rights or credit are judged by rights as they are now. */
function demandOf({ access, permissions }: Authority): Demand {
  const administers = permissions.some((permission) => permission === "admin" || permission.startsWith("admin."));
  return { freshness: access === "user" || administers ? "now" : "at most a second old", permissions };
}

/**
 * The caller, after the first token of the limit. The bucket of the address pays for grid files and for a request
 * without a valid token, the bucket of the user otherwise.
 */
export async function identifyCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  authority: Authority,
  { identity, rates }: { readonly identity: Authenticator; readonly rates: Rates },
): Promise<Admitted> {
  const { access, rateClass } = authority;
  const ofAddress = (): Meter => meterOfAddress(request, reply, rateClass, rates);
  if (access === "public") return { caller: ANONYMOUS, meter: charged(ofAddress()) };
  let caller: Caller | null;
  try {
    caller = await identity.authenticate(request.headers.authorization, demandOf(authority));
  } catch (error) {
    charged(ofAddress());
    throw error;
  }
  if (caller === null) {
    const meter = charged(ofAddress());
    if (access === "optional") return { caller: ANONYMOUS, meter };
    throw new ServiceError("INVALID-AUTHORIZATION-HEADER", 'This needs the header "Authorization: Bearer <token>"');
  }
  const meter = charged(rateClass === "grid" ? ofAddress() : meterOfUser(caller, reply, rateClass, rates));
  if (access === "user" && caller.kind !== "user") {
    throw new ServiceError("API-KEY-AUTHORIZATION-NOT-PERMITTED", "This needs a user's token; API keys are not taken");
  }
  return { caller, meter };
}

/** The meter of a request whose address pays. */
export function meterOfAddress(
  request: FastifyRequest,
  reply: FastifyReply,
  rateClass: RateClass,
  { limiter }: Rates,
): Meter {
  return meterOf(limiter, { rateClass, name: `address ${networkOf(request.ip)}`, factor: 1 }, reply);
}

function meterOfUser(caller: Caller, reply: FastifyReply, rateClass: RateClass, rates: Rates): Meter {
  const { limiter, factorOf } = rates;
  return meterOf(limiter, { rateClass, name: `user ${caller.userId}`, factor: factorOf(caller) }, reply);
}

function charged(meter: Meter): Meter {
  charge(meter, BASE_COST);
  return meter;
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
