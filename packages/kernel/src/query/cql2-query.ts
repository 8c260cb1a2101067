import { parseInstant } from "../time/instant.ts";
import { allOf, negated, type QueryField, type QueryNode, type SpatialRelation } from "./ast.ts";
import { likePatternFault } from "./like-pattern.ts";
import { between } from "./mongo-query.ts";
import { pointer, QueryError } from "./query-error.ts";
import { isRecord, QUERY_LIMITS, type QueryReader, told } from "./query-reader.ts";

const ORDERS = { "<": "lt", "<=": "le", ">": "gt", ">=": "ge" } as const;
/** The same comparison with its sides exchanged. */
const MIRRORED = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>" } as const;
const SWAPPED_RELATION = { intersects: "intersects", within: "contains", contains: "within" } as const;

const OPERATORS =
  "and, or, not, =, <>, <, <=, >, >=, like, between, in, isNull, s_intersects, s_within, s_contains, s_disjoint, " +
  "s_dwithin, t_before, t_after, t_during, t_equals, t_intersects, a_contains, a_overlaps";

/** CQL2 in its JSON form (OGC 21-065r2): `{"op": "and", "args": […]}`. Property and literal may stand on either side. */
export function readCql2Query(reader: QueryReader, query: unknown, path: string, depth = 1): QueryNode {
  if (typeof query === "boolean") {
    reader.node(path, depth);
    return { op: "constant", value: query };
  }
  if (!isRecord(query) || typeof query["op"] !== "string" || !Array.isArray(query["args"])) {
    throw new QueryError(path, `expected {"op": …, "args": […]}, true or false, got ${told(query)}`);
  }
  reader.node(path, depth);
  const { op } = query;
  const call: Call = { reader, op, args: query["args"], path, argsPath: pointer(path, "args") };
  switch (op) {
    case "and":
    case "or":
      return {
        op,
        of: reader.list(call.args, call.argsPath, 1, (one, at) => readCql2Query(reader, one, at, depth + 1)),
      };
    case "not":
      expectArgs(call, 1);
      return negated(readCql2Query(reader, call.args[0], pointer(call.argsPath, 0), depth + 1));
    case "=":
    case "<>":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return readComparison(call, op);
    case "like":
      return readLike(call);
    case "between":
      return readBetween(call);
    case "in":
      return readIn(call);
    case "isNull":
      expectArgs(call, 1);
      return { op: "isNull", field: fieldOf(call, 0, "any") };
    case "s_intersects":
      return readSpatial(call, "intersects");
    case "s_within":
      return readSpatial(call, "within");
    case "s_contains":
      return readSpatial(call, "contains");
    case "s_disjoint":
      return allOf([{ op: "exists", field: { kind: "geometry" } }, negated(readSpatial(call, "intersects"))]);
    case "s_dwithin":
      return readWithinDistance(call);
    case "t_before":
    case "t_after":
    case "t_during":
    case "t_equals":
    case "t_intersects":
      return readTemporal(call, op);
    case "a_contains":
    case "a_overlaps":
      return readArray(call, op);
    default:
      throw new QueryError(pointer(path, "op"), `unknown operator ${told(op)}; expected ${OPERATORS}`);
  }
}

interface Call {
  readonly reader: QueryReader;
  readonly op: string;
  readonly args: readonly unknown[];
  readonly path: string;
  readonly argsPath: string;
}

function expectArgs(call: Call, ...counts: readonly number[]): void {
  if (counts.includes(call.args.length)) return;
  throw new QueryError(call.argsPath, `${call.op} takes ${counts.join(" or ")} arguments, got ${call.args.length}`);
}

function isProperty(value: unknown): value is { readonly property: unknown } {
  return isRecord(value) && "property" in value;
}

function fieldOf({ reader, args, argsPath, op }: Call, index: number, want: "value" | "any" = "value"): QueryField {
  const arg = args[index];
  const path = pointer(argsPath, index);
  if (!isProperty(arg)) {
    throw new QueryError(path, `${op} expects {"property": name} here, got ${told(arg)}`);
  }
  const at = pointer(path, "property");
  return want === "value" ? reader.valueField(arg.property, at) : reader.field(arg.property, at);
}

/** A literal; dates and moments are the texts they are written as. */
function literalOf({ reader, args, argsPath }: Call, index: number): unknown {
  const arg = args[index];
  if (isProperty(arg)) {
    throw new QueryError(pointer(argsPath, index), "properties are compared with values, not with each other");
  }
  if (!isRecord(arg)) return arg;
  for (const name of ["date", "timestamp"]) {
    if (name in arg) return readMoment(reader, arg[name], pointer(pointer(argsPath, index), name));
  }
  return arg;
}

function readMoment(reader: QueryReader, value: unknown, path: string): string {
  const text = reader.text(value, path);
  if (parseInstant(text) === null) throw new QueryError(path, `expected an ISO 8601 date or moment, got ${told(text)}`);
  return text;
}

function readComparison(call: Call, op: keyof typeof MIRRORED): QueryNode {
  expectArgs(call, 2);
  const swapped = !isProperty(call.args[0]) && isProperty(call.args[1]);
  const field = fieldOf(call, swapped ? 1 : 0);
  const literal = literalOf(call, swapped ? 0 : 1);
  const at = pointer(call.argsPath, swapped ? 0 : 1);
  const operator = swapped ? MIRRORED[op] : op;
  if (operator === "=") return { op: "eq", field, value: call.reader.json(literal, at) };
  if (operator === "<>") return negated({ op: "eq", field, value: call.reader.json(literal, at) });
  return { op: "compare", order: ORDERS[operator], field, value: call.reader.ordered(literal, at) };
}

