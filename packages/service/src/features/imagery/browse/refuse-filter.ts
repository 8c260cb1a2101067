import { ServiceError } from "@swath/kernel/errors/service-error";

/** The refusal of a filter, 400 as STAC and OGC prescribe. */
export function refuseFilter(message: string): ServiceError {
  return new ServiceError("BAD-REQUEST", `filter: ${message}`);
}
