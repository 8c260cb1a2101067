import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypes } from "@swath/maps/registry";

/**
 * @param path JSON Pointer of the id at an index
 * @throws {ServiceError} VALIDATION-ERROR that names every id that is no map type
 */
export function requireMapTypes(
  mapTypes: Pick<MapTypes, "faultOf">,
  ids: readonly string[],
  path: (index: number) => string,
): void {
  const details = ids.flatMap((id, index) => {
    const message = mapTypes.faultOf(id);
    return message === null ? [] : [{ path: path(index), message }];
  });
  if (details.length > 0) {
    throw new ServiceError("VALIDATION-ERROR", details.map(({ message }) => message).join("; "), { details });
  }
}
