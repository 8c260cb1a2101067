import { allOf, negated, type QueryField, type QueryNode } from "./ast.ts";
import { likePatternFault } from "./like-pattern.ts";
import { pointer, QueryError } from "./query-error.ts";
import { isRecord, QUERY_LIMITS, type QueryReader, told } from "./query-reader.ts";

const ORDERS = { $lt: "lt", $lte: "le", $gt: "gt", $gte: "ge" } as const;
const SPATIAL = { $geoIntersects: "intersects", $geoWithin: "within", $geoContains: "contains" } as const;

const FIELD_OPERATORS =
  "$eq, $ne, $gt, $gte, $lt, $lte, $between, $in, $nin, $exists, $like, $prefix, $contains, $all, $not";
const GEOMETRY_OPERATORS = "$geoIntersects, $geoWithin, $geoContains, $near with $maxDistance, $exists, $not";

/** The Mongo-like language: `{"height": {"$gt": 10}, "$or": [{"a": 1}, {"b": {"$exists": true}}]}`. */
export function readMongoQuery(reader: QueryReader, query: unknown, path: string, depth = 1): QueryNode {
  if (!isRecord(query)) throw new QueryError(path, `a query is an object, got ${told(query)}`);
  reader.node(path, depth);
  return allOf(
    Object.entries(query).map(([name, value]): QueryNode => {
      const at = pointer(path, name);
      if (!name.startsWith("$")) return readField(reader, name, value, at, depth);
      const branches = () => reader.list(value, at, 1, (one, p) => readMongoQuery(reader, one, p, depth + 1));
      switch (name) {
        case "$and":
          return { op: "and", of: branches() };
        case "$or":
          return { op: "or", of: branches() };
        case "$nor":
          return negated({ op: "or", of: branches() });
        case "$not":
          return negated(readMongoQuery(reader, value, at, depth + 1));
        default:
          throw new QueryError(at, `unknown operator ${told(name)}; expected $and, $or, $nor, $not or a property`);
      }
    }),
  );
}

function readField(reader: QueryReader, name: string, value: unknown, path: string, depth: number): QueryNode {
  const field = reader.field(name, path);
  if (isRecord(value) && Object.keys(value).some((key) => key.startsWith("$"))) {
    return readOperators(reader, field, value, path, depth);
  }
  if (field.kind === "geometry") {
    throw new QueryError(path, `the geometry takes ${GEOMETRY_OPERATORS}, got ${told(value)}`);
  }
  reader.node(path, depth);
  return { op: "eq", field, value: reader.json(value, path) };
}

function readOperators(
  reader: QueryReader,
  field: QueryField,
  operators: Readonly<Record<string, unknown>>,
  path: string,
  depth: number,
): QueryNode {
  return allOf(
    Object.entries(operators).flatMap(([operator, operand]): readonly QueryNode[] => {
      const at = pointer(path, operator);
      // A part of $near beside it.
      if (operator === "$maxDistance" && "$near" in operators) return [];
      reader.node(at, depth);
      if (operator === "$exists") return [readExists(field, operand, at)];
      if (operator === "$not") {
        if (!isRecord(operand) || Object.keys(operand).length === 0) {
          throw new QueryError(at, `expected operators such as {"$gt": 1}, got ${told(operand)}`);
        }
        return [negated(readOperators(reader, field, operand, at, depth + 1))];
      }
      return [
        field.kind === "geometry"
          ? readSpatial(reader, operator, operand, operators["$maxDistance"], at)
          : readComparison(reader, field, operator, operand, at),
      ];
    }),
  );
}

function readExists(field: QueryField, operand: unknown, path: string): QueryNode {
  if (typeof operand !== "boolean") throw new QueryError(path, `expected true or false, got ${told(operand)}`);
  const exists: QueryNode = { op: "exists", field };
  return operand ? exists : negated(exists);
}

function readComparison(
  reader: QueryReader,
  field: QueryField,
  operator: string,
  operand: unknown,
  path: string,
): QueryNode {
  switch (operator) {
    case "$eq":
      return { op: "eq", field, value: reader.json(operand, path) };
    case "$ne":
      return negated({ op: "eq", field, value: reader.json(operand, path) });
    case "$in":
      return { op: "in", field, values: reader.list(operand, path, 0, (one, at) => reader.json(one, at)) };
    case "$nin":
      return negated({ op: "in", field, values: reader.list(operand, path, 0, (one, at) => reader.json(one, at)) });
    case "$lt":
    case "$lte":
    case "$gt":
    case "$gte":
      return { op: "compare", order: ORDERS[operator], field, value: reader.ordered(operand, path) };
    case "$between":
      return readBetween(reader, field, operand, path);
    case "$like": {
      const pattern = reader.text(operand, path, QUERY_LIMITS.patternLength);
      const fault = likePatternFault(pattern);
      if (fault !== null) throw new QueryError(path, `a pattern ${fault}`);
      return { op: "like", field, pattern };
    }
    case "$prefix":
      return { op: "prefix", field, prefix: reader.text(operand, path) };
    case "$contains":
      return { op: "contains", field, value: reader.scalar(operand, path) };
    case "$all":
      return allOf(
        reader.list(operand, path, 1, (one, at): QueryNode => {
          reader.node(at, 1);
          return { op: "contains", field, value: reader.scalar(one, at) };
        }),
      );
    default:
      throw new QueryError(path, `unknown operator ${told(operator)}; expected ${FIELD_OPERATORS}`);
  }
}

function readBetween(reader: QueryReader, field: QueryField, operand: unknown, path: string): QueryNode {
  const bounds = reader.list(operand, path, 2, (one, at) => reader.ordered(one, at));
  return between(field, bounds, path);
}

/** From the first to the second bound, both included. */
export function between(field: QueryField, bounds: readonly (number | string)[], path: string): QueryNode {
  const [low, high] = bounds;
  if (low === undefined || high === undefined || bounds.length !== 2 || typeof low !== typeof high) {
    throw new QueryError(path, `expected two numbers or two texts, got ${told(bounds)}`);
  }
  return {
    op: "and",
    of: [
      { op: "compare", order: "ge", field, value: low },
      { op: "compare", order: "le", field, value: high },
    ],
  };
}

function readSpatial(
  reader: QueryReader,
  operator: string,
  operand: unknown,
  maxDistance: unknown,
  path: string,
): QueryNode {
  const wrapped = isRecord(operand) && "$geometry" in operand;
  const geometry = () =>
    wrapped ? reader.geometry(operand["$geometry"], pointer(path, "$geometry")) : reader.geometry(operand, path);
  switch (operator) {
    case "$geoIntersects":
    case "$geoWithin":
    case "$geoContains":
      return { op: "spatial", relation: SPATIAL[operator], geometry: geometry() };
    case "$near": {
      const inside = wrapped && "$maxDistance" in operand;
      const distance = inside ? operand["$maxDistance"] : maxDistance;
      return {
        op: "dwithin",
        geometry: wrapped
          ? reader.nearGeometry(operand["$geometry"], pointer(path, "$geometry"))
          : reader.nearGeometry(operand, path),
        distanceM: reader.distanceM(distance, pointer(path, "$maxDistance")),
      };
    }
    default:
      throw new QueryError(path, `unknown operator ${told(operator)}; the geometry takes ${GEOMETRY_OPERATORS}`);
  }
}
