import type { RawBuilder } from "kysely";
import { Cql2Error, type Expression } from "@swath/kernel/cql2/expression";
import { timestampOf } from "@swath/kernel/cql2/instant";
import { piece } from "./piece.ts";
import { refuseFilter } from "./refuse-filter.ts";
import { sceneField, type FieldType, type SceneField } from "./scene-fields.ts";
import { momentsSql, TEMPORAL } from "./temporal-sql.ts";

/** The values that a condition needs beside its text. */
export interface ConditionScope {
  /** The test of a geometry of the condition, whose scenes are known by now. */
  readonly meets: (geometry: Expression) => RawBuilder<unknown>;
}

interface TypedSql {
  readonly sql: RawBuilder<unknown>;
  readonly type: FieldType | "null";
}

/** The SQL of a condition; values are parameters. @throws {ServiceError} BAD-REQUEST when its types do not fit */
export function conditionSql(condition: Expression, scope: ConditionScope): RawBuilder<unknown> {
  const { sql: test, type } = typedSql(condition, scope);
  if (type !== "boolean") throw refuseFilter(`expected a condition, got a value of type ${type}`);
  return test;
}

/** Fields that a condition names. @throws {ServiceError} BAD-REQUEST for a name that is none */
export function fieldsOf(expression: Expression): readonly SceneField[] {
  if (expression.kind === "property") {
    return expression.name === "geometry" ? [] : [fieldNamed(expression.name)];
  }
  return partsOf(expression).flatMap(fieldsOf);
}

/** The geometries of a condition. */
export function geometriesOf(expression: Expression): readonly Extract<Expression, { kind: "geometry" }>[] {
  return expression.kind === "geometry" ? [expression] : partsOf(expression).flatMap(geometriesOf);
}

function partsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === "call") return expression.args;
  if (expression.kind === "array") return expression.items;
  if (expression.kind === "interval") return [expression.start, expression.end].filter((one) => one !== null);
  return [];
}

function fieldNamed(name: string): SceneField {
  const field = sceneField(name);
  if (field === null) throw refuseFilter(`there is no property "${name.slice(0, 100)}"; see queryables`);
  return field;
}

function typedSql(expression: Expression, scope: ConditionScope): TypedSql {
  switch (expression.kind) {
    case "property":
      return fieldNamed(expression.name);
    case "literal":
      return literalSql(expression.value);
    case "instant":
      return { sql: piece`${new Date(expression.ms)}::timestamptz`, type: "instant" };
    case "array":
      return { sql: piece`${expression.items.map(textOf)}::text[]`, type: "texts" };
    case "call":
      return callSql(expression.op, expression.args, scope);
    case "geometry":
    case "interval":
  }
  throw refuseFilter(`${expression.kind} has no place here`);
}

function literalSql(value: string | number | boolean | null): TypedSql {
  if (typeof value === "string") return { sql: piece`${value}::text`, type: "text" };
  if (typeof value === "number") return { sql: piece`${value}::double precision`, type: "number" };
  if (typeof value === "boolean") return { sql: piece`${value}::boolean`, type: "boolean" };
  return { sql: piece`null`, type: "null" };
}

function textOf(item: Expression): string {
  if (item.kind === "literal" && item.value !== null) return String(item.value);
  throw refuseFilter("the items of an array must be values");
}

const COMPARISONS: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);
const ARITHMETIC: ReadonlySet<string> = new Set(["+", "-", "*"]);
const ARRAY_OPERATORS: Readonly<Record<string, string>> = {
  a_contains: "@>",
  a_containedby: "<@",
  a_overlaps: "&&",
};
const MAX_PATTERN = 1000;

function truth(test: RawBuilder<unknown>): TypedSql {
  return { sql: test, type: "boolean" };
}

function number(value: RawBuilder<unknown>): TypedSql {
  return { sql: value, type: "number" };
}

/** A division by zero has no result: the condition does not hold. */
function quotient([left, right]: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return piece`(${left} / nullif(${right}, 0))`;
}

function callSql(op: string, args: readonly Expression[], scope: ConditionScope): TypedSql {
  if (op === "and" || op === "or") {
    if (args.length === 0) throw refuseFilter(`${op} needs conditions`);
    const tests = args.map((one) => conditionSql(one, scope));
    return truth(piece`(${piece.join(tests, op === "and" ? piece` and ` : piece` or `)})`);
  }
  if (op === "not") return truth(piece`(not ${conditionSql(only(op, args), scope)})`);
  if (op === "isnull") return truth(piece`(${typedSql(only(op, args), scope).sql} is null)`);
  if (COMPARISONS.has(op)) return truth(comparisonSql(op, args, scope));
  if (op === "between") {
    const [value, bounds] = args;
    // Clients of old drafts put both ends into a list.
    const isListed = args.length === 2 && value !== undefined && bounds?.kind === "array";
    const [tested, low, high] = three(op, isListed ? [value, ...bounds.items] : args);
    const tests = [comparisonSql(">=", [tested, low], scope), comparisonSql("<=", [tested, high], scope)];
    return truth(piece`(${piece.join(tests, piece` and `)})`);
  }
  if (op === "like") return truth(likeSql(args, scope));
  if (op === "in") return truth(inSql(args, scope));
  if (op === "casei") return { sql: piece`lower(${typed(only(op, args), "text", scope)})`, type: "text" };
  if (op === "s_intersects") return truth(intersectsSql(args, scope));
  if (Object.hasOwn(TEMPORAL, op)) return truth(momentsSql(op, two(op, args), (one) => typed(one, "instant", scope)));
  if (op === "a_equals" || Object.hasOwn(ARRAY_OPERATORS, op)) return truth(arraySql(op, args, scope));
  return arithmeticSql(op, args, scope);
}

