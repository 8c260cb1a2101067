import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { identifyCaller, requirePermissions, type Admitted, type Authority } from "./admission.ts";
import type { Mounting } from "./mount.ts";

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
  return async (request, reply) => {
    if (Number(request.headers["content-length"] ?? 0) > route.bodyLimitBytes) throw tooLarge(route.bodyLimitBytes);
    const admitted = await identifyCaller(request, reply, route, mounting);
    requirePermissions(admitted.caller, route.permissions);
    request.setDecorator<Admitted>(ADMITTED, admitted);
  };
}

/** The caller that `admitBeforeBody` found, with the meter of the request. */
export function admittedOf(request: FastifyRequest): Admitted {
  return request.getDecorator<Admitted>(ADMITTED);
}

function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError("PAYLOAD-TOO-LARGE", `The body is larger than the ${limitBytes} bytes of this operation`);
}
