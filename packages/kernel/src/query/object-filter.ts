/** One line of a filter of detected objects. */
export interface ObjectFilter {
  readonly property: string;
  readonly condition: string;
  /** The value as written. */
  readonly text: string;
  /** Whether a value of the property fits. */
  readonly accepts: (value: unknown) => boolean;
}

const MAX_FILTERS = 20;

const ORDERED: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  gt: (value, limit) => value > limit,
  gte: (value, limit) => value >= limit,
  lt: (value, limit) => value < limit,
  lte: (value, limit) => value <= limit,
};
const CONDITIONS = [...Object.keys(ORDERED), "eq", "ne", "in"].join(", ");

/**
 * Reads lines of property, condition and value. Empty without a line.
 *
 * @param refuse throws with the message, which names the line that is wrong
 */
export function parseObjectFilters(text: string, refuse: (message: string) => never): readonly ObjectFilter[] {
  const lines = text.split(/[\r\n]+/u).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  if (lines.length > MAX_FILTERS) refuse(`has ${lines.length} lines, expected at most ${MAX_FILTERS}`);
  return lines.map((line, index) => filterOf(line, (message) => refuse(`line ${index + 1}: ${message}`)));
}

/** Whether an object meets all filters; an object without the property never does. */
export function meetsObjectFilters(
  filters: readonly ObjectFilter[],
  properties: Readonly<Record<string, unknown>>,
): boolean {
  return filters.every(({ property, accepts }) => {
    const value = Object.hasOwn(properties, property) ? properties[property] : undefined;
    return value !== undefined && accepts(value);
  });
}

function filterOf(line: string, refuse: (message: string) => never): ObjectFilter {
  const items = line.split(/\s+/u);
  const [property, condition, text] = items;
  if (items.length !== 3 || property === undefined || condition === undefined || text === undefined) {
    return refuse(`got ${items.length} items, expected three: property, condition, value`);
  }
  return { property, condition, text, accepts: acceptsOf(condition, text, refuse) };
}

function acceptsOf(condition: string, text: string, refuse: (message: string) => never): (value: unknown) => boolean {
  const ordered = Object.hasOwn(ORDERED, condition) ? ORDERED[condition] : undefined;
  if (ordered !== undefined) {
    const limit = Number(text);
    if (!Number.isFinite(limit)) refuse(`got the value "${text}", expected a number for ${condition}`);
    return (value) => typeof value === "number" && ordered(value, limit);
  }
  switch (condition) {
    case "eq":
      return (value) => equals(value, text);
    case "ne":
      return (value) => !equals(value, text);
    case "in": {
      const listed = text.split(",");
      return (value) => listed.some((one) => equals(value, one));
    }
    default:
      return refuse(`got the condition "${condition}", expected one of ${CONDITIONS}`);
  }
}

function equals(value: unknown, text: string): boolean {
  return typeof value === "number" ? text !== "" && value === Number(text) : value === text;
}
