import type { JsonValue, QueryField, QueryNode } from "./ast.ts";
import { likeMatcher } from "./like-pattern.ts";
import { isWithinDistance } from "./spatial/distance.ts";
import { gridGeometry, type GridGeometry } from "./spatial/grid-geometry.ts";
import { intersects, containerOf, isWithin } from "./spatial/relations.ts";
import { compareCodePoints } from "./text-order.ts";

/** A feature as conditions look at it. */
export interface QueriedFeature {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Null without geometry. */
  readonly geometry: GridGeometry | null;
}

export type QueryPredicate = (feature: QueriedFeature) => boolean;

/** Equal as JSON. */
function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((one, index) => jsonEquals(one, b[index]));
  }
  const entries = Object.entries(a);
  if (entries.length !== Object.keys(b).length) return false;
  return entries.every(([name, one]) => Object.hasOwn(b, name) && jsonEquals(one, Reflect.get(b, name)));
}

/** A feature's value of a field; undefined when it has none. */
export function valueOf(feature: QueriedFeature, field: QueryField): unknown {
  if (field.kind === "id") return feature.id;
  if (field.kind === "geometry") return feature.geometry ?? undefined;
  let value: unknown = feature.properties;
  for (const segment of field.path) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, segment)) {
      return undefined;
    }
    value = Reflect.get(value, segment);
  }
  return value;
}

const HOLDS = {
  lt: (order: number) => order < 0,
  le: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  ge: (order: number) => order >= 0,
} as const;

/** The meaning of a query, in memory: what every other way to answer it must agree with. */
export function queryPredicate(node: QueryNode): QueryPredicate {
  switch (node.op) {
    case "constant":
      return () => node.value;
    case "and": {
      const parts = node.of.map(queryPredicate);
      return (feature) => parts.every((part) => part(feature));
    }
    case "or": {
      const parts = node.of.map(queryPredicate);
      return (feature) => parts.some((part) => part(feature));
    }
    case "not": {
      const part = queryPredicate(node.of);
      return (feature) => !part(feature);
    }
    case "eq":
      return (feature) => jsonEquals(valueOf(feature, node.field), node.value);
    case "in":
      return isOneOf(node.field, node.values);
    case "compare": {
      const holds = HOLDS[node.order];
      const { value: limit } = node;
      return (feature) => {
        const value = valueOf(feature, node.field);
        if (typeof limit === "number") return typeof value === "number" && holds(value - limit);
        return typeof value === "string" && holds(compareCodePoints(value, limit));
      };
    }
    case "exists":
      return (feature) => valueOf(feature, node.field) !== undefined;
    case "isNull":
      return (feature) => (valueOf(feature, node.field) ?? null) === null;
    case "like": {
      const matches = likeMatcher(node.pattern);
      return onText(node.field, matches);
    }
    case "prefix":
      return onText(node.field, (text) => text.startsWith(node.prefix));
    case "contains":
      return (feature) => {
        const value = valueOf(feature, node.field);
        return Array.isArray(value) && value.includes(node.value);
      };
    case "spatial":
    case "dwithin":
      break;
  }
  return spatialPredicate(node);
}

function isOneOf(field: QueryField, values: readonly JsonValue[]): QueryPredicate {
  const scalars = new Set<unknown>(values.filter((value) => typeof value !== "object" || value === null));
  const others = values.filter((value) => typeof value === "object" && value !== null);
  return (feature) => {
    const value = valueOf(feature, field);
    return scalars.has(value) || others.some((one) => jsonEquals(one, value));
  };
}

function onText(field: QueryField, holds: (text: string) => boolean): QueryPredicate {
  return (feature) => {
    const value = valueOf(feature, field);
    return typeof value === "string" && holds(value);
  };
}

function onGeometry(holds: (own: GridGeometry) => boolean): QueryPredicate {
  return ({ geometry }) => geometry !== null && holds(geometry);
}

function spatialPredicate(node: QueryNode & { readonly op: "spatial" | "dwithin" }): QueryPredicate {
  const given = gridGeometry(node.geometry);
  if (node.op === "dwithin") return onGeometry((own) => isWithinDistance(own, given, node.distanceM));
  switch (node.relation) {
    case "intersects":
      return onGeometry((own) => intersects(own, given));
    case "within": {
      const container = containerOf(given);
      return onGeometry((own) => isWithin(own, container));
    }
    case "contains":
      break;
  }
  return onGeometry((own) => isWithin(given, containerOf(own)));
}
