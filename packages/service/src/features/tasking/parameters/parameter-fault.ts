import { ServiceError } from "@swath/kernel/errors/service-error";

/** The refusal of a member of a request. */
export function parameterFault(path: string, message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}
