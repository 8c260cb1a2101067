import { meetsObjectFilters, parseObjectFilters } from "@swath/kernel/query/object-filter";
import type { PlacedObject } from "@swath/maps/analysis/placed-object";
import { refuseQuery } from "./refuse-query.ts";

/**
 * The predicate of a `detection_filters` parameter: lines of property, condition and value, all of which must hold.
 *
 * @throws {ServiceError} VALIDATION-ERROR with the line that is wrong
 */
export function parseDetectionFilters(text: string | undefined): ((object: PlacedObject) => boolean) | null {
  const filters = parseObjectFilters(text ?? "", (message) => refuseQuery("detection_filters", message));
  return filters.length === 0 ? null : ({ properties }) => meetsObjectFilters(filters, properties);
}
