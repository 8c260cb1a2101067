import { ServiceError } from "@swath/kernel/errors/service-error";

/** Callers without rights learn nothing of an analysis, not even its existence. */
export function unknownAnalysis(id: string): ServiceError {
  return new ServiceError("NON-EXISTENT-ANALYSIS", `there is no analysis ${id} that you may read`);
}
