import type { PlacedObject } from "@swath/maps/analysis/placed-object";
import { refuseQuery } from "./refuse-query.ts";

type Value = PlacedObject["properties"][string];

/** Whether a property of an object fits; objects without the property never do. */
interface DetectionFilter {
  readonly property: string;
  readonly accepts: (value: Value) => boolean;
}

const MAX_FILTERS = 20;

const ORDERED: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  gt: (value, limit) => value > limit,
  gte: (value, limit) => value >= limit,
  lt: (value, limit) => value < limit,
  lte: (value, limit) => value <= limit,
};
const CONDITIONS = [...Object.keys(ORDERED), "eq", "ne", "in"].join(", ");

function equals(value: Value, text: string): boolean {
  return typeof value === "number" ? text !== "" && value === Number(text) : value === text;
}

function filterOf(line: string, number: number): DetectionFilter {
  const items = line.split(/\s+/u);
  const [property, condition, text] = items;
  if (items.length !== 3 || property === undefined || condition === undefined || text === undefined) {
    refuseQuery(
      "detection_filters",
      `line ${number}: got ${items.length} items, expected three: property, condition, value`,
    );
  }
  const ordered = Object.hasOwn(ORDERED, condition) ? ORDERED[condition] : undefined;
  if (ordered !== undefined) {
    const limit = Number(text);
    if (!Number.isFinite(limit)) {
      refuseQuery("detection_filters", `line ${number}: got the value "${text}", expected a number for ${condition}`);
    }
    return { property, accepts: (value) => typeof value === "number" && ordered(value, limit) };
  }
  switch (condition) {
    case "eq":
      return { property, accepts: (value) => equals(value, text) };
    case "ne":
      return { property, accepts: (value) => !equals(value, text) };
    case "in": {
      const listed = text.split(",");
      return { property, accepts: (value) => listed.some((one) => equals(value, one)) };
    }
    default:
      return refuseQuery(
        "detection_filters",
        `line ${number}: got the condition "${condition}", expected one of ${CONDITIONS}`,
      );
  }
}

/**
 * The predicate of a `detection_filters` parameter: lines of property, condition and value, all of which must hold.
 *
 * @throws {ServiceError} VALIDATION-ERROR with the line that is wrong
 */
export function parseDetectionFilters(text: string | undefined): ((object: PlacedObject) => boolean) | null {
  const lines = (text ?? "").split(/[\r\n]+/u).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  if (lines.length === 0) return null;
  if (lines.length > MAX_FILTERS) {
    refuseQuery("detection_filters", `has ${lines.length} lines, expected at most ${MAX_FILTERS}`);
  }
  const filters = lines.map((line, index) => filterOf(line, index + 1));
  return ({ properties }) =>
    filters.every(({ property, accepts }) => {
      const value = Object.hasOwn(properties, property) ? properties[property] : undefined;
      return value !== undefined && accepts(value);
    });
}
