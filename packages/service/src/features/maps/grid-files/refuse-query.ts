import { ServiceError } from "@swath/kernel/errors/service-error";

/** @throws {ServiceError} VALIDATION-ERROR that names the parameter */
export function refuseQuery(parameter: string, message: string): never {
  throw new ServiceError("VALIDATION-ERROR", `${parameter} ${message}`, {
    details: [{ path: `/${parameter}`, message }],
  });
}
