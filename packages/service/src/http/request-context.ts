import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, RequestContext } from "../platform/context.ts";
import { baseUrlOf, type RequestedOrigin } from "./base-url.ts";
import { RequestAbortedError } from "./request-aborted-error.ts";
import type { HttpConfig } from "./http-config.ts";
import type { Work } from "./traffic/work.ts";

/** Aborts the work of requests: of one when its client goes away, of all when the service stops. */
export interface Cancellation {
  signalFor(reply: FastifyReply): AbortSignal;
  abortAll(reason: Error): void;
}

export function createCancellation(): Cancellation {
  const active = new Set<AbortController>();
  return {
    signalFor(reply) {
      const { raw } = reply;
      const controller = new AbortController();
      const abort = (): void => controller.abort(new RequestAbortedError("the client went away"));
      // Nothing would take it out of the set: the answer has closed already.
      if (raw.destroyed) abort();
      else {
        active.add(controller);
        raw.once("close", () => {
          active.delete(controller);
          if (!raw.writableFinished) abort();
        });
      }
      return controller.signal;
    },
    abortAll(reason) {
      for (const controller of active) controller.abort(reason);
    },
  };
}

/** What handlers know of the request. */
export function requestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  work: Work,
  deps: { readonly config: HttpConfig; readonly cancellation: Cancellation },
): RequestContext {
  // No getter for the signal: the engine puts those of object literals among old objects, where each kept its request, and
  // what the body said, until a collection of everything.
  return {
    caller,
    signal: deps.cancellation.signalFor(reply),
    beginWait: work.beginWait,
    requestId: request.id,
    baseUrl: baseUrlOf(originOf(request), deps.config),
  };
}

/** The origin that a request was sent to. */
export function originOf(request: FastifyRequest): RequestedOrigin {
  const { localAddress, localPort } = request.socket;
  return { scheme: request.protocol === "https" ? "https" : "http", host: request.host, localAddress, localPort };
}
