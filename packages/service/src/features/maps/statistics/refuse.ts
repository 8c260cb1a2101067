import { ServiceError } from "@swath/kernel/errors/service-error";

/** @throws {ServiceError} VALIDATION-ERROR about a member of a request */
export function refuse(path: string, message: string): never {
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}
