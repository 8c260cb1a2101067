import type { Expression } from "@swath/kernel/cql2/expression";
import { sceneField, type SceneField } from "../imagery/browse/scene-fields.ts";
import { badRequest } from "./bad-request.ts";

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: "=",
  neq: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
};
const MAX_CONDITIONS = 100;

/** The conditions of the query extension as a filter; null for none. @throws {ServiceError} BAD-REQUEST */
export function queryFilter(query: unknown): Expression | null {
  if (query === undefined) return null;
  const conditions = Object.entries(members(query)).flatMap(([name, operators]) => {
    const field = sceneField(name);
    if (field === null) throw badRequest("query", `must name queryables, got "${name.slice(0, 100)}"`);
    const property: Expression = { kind: "property", name };
    return Object.entries(members(operators)).map(([operator, value]) => condition(property, field, operator, value));
  });
  if (conditions.length > MAX_CONDITIONS) throw badRequest("query", `must have at most ${MAX_CONDITIONS} conditions`);
  return conditions.length === 0 ? null : { kind: "call", op: "and", args: conditions };
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw badRequest("query", "must be an object of objects, by property and operator");
}

function condition(property: Expression, field: SceneField, operator: string, value: unknown): Expression {
  const call = (op: string, other: Expression): Expression => ({ kind: "call", op, args: [property, other] });
  if (Object.hasOwn(COMPARISONS, operator)) return call(COMPARISONS[operator] ?? "=", literal(field, value));
  if (operator === "in") {
    const items = Array.isArray(value) ? value.map((one: unknown) => literal(field, one)) : [];
    if (items.length === 0) throw badRequest("query", "must have a list of values for in");
    return call(field.type === "texts" ? "a_overlaps" : "in", { kind: "array", items });
  }
  if (typeof value !== "string") throw badRequest("query", `must have a text for ${operator.slice(0, 50)}`);
  const text = value.replaceAll(/[%_\\]/g, "\\$&");
  const patterns: Readonly<Record<string, string>> = {
    startsWith: `${text}%`,
    endsWith: `%${text}`,
    contains: `%${text}%`,
  };
  const pattern = Object.hasOwn(patterns, operator) ? patterns[operator] : undefined;
  if (pattern === undefined) throw badRequest("query", `has no operator "${operator.slice(0, 50)}"`);
  return call("like", { kind: "literal", value: pattern });
}

/** Clients send numbers as text: the type of the property decides. */
function literal({ type }: SceneField, value: unknown): Expression {
  if (type === "number" && typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))) {
    return { kind: "literal", value: Number(value) };
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return { kind: "literal", value: type === "text" ? String(value) : value };
  }
  throw badRequest("query", "must compare with texts, numbers or booleans");
}
