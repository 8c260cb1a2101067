import { ServiceError } from "../../errors.ts";
import { mapTypes as registry } from "../../map-types/registry.ts";

/**
 * @param path JSON Pointer of the id at an index
 * @throws {ServiceError} VALIDATION-ERROR that names every id that is no map type
 */
export function requireMapTypes(ids: readonly string[], path: (index: number) => string): void {
  const details = ids.flatMap((id, index) =>
    registry.has(id) ? [] : [{ path: path(index), message: `there is no map type ${id}` }],
  );
  if (details.length > 0) {
    throw new ServiceError("VALIDATION-ERROR", details.map(({ message }) => message).join("; "), { details });
  }
}
