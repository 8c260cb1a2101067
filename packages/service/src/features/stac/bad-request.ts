import { ServiceError } from "@swath/kernel/errors/service-error";

/** The refusal of a member of a request, 400 as STAC and OGC prescribe. */
export function badRequest(member: string, message: string): ServiceError {
  return new ServiceError("BAD-REQUEST", `${member} ${message}`, { details: [{ path: `/${member}`, message }] });
}
