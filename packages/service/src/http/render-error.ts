import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { statusOf } from "../error-status.ts";
import { isOfDialect } from "@swath/contract/kit/dialect";
import { storeFaultOf } from "@swath/base/blobs/store-fault";
import type { Log } from "@swath/base/log/log";
import { isTimeout, isUnavailable } from "../platform/postgres/errors.ts";
import { storageError } from "../platform/storage/storage-error.ts";
import { ErrorWithHeaders } from "../error-with-headers.ts";
import { RequestAbortedError } from "./request-aborted-error.ts";
import { discardUnread } from "./unread-body.ts";

/** The body of every error answer. */
interface ErrorBody {
  readonly error: string;
  readonly errorMessage: string;
  /** Code and message again, under the names of STAC API and OGC APIs. */
  readonly code?: string;
  readonly description?: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

/** The error for a caller of a path, which decides on the dialect. */
export function errorBody({ code, message, details }: ServiceError, path: string): ErrorBody {
  return {
    ...(isOfDialect(path) ? { code, description: message } : {}),
    error: code,
    errorMessage: message,
    ...(details === undefined ? {} : { details }),
  };
}

/** Any thrown value as what the caller may know of it. */
export function toServiceError(thrown: unknown, requestId: string): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const storeFault = storeFaultOf(thrown);
  if (storeFault !== null) return storageError(storeFault, { cause: thrown });
  if (isUnavailable(thrown) || isTimeout(thrown) || thrown instanceof RequestAbortedError) {
    return new ServiceError("SERVICE-UNAVAILABLE", "The service cannot answer now; try again", {
      cause: thrown,
      retryAfterS: 2,
    });
  }
  return (
    frameworkError(thrown) ??
    new ServiceError("ERROR", `Internal error; please quote request ${requestId}`, { cause: thrown })
  );
}

/** Refusals of the HTTP framework, which carry a code of their own. */
function frameworkError(thrown: unknown): ServiceError | null {
  if (!(thrown instanceof Error) || !("code" in thrown) || typeof thrown.code !== "string") return null;
  switch (thrown.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new ServiceError("PAYLOAD-TOO-LARGE", "The body is larger than this operation takes", { cause: thrown });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new ServiceError("BAD-CONTENT-TYPE", "The content type cannot be read, expected application/json", {
        cause: thrown,
      });
    case "FST_CP_ERR_INVALID_CONTENT_ENCODING":
      return new ServiceError("BAD-CONTENT-TYPE", "The content encoding is not known, expected gzip, br or none", {
        cause: thrown,
      });
    case "FST_CP_ERR_INVALID_CONTENT":
      return new ServiceError("BAD-REQUEST", "The body is not encoded as Content-Encoding says", { cause: thrown });
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new ServiceError("BAD-REQUEST", "The body is not as long as Content-Length says", { cause: thrown });
    case "FST_ERR_BAD_URL":
      return new ServiceError("BAD-REQUEST", "The address is not a valid URL path", { cause: thrown });
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new ServiceError("NON-EXISTENT-ENDPOINT", "There is nothing at this address", { cause: thrown });
    case "ECONNABORTED":
    case "ECONNRESET":
      return new ServiceError("BAD-REQUEST", "The body was cut off", { cause: thrown });
    default:
      return null;
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Sets the headers that an error brings with it. */
export function setErrorHeaders(reply: FastifyReply, error: ServiceError): void {
  if (error.retryAfterS !== null) reply.header("retry-after", String(error.retryAfterS));
  if (error instanceof ErrorWithHeaders) {
    for (const [name, value] of Object.entries(error.headers)) reply.header(name, value);
  }
}

/** The only place that turns an error into an answer. */
export async function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): Promise<void> {
  const error = toServiceError(thrown, request.id);
  // Nobody is left to be told, and giving up is what was asked for.
  const clientIsGone = reply.raw.destroyed;
  const about = { requestId: request.id, method: request.method, route: request.routeOptions.url };
  const status = statusOf(error);
  if (status === 503 && !clientIsGone) {
    // Thousands of these may come while the database starts again: a line each, and nothing is broken here.
    log.warn({ ...about, reason: messageOf(thrown) }, "request put off");
  } else if (status >= 500 && !clientIsGone) {
    log.error({ ...about, err: thrown }, "request failed");
  }
  setErrorHeaders(reply, error);
  if (status === 401 && !reply.hasHeader("www-authenticate")) reply.header("www-authenticate", "Bearer");
  if (status === 503 && !reply.hasHeader("retry-after")) reply.header("retry-after", "2");
  // The framework closes the connection after any fault of a body; `discardUnread` does where it must be.
  if (status !== 503) reply.removeHeader("connection");
  discardUnread(request, reply);
  await reply
    .code(status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(errorBody(error, request.url)));
}
