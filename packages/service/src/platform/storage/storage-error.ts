import type { StoreFaultKind } from "@swath/base/blobs/store-fault";
import { ServiceError } from "@swath/kernel/errors/service-error";

const RETRY_AFTER_S = 5;

/** The refusal of a request that storage takes no writes for. */
export function storageError(fault: StoreFaultKind, options: { readonly cause?: unknown } = {}): ServiceError {
  const shared = { ...options, retryAfterS: RETRY_AFTER_S };
  return fault === "full"
    ? new ServiceError("INSUFFICIENT-STORAGE", "the disks of the service are full; try again later", shared)
    : new ServiceError("SERVICE-UNAVAILABLE", "the service cannot use its files now; try again", shared);
}
