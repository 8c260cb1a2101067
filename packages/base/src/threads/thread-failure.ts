import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { BlobNotFoundError, MISSING_PIXELS } from "../blobs/blob-store.ts";
import { StoreFaultError, storeFaultOf, type StoreFaultKind } from "../blobs/store-fault.ts";

/** An error as it crosses threads; `code` only for expected failures. */
export interface ThreadFailure {
  readonly code: ErrorCode | null;
  readonly message: string;
  /** Fault of a store of the service, which another run may not meet. */
  readonly storeFault?: StoreFaultKind;
}

export function describeFailure(error: unknown): ThreadFailure {
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  if (error instanceof BlobNotFoundError) return { code: "DATA-NOT-AVAILABLE", message: MISSING_PIXELS };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const storeFault = storeFaultOf(error);
  return { code: null, message, ...(storeFault === null ? {} : { storeFault }) };
}

export function failureError({ code, message, storeFault }: ThreadFailure): Error {
  if (storeFault !== undefined) return new StoreFaultError(storeFault, message);
  return code === null ? new Error(message) : new ServiceError(code, message);
}
