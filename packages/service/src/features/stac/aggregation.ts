import { AGGREGATIONS, type Aggregation, type AggregationRow } from "../imagery/browse/aggregations.ts";
import { badRequest } from "./bad-request.ts";
import { JSON_TYPE, rootOf } from "./link.ts";

type Document = Readonly<Record<string, unknown>>;

const NAMES = Object.keys(AGGREGATIONS).filter(isAggregation);

function isAggregation(name: string): name is Aggregation {
  return Object.hasOwn(AGGREGATIONS, name);
}

/** The wanted aggregations, each once; the number of items without a name. @throws {ServiceError} BAD-REQUEST */
export function readAggregationNames(text: string | undefined): readonly Aggregation[] {
  const given = (text ?? "").split(",").filter((name) => name !== "");
  if (given.length === 0) return ["total_count"];
  return [...new Set(given)].map((name) => {
    if (isAggregation(name)) return name;
    throw badRequest("aggregations", `got ${name.slice(0, 60)}, expected some of ${NAMES.join(", ")}`);
  });
}

/** Names and types of all aggregations, for `home`: the root or a collection. */
export function aggregationsDocument(home: string, baseUrl: string): Document {
  const aggregations = NAMES.map((name) => ({ name, data_type: dataType(name) }));
  return collectionOf(aggregations, `${home}/aggregations`, baseUrl);
}

/** Answers in the order of the names. */
export function aggregateDocument(
  names: readonly Aggregation[],
  rows: readonly AggregationRow[],
  self: string,
  baseUrl: string,
): Document {
  const aggregations = names.map((name) => {
    const own = rows.filter((row) => row.name === name);
    return hasBuckets(name)
      ? distribution(name, own)
      : { name, data_type: AGGREGATIONS[name], value: valueOf(name, own) };
  });
  return collectionOf(aggregations, self, baseUrl);
}

function hasBuckets(name: Aggregation): boolean {
  return name.endsWith("_frequency");
}

function dataType(name: Aggregation): string {
  return hasBuckets(name) ? "frequency_distribution" : AGGREGATIONS[name];
}

function valueOf(name: Aggregation, [row]: readonly AggregationRow[]): number | string | null {
  const value = row?.value ?? null;
  if (AGGREGATIONS[name] === "integer") return value ?? 0;
  return value === null ? null : new Date(value).toISOString();
}

function distribution(name: Aggregation, rows: readonly AggregationRow[]): Document {
  const type = AGGREGATIONS[name];
  const counted = rows.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const buckets = rows
    .map(({ key, value }) => ({ key: key ?? "", data_type: type, frequency: value ?? 0, ...rangeOf(type, key) }))
    .toSorted((a, b) => a.key.localeCompare(b.key, "en", { numeric: true }));
  return {
    name,
    data_type: "frequency_distribution",
    frequency_distribution_data_type: type,
    buckets,
    overflow: (rows[0]?.total ?? 0) - counted,
  };
}

/** Percent of a bucket of ten. */
function rangeOf(type: string, key: string | null): { readonly from?: number; readonly to?: number } {
  return type === "numeric" && key !== null ? { from: Number(key), to: Number(key) + 10 } : {};
}

function collectionOf(aggregations: readonly Document[], self: string, baseUrl: string): Document {
  const root = rootOf(baseUrl);
  return {
    type: "AggregationCollection",
    aggregations,
    links: [
      { rel: "self", href: self, type: JSON_TYPE },
      { rel: "root", href: root, type: JSON_TYPE },
    ],
  };
}
