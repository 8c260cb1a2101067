import { compileCondition, type PropertyValue } from "@swath/kernel/cql2/evaluate";
import { Cql2Error, type Expression } from "@swath/kernel/cql2/expression";
import { readCql2Json } from "@swath/kernel/cql2/read-json";
import type { OrderPriority } from "@swath/kernel/tasking/order-priority";
import type { Product } from "./product.ts";
import { CLOUD_COVER, opportunityTypes, PRIORITY } from "./queryables.ts";
import { badRequest } from "./stapi-error.ts";

/** A filter of opportunities. */
export interface OpportunityFilter {
  /** 0..1; null: the usual limit. */
  readonly maxCloudCover: number | null;
  readonly priority: OrderPriority;
  /** Whether an opportunity with these properties meets the filter. */
  readonly holds: (properties: Readonly<Record<string, PropertyValue | undefined>>) => boolean;
}

/**
 * Reads a filter of a product. The limit of clouds and the priority decide the study; all else is compared with its
 * opportunities.
 *
 * @throws {ServiceError} BAD-REQUEST
 */
export function readFilter(product: Product, filter: unknown): OpportunityFilter {
  const [usual] = product.priorities;
  if (isEmpty(filter)) return { maxCloudCover: null, priority: usual, holds: () => true };
  try {
    const expression = readCql2Json(filter);
    if (partsIn(expression) > MAX_PARTS) throw new Cql2Error(`a filter has at most ${MAX_PARTS} parts`);
    const parts = conjuncts(expression);
    const limits = parts.flatMap((part) => cloudLimit(product, part) ?? []);
    const conditions = parts
      .filter((part) => cloudLimit(product, part) === null)
      .map((part) => compileCondition(withoutClouds(part), opportunityTypes(product)));
    return {
      maxCloudCover: limits.length === 0 ? null : Math.min(...limits) / 100,
      priority: parts.map((part) => priorityOf(product, part)).find((one) => one !== null) ?? usual,
      holds: (properties) => conditions.every((condition) => condition(properties) === true),
    };
  } catch (error) {
    if (error instanceof Cql2Error) throw badRequest("/filter", `is not readable: ${error.message}`);
    throw error;
  }
}

/** Each of 200 opportunities is compared with each part. */
const MAX_PARTS = 200;

function partsIn(expression: Expression): number {
  if (expression.kind === "call") return expression.args.reduce((sum, one) => sum + partsIn(one), 1);
  return expression.kind === "array" ? expression.items.length : 1;
}

/** Clients send null or an empty object for no filter. */
function isEmpty(filter: unknown): boolean {
  if (filter === undefined || filter === null) return true;
  return typeof filter === "object" && !Array.isArray(filter) && Object.keys(filter).length === 0;
}

function conjuncts(expression: Expression): readonly Expression[] {
  if (expression.kind !== "call" || expression.op !== "and" || expression.args.length === 0) return [expression];
  return expression.args.flatMap(conjuncts);
}

/** The property and the value of a comparison, whichever way round. */
function comparison(part: Expression, name: string, op: string, mirrored: string): string | number | boolean | null {
  if (part.kind !== "call" || part.args.length !== 2) return null;
  const [left, right] = part.args;
  const [property, literal] = part.op === mirrored && left?.kind === "literal" ? [right, left] : [left, right];
  const isAsked = part.op === (literal === left ? mirrored : op) && property?.kind === "property";
  return isAsked && property.name === name && literal?.kind === "literal" ? literal.value : null;
}

/** The upper limit of clouds of a condition, per cent; null for other conditions. */
function cloudLimit(product: Product, part: Expression): number | null {
  const limit = comparison(part, CLOUD_COVER, "<=", ">=") ?? comparison(part, CLOUD_COVER, "<", ">");
  if (limit === null) return null;
  if (product.dataset.type !== "optical") throw new Cql2Error(`there is no property "${CLOUD_COVER}"; see queryables`);
  if (typeof limit === "number" && limit >= 0 && limit <= 100) return limit;
  throw new Cql2Error(`${CLOUD_COVER} is ${String(limit).slice(0, 40)}, expected 0 to 100`);
}

function withoutClouds(part: Expression): Expression {
  if (namesClouds(part)) {
    throw new Cql2Error(`${CLOUD_COVER} takes an upper limit that is joined to other conditions by "and"`);
  }
  return part;
}

function namesClouds(part: Expression): boolean {
  if (part.kind === "property") return part.name === CLOUD_COVER;
  if (part.kind === "call") return part.args.some(namesClouds);
  return part.kind === "array" && part.items.some(namesClouds);
}

/** The priority that a condition demands; null for other conditions. */
function priorityOf({ priorities }: Product, part: Expression): OrderPriority | null {
  const value = comparison(part, PRIORITY, "=", "=");
  if (value === null) return null;
  const priority = priorities.find((one) => one === value);
  if (priority !== undefined) return priority;
  throw new Cql2Error(`${PRIORITY} is ${String(value).slice(0, 40)}, expected one of ${priorities.join(", ")}`);
}