function only(op: string, args: readonly Expression[]): Expression {
  if (args.length !== 1 || args[0] === undefined) throw refuseFilter(`${op} takes one argument, got ${args.length}`);
  return args[0];
}

function two(op: string, [left, right, ...rest]: readonly Expression[]): readonly [Expression, Expression] {
  if (left === undefined || right === undefined || rest.length > 0) throw refuseFilter(`${op} takes two arguments`);
  return [left, right];
}

function three(op: string, args: readonly Expression[]): readonly [Expression, Expression, Expression] {
  const [one, other, third] = args;
  if (one === undefined || other === undefined || third === undefined || args.length > 3) {
    throw refuseFilter(`${op} takes three arguments`);
  }
  return [one, other, third];
}

function typed(expression: Expression, type: FieldType, scope: ConditionScope): RawBuilder<unknown> {
  const value = typedSql(momentIn(expression, type), scope);
  if (value.type !== type) throw refuseFilter(`expected a value of type ${type}, got ${value.type}`);
  return value.sql;
}

/** Clients write moments as plain text too. */
function momentIn(expression: Expression, wanted: FieldType | "null"): Expression {
  const isText = expression.kind === "literal" && typeof expression.value === "string";
  if (!isText || wanted !== "instant") return expression;
  try {
    return timestampOf(expression.value);
  } catch (error) {
    if (error instanceof Cql2Error) throw refuseFilter(error.message);
    throw error;
  }
}

function comparisonSql(op: string, args: readonly Expression[], scope: ConditionScope): RawBuilder<unknown> {
  const [left, right] = two(op, args);
  const isMoment = [left, right].some((one) => one.kind === "property" && sceneField(one.name)?.type === "instant");
  const [a, b] = [left, right].map((one) => typedSql(isMoment ? momentIn(one, "instant") : one, scope)) as [
    TypedSql,
    TypedSql,
  ];
  if (a.type !== b.type || a.type === "texts" || a.type === "null") {
    throw refuseFilter(`${a.type} ${op} ${b.type} is no comparison`);
  }
  return piece`(${collated(a)} ${piece.raw(op)} ${b.sql})`;
}

/** Texts are ordered by code points, whatever the collation of the database. */
function collated({ sql: value, type }: TypedSql): RawBuilder<unknown> {
  return type === "text" ? piece`${value} collate "C"` : value;
}

function likeSql(args: readonly Expression[], scope: ConditionScope): RawBuilder<unknown> {
  const [value, pattern] = two("like", args);
  const literal = pattern.kind === "call" && pattern.op === "casei" ? pattern.args[0] : pattern;
  if (literal?.kind !== "literal" || typeof literal.value !== "string" || literal.value.length > MAX_PATTERN) {
    throw refuseFilter(`like takes a pattern of at most ${MAX_PATTERN} characters`);
  }
  // PostgreSQL refuses a pattern that ends within an escape.
  if (/(?<!\\)(?:\\\\)*\\$/.test(literal.value)) throw refuseFilter("a pattern must not end with a single backslash");
  return piece`(${typed(value, "text", scope)} like ${typed(pattern, "text", scope)})`;
}

function inSql(args: readonly Expression[], scope: ConditionScope): RawBuilder<unknown> {
  const [value, list] = two("in", args);
  if (list.kind !== "array" || list.items.length === 0) throw refuseFilter("in takes a list of values");
  return piece`(${piece.join(
    list.items.map((item) => comparisonSql("=", [value, item], scope)),
    piece` or `,
  )})`;
}

function intersectsSql(args: readonly Expression[], scope: ConditionScope): RawBuilder<unknown> {
  const pair = two("s_intersects", args);
  const geometry = pair.find(({ kind }) => kind === "geometry");
  const property = pair.find((one) => one.kind === "property" && one.name === "geometry");
  if (geometry === undefined || property === undefined) {
    throw refuseFilter("s_intersects compares the property geometry with a geometry");
  }
  return scope.meets(geometry);
}

function arraySql(op: string, args: readonly Expression[], scope: ConditionScope): RawBuilder<unknown> {
  const [left, right] = two(op, args).map((one) => typed(one, "texts", scope)) as [
    RawBuilder<unknown>,
    RawBuilder<unknown>,
  ];
  // Arrays are sets here: the standard compares neither order nor repetitions.
  if (op === "a_equals") return piece`(${left} @> ${right} and ${left} <@ ${right})`;
  return piece`(${left} ${piece.raw(ARRAY_OPERATORS[op] ?? "@>")} ${right})`;
}

function arithmeticSql(op: string, args: readonly Expression[], scope: ConditionScope): TypedSql {
  const operands = (): readonly RawBuilder<unknown>[] => two(op, args).map((one) => typed(one, "number", scope));
  if (ARITHMETIC.has(op)) return number(piece`(${piece.join([...operands()], piece` ${piece.raw(op)} `)})`);
  if (op === "/") return number(quotient(operands()));
  if (op === "div") return number(piece`trunc(${quotient(operands())})`);
  if (op === "%") {
    const [left, right] = operands();
    return number(piece`(${left} - ${right} * trunc(${left} / nullif(${right}, 0)))`);
  }
  throw refuseFilter(`there is no operator ${op.slice(0, 50)}`);
}