function readLike(call: Call): QueryNode {
  expectArgs(call, 2);
  const at = pointer(call.argsPath, 1);
  const pattern = call.reader.text(call.args[1], at, QUERY_LIMITS.patternLength);
  const fault = likePatternFault(pattern);
  if (fault !== null) throw new QueryError(at, `a pattern ${fault}`);
  return { op: "like", field: fieldOf(call, 0), pattern };
}

function readBetween(call: Call): QueryNode {
  expectArgs(call, 3);
  const bounds = [1, 2].map((index) => call.reader.ordered(literalOf(call, index), pointer(call.argsPath, index)));
  return between(fieldOf(call, 0), bounds, call.argsPath);
}

function readIn(call: Call): QueryNode {
  expectArgs(call, 2);
  const values = call.reader.list(call.args[1], pointer(call.argsPath, 1), 0, (one, at) => call.reader.json(one, at));
  return { op: "in", field: fieldOf(call, 0), values };
}

function readArray(call: Call, op: "a_contains" | "a_overlaps"): QueryNode {
  expectArgs(call, 2);
  const field = fieldOf(call, 0);
  const of = call.reader.list(call.args[1], pointer(call.argsPath, 1), 1, (one, at): QueryNode => {
    call.reader.node(at, 1);
    return { op: "contains", field, value: call.reader.scalar(one, at) };
  });
  return op === "a_contains" ? allOf(of) : { op: "or", of };
}

/** The place of the geometry literal: the other argument is the feature's own geometry. */
function literalPlace(call: Call): 0 | 1 {
  const place = isProperty(call.args[0]) ? 1 : 0;
  const field = fieldOf(call, 1 - place, "any");
  if (field.kind !== "geometry") {
    const at = pointer(pointer(call.argsPath, 1 - place), "property");
    throw new QueryError(at, `${call.op} looks at the property "geometry"`);
  }
  return place;
}

function geometryOf({ reader, args, argsPath }: Call, place: number) {
  const arg = args[place];
  const at = pointer(argsPath, place);
  if (!isRecord(arg) || !("bbox" in arg)) return reader.geometry(arg, at);
  const box = reader.list(arg["bbox"], pointer(at, "bbox"), 4, (one, path) => {
    if (typeof one === "number" && Number.isFinite(one)) return one;
    throw new QueryError(path, `expected a finite number, got ${told(one)}`);
  });
  const [west = 0, south = 0, east = 0, north = 0] = box;
  if (box.length !== 4 || south > north) {
    throw new QueryError(pointer(at, "bbox"), `expected [west, south, east, north], got ${told(box)}`);
  }
  // Across the antimeridian when west exceeds east. A place in the middle keeps wide boxes from being read the short way.
  const right = west > east ? east + 360 : east;
  const middle = (west + right) / 2;
  const ring = [
    [west, south],
    [middle, south],
    [right, south],
    [right, north],
    [middle, north],
    [west, north],
    [west, south],
  ];
  return reader.geometry({ type: "Polygon", coordinates: [ring] }, pointer(at, "bbox"));
}

function readSpatial(call: Call, relation: SpatialRelation): QueryNode {
  expectArgs(call, 2);
  const place = literalPlace(call);
  return {
    op: "spatial",
    relation: place === 1 ? relation : SWAPPED_RELATION[relation],
    geometry: geometryOf(call, place),
  };
}

function readWithinDistance(call: Call): QueryNode {
  expectArgs(call, 3, 4);
  const units = call.args[3] ?? "meters";
  if (units !== "meters")
    throw new QueryError(pointer(call.argsPath, 3), `distances are in "meters", got ${told(units)}`);
  const distanceM = call.reader.distanceM(call.args[2], pointer(call.argsPath, 2));
  const place = literalPlace(call);
  const geometry = geometryOf(call, place);
  // Checked again for its own limit; a box has few positions.
  if (!isRecord(call.args[place]) || !("bbox" in call.args[place])) {
    call.reader.nearGeometry(call.args[place], pointer(call.argsPath, place));
  }
  return { op: "dwithin", geometry, distanceM };
}

/** Moments are texts of one form each; an end of ".." is open. */
function readTemporal(call: Call, op: "t_before" | "t_after" | "t_during" | "t_equals" | "t_intersects"): QueryNode {
  expectArgs(call, 2);
  const field = fieldOf(call, 0);
  const arg = call.args[1];
  const at = pointer(call.argsPath, 1);
  const interval = isRecord(arg) && "interval" in arg;
  const ends: readonly (string | null)[] = interval
    ? call.reader.list(arg["interval"], pointer(at, "interval"), 2, (one, path) =>
        one === ".." ? null : readMoment(call.reader, isRecord(one) ? (one["date"] ?? one["timestamp"]) : one, path),
      )
    : [readMoment(call.reader, literalOf(call, 1), at)];
  const start = ends[0] ?? null;
  const end = ends.at(-1) ?? null;
  if (interval !== (op === "t_during" || (op === "t_intersects" && interval)) || ends.length > 2) {
    throw new QueryError(at, op === "t_during" ? 'expected {"interval": [start, end]}' : "expected one date or moment");
  }
  const is = (order: "lt" | "le" | "gt" | "ge", value: string | null): readonly QueryNode[] =>
    value === null ? [] : [{ op: "compare", order, field, value }];
  switch (op) {
    case "t_before":
      return allOf(is("lt", start));
    case "t_after":
      return allOf(is("gt", start));
    case "t_during":
      return allOf([{ op: "exists", field }, ...is("gt", start), ...is("lt", end)]);
    case "t_equals":
    case "t_intersects":
      break;
  }
  return allOf([{ op: "exists", field }, ...is("ge", start), ...is("le", end)]);
}
