import { ServiceError } from "@swath/kernel/errors/service-error";

/** Also of a monitor of another user. */
export function unknownMonitor(id: string): ServiceError {
  return new ServiceError("NON-EXISTENT-MONITOR", `you have no monitor ${id}`);
}
