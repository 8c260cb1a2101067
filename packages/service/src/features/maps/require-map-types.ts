import { ServiceError } from "@swath/kernel/errors/service-error";
import { mapTypeFault } from "@swath/maps/find-map-type";

/**
 * @param path JSON Pointer of the id at an index
 * @throws {ServiceError} VALIDATION-ERROR that names every id that is no map type
 */
export function requireMapTypes(ids: readonly string[], path: (index: number) => string): void {
  const details = ids.flatMap((id, index) => {
    const message = mapTypeFault(id);
    return message === null ? [] : [{ path: path(index), message }];
  });
  if (details.length > 0) {
    throw new ServiceError("VALIDATION-ERROR", details.map(({ message }) => message).join("; "), { details });
  }
}
