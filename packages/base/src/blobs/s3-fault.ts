import { S3ServiceException } from "@aws-sdk/client-s3";
import { certificateError } from "../certificate-error.ts";
import { StoreFaultError } from "./store-fault.ts";

/** Errors of sockets and name servers, and the limits of time of the SDK. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EPIPE",
  "TimeoutError",
  "RequestTimeout",
]);
const DENIED = 403;
const INSUFFICIENT_STORAGE = 507;

/**
 * The error as a fault of the store when the server of the bucket is at fault; otherwise the error itself.
 *
 * @param host of the server, for messages
 */
export function s3Fault(error: unknown, host: string): unknown {
  if (!(error instanceof Error)) return error;
  const certificate = certificateError(error, host);
  if (certificate !== null) return new StoreFaultError("unavailable", certificate.message, { cause: certificate });
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 0;
    const isServer = status >= 500 || status === DENIED || error.name === "NoSuchBucket";
    if (!isServer) return error;
    const kind = status === INSUFFICIENT_STORAGE ? "full" : "unavailable";
    return new StoreFaultError(kind, `the S3 server answered ${status} ${error.name}`, { cause: error });
  }
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  if (!UNREACHABLE.has(code)) return error;
  return new StoreFaultError("unavailable", `the S3 server cannot be reached: ${code}`, { cause: error });
}
