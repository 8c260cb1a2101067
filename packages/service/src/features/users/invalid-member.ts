import { ServiceError } from "@swath/kernel/errors/service-error";

/** A fault of one member of the request. @param path JSON Pointer */
export function invalidMember(path: string, message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}
