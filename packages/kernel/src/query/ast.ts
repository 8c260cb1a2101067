import type { Geometry } from "../geometry/geojson.ts";

export type JsonScalar = string | number | boolean | null;
export type JsonValue = JsonScalar | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** What a condition looks at. `property` names a member of `properties`, from the outside in; arrays are not entered. */
export type QueryField =
  | { readonly kind: "id" }
  | { readonly kind: "geometry" }
  | { readonly kind: "property"; readonly path: readonly string[] };

/**
 * A query over features. Two-valued: a condition on something that is missing or of another type is false, and its
 * negation therefore true. Numbers compare with numbers, text with text by code points.
 */
export type QueryNode =
  | { readonly op: "constant"; readonly value: boolean }
  | { readonly op: "and" | "or"; readonly of: readonly QueryNode[] }
  | { readonly op: "not"; readonly of: QueryNode }
  /** Equal as JSON: 1 and 1.0 are, the order of members does not matter. */
  | { readonly op: "eq"; readonly field: QueryField; readonly value: JsonValue }
  | { readonly op: "in"; readonly field: QueryField; readonly values: readonly JsonValue[] }
  | {
      readonly op: "compare";
      readonly order: "lt" | "le" | "gt" | "ge";
      readonly field: QueryField;
      readonly value: number | string;
    }
  /** There, even if null. */
  | { readonly op: "exists"; readonly field: QueryField }
  /** Null or not there. */
  | { readonly op: "isNull"; readonly field: QueryField }
  /** `%` any run of characters, `_` one character, `\` takes the next one literally. */
  | { readonly op: "like"; readonly field: QueryField; readonly pattern: string }
  | { readonly op: "prefix"; readonly field: QueryField; readonly prefix: string }
  /** An array with this member. */
  | { readonly op: "contains"; readonly field: QueryField; readonly value: JsonScalar }
  /** The feature's geometry stands in this relation to the given one. */
  | { readonly op: "spatial"; readonly relation: SpatialRelation; readonly geometry: Geometry }
  /** Geodesic distance on WGS84 at most so many metres. */
  | { readonly op: "dwithin"; readonly geometry: Geometry; readonly distanceM: number };

export type SpatialRelation = "intersects" | "within" | "contains";

const EVERYTHING: QueryNode = { op: "constant", value: true };

/** Conditions that must all hold; one of them by itself stays as it is. */
export function allOf(nodes: readonly QueryNode[]): QueryNode {
  const [first] = nodes;
  if (first === undefined) return EVERYTHING;
  return nodes.length === 1 ? first : { op: "and", of: nodes };
}

export function negated(node: QueryNode): QueryNode {
  return { op: "not", of: node };
}

/** A condition on the geometry. */
export type SpatialNode = QueryNode & { readonly op: "spatial" | "dwithin" };

/** All conditions on the geometry. */
export function spatialNodes(node: QueryNode): readonly SpatialNode[] {
  switch (node.op) {
    case "and":
    case "or":
      return node.of.flatMap(spatialNodes);
    case "not":
      return spatialNodes(node.of);
    case "spatial":
    case "dwithin":
      return [node];
    case "constant":
    case "eq":
    case "in":
    case "compare":
    case "exists":
    case "isNull":
    case "like":
    case "prefix":
    case "contains":
      break;
  }
  return [];
}

/** Whether a condition on the geometry occurs anywhere. */
export function isSpatial(node: QueryNode): boolean {
  return spatialNodes(node).length > 0;
}
