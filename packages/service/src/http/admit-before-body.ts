import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { identifyCaller, requirePermissions, type Admitted, type Authority } from "./admission.ts";
import { API_KEY_PREFIX } from "../platform/identity/api-key.ts";
import type { Mounting } from "./mount.ts";
import { ownConnection } from "./traffic/connections.ts";
import { goneSignal } from "./traffic/gone-signal.ts";
import { addressShare, shareName } from "./traffic/share-name.ts";
import { enterPlace } from "./traffic/work-places.ts";

const ADMITTED = "admitted";

/** The parts of a declaration that are checked before the body of a request is awaited. */
interface Guarded extends Authority {
  /** Infinite for bodies that are not kept in memory. */
  readonly bodyLimitBytes: number;
}

/** Makes requests carry the caller that `admitBeforeBody` finds. */
export function keepAdmitted(app: FastifyInstance): void {
  app.decorateRequest(ADMITTED, null);
}

/** The hook that checks announced size, token, rate and static permissions: a refused caller's body is never read. */
export function admitBeforeBody(route: Guarded, mounting: Mounting): onRequestAsyncHookHandler {
  const { traffic } = mounting;
  return async (request, reply) => {
    if (Number(request.headers["content-length"] ?? 0) > route.bodyLimitBytes) throw tooLarge(route.bodyLimitBytes);
    const admitted = await identify(request, reply, route, mounting);
    ownConnection(traffic.connections, request.raw.socket, shareName(admitted.caller, request.ip));
    requirePermissions(admitted.caller, route.permissions);
    request.setDecorator<Admitted>(ADMITTED, admitted);
  };
}

/** The caller that `admitBeforeBody` found, with the meter of the request. */
export function admittedOf(request: FastifyRequest): Admitted {
  return request.getDecorator<Admitted>(ADMITTED);
}

/** Name of the share that an admitted request counts for. */
export function shareOf(request: FastifyRequest): string {
  return shareName(admittedOf(request).caller, request.ip);
}

/**
 * The signature of a token proves its user, but only the database knows an API key: unknown keys from one address look
 * theirs up a few at a time.
 */
async function identify(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Guarded,
  mounting: Mounting,
): Promise<Admitted> {
  const { headers, ip } = request;
  if (headers.authorization?.includes(API_KEY_PREFIX) !== true) {
    return await identifyCaller(request, reply, route, mounting);
  }
  const share = `API keys of ${addressShare(ip)}`;
  const place = await enterPlace(mounting.traffic.places, share, () => goneSignal(reply));
  try {
    return await identifyCaller(request, reply, route, mounting);
  } finally {
    place[Symbol.dispose]();
  }
}

function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError("PAYLOAD-TOO-LARGE", `The body is larger than the ${limitBytes} bytes of this operation`);
}
