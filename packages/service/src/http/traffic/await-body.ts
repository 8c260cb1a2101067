import type { FastifyRequest, preParsingAsyncHookHandler } from "fastify";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { bodyArrived, dropBody, expectBody } from "./arriving-bodies.ts";
import { bodyBegins, bodyEnds } from "./connections.ts";
import type { Traffic } from "./traffic.ts";

/** A body of at most this size has one time limit for the whole. */
const SMALL_BODY_BYTES = 64 * 1024;

/**
 * The hook that bounds the wait for a body which is kept in memory. The request holds no place of work meanwhile.
 *
 * @param shareOf name of the share that the request counts for
 */
export function awaitKeptBody(
  traffic: Traffic,
  bodyLimitBytes: number,
  shareOf: (request: FastifyRequest) => string,
): preParsingAsyncHookHandler {
  return async (request, reply, payload) => {
    if (!hasBody(request)) return;
    const { raw } = request;
    const giveUp = (error: Error): void => {
      payload.emit("error", error);
    };
    const body = expectBody(traffic.bodies, shareOf(request), mostBytes(request, bodyLimitBytes), giveUp);
    const drop = (): void => dropBody(traffic.bodies, body);
    reply.raw.once("finish", drop).once("close", drop);
    if (raw.complete) {
      bodyArrived(traffic.bodies, body);
      return;
    }
    bodyBegins(traffic.connections, raw.socket, {
      request: raw,
      isSmall: isSmall(request),
      giveUp: () => giveUp(tooSlow(traffic)),
    });
    raw.once("end", () => {
      bodyArrived(traffic.bodies, body);
      bodyEnds(traffic.connections, raw.socket);
    });
  };
}

/** The hook that cuts off the sender of a body that is taken as it comes, when it is too slow. */
export function paceStreamedBody(traffic: Traffic): preParsingAsyncHookHandler {
  return async (request) => {
    const { raw } = request;
    if (!hasBody(request) || raw.complete) return;
    const { socket } = raw;
    bodyBegins(traffic.connections, socket, {
      request: raw,
      isSmall: isSmall(request),
      giveUp: () => socket.destroy(),
    });
    raw.once("end", () => bodyEnds(traffic.connections, socket));
  };
}

function hasBody({ headers, method }: FastifyRequest): boolean {
  if (method === "GET" || method === "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || announcedBytes(headers) > 0;
}

function announcedBytes(headers: FastifyRequest["headers"]): number {
  return Number(headers["content-length"] ?? 0);
}

function isSmall({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] === undefined && announcedBytes(headers) <= SMALL_BODY_BYTES;
}

/** The announced length; the limit where the length is not known, or not the one in memory. */
function mostBytes({ headers }: FastifyRequest, bodyLimitBytes: number): number {
  const isKnown = headers["transfer-encoding"] === undefined && headers["content-encoding"] === undefined;
  return isKnown ? announcedBytes(headers) : bodyLimitBytes;
}

function tooSlow({ connections: { limits } }: Traffic): ServiceError {
  return new ServiceError(
    "REQUEST-TIMEOUT",
    `The body did not arrive in time: a body of up to ${SMALL_BODY_BYTES / 1024} KiB has ${limits.bodyMs / 1000} s, a ` +
      `larger one brings at least ${limits.minBytesPerSecond} bytes a second`,
  );
}
