import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { BlobNotFoundError, MISSING_PIXELS } from "../blobs/blob-store.ts";

/** An error as it crosses threads; `code` only for expected failures. */
export interface ThreadFailure {
  readonly code: ErrorCode | null;
  readonly message: string;
}

export function describeFailure(error: unknown): ThreadFailure {
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  if (error instanceof BlobNotFoundError) return { code: "DATA-NOT-AVAILABLE", message: MISSING_PIXELS };
  return { code: null, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

export function failureError({ code, message }: ThreadFailure): Error {
  return code === null ? new Error(message) : new ServiceError(code, message);
}
