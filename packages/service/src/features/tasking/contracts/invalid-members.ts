import { ServiceError, type ErrorDetail } from "@swath/kernel/errors/service-error";

/** The error of a request with these faults. */
export function invalidMembers(details: readonly ErrorDetail[]): ServiceError {
  const text = details.map(({ path, message }) => `${path} ${message}`).join("; ");
  return new ServiceError("VALIDATION-ERROR", text, { details });
}

/** The error of a request with one fault. */
export function invalidMember(path: string, message: string): ServiceError {
  return invalidMembers([{ path, message }]);
}
