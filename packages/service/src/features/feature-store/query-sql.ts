import type { QueryField, QueryNode } from "@swath/kernel/query/ast";
import { type RawBuilder, sql } from "kysely";
import { boxesSql, searchedBoxes } from "./searched-boxes.ts";

export type Condition = RawBuilder<unknown>;

const TRUE: Condition = sql`true`;

/** The collection of the features, which is a column, too. */
export function isCollection(field: QueryField): boolean {
  return field.kind === "property" && field.path.length === 1 && field.path[0] === "collection";
}

/** A field as jsonb; null where it is missing. Names are entered in objects only: an array answers no name. */
export function fieldSql(field: QueryField): Condition {
  if (field.kind === "id") return sql`to_jsonb(f.feature_id)`;
  if (field.kind === "geometry") return sql`f.geometry::jsonb`;
  if (isCollection(field)) return sql`to_jsonb(f.collection)`;
  return field.path.reduce<Condition>((value, name) => sql`${value} -> ${name}::text`, sql`f.properties`);
}

/** A field as text; of no use unless it is a text. */
export function fieldText(field: QueryField): Condition {
  if (field.kind !== "property") return sql`f.feature_id`;
  const last = field.path.at(-1) ?? "";
  const parent = fieldSql({ kind: "property", path: field.path.slice(0, -1) });
  return sql`(${parent} ->> ${last}::text) collate "C"`;
}

const OPERATOR = { lt: sql`<`, le: sql`<=`, gt: sql`>`, ge: sql`>=` } as const;

function joined(conditions: readonly Condition[], word: "and" | "or"): Condition {
  if (conditions.length === 0) return word === "and" ? TRUE : sql`false`;
  return sql`(${sql.join([...conditions], word === "and" ? sql` and ` : sql` or `)})`;
}

function onText(field: QueryField, holds: Condition): Condition {
  return sql`(jsonb_typeof(${fieldSql(field)}) = 'string' and ${holds})`;
}

function compiled(node: QueryNode, holding: boolean): Condition {
  switch (node.op) {
    case "constant":
      return node.value ? TRUE : sql`false`;
    case "and":
    case "or":
      return joined(
        node.of.map((one) => compiled(one, holding)),
        node.op,
      );
    case "not":
      // Missing values make null, of which the opposite holds.
      return sql`(${compiled(node.of, !holding)} is not true)`;
    case "eq":
      if (isCollection(node.field) && typeof node.value === "string") return sql`f.collection = ${node.value}`;
      return sql`(${fieldSql(node.field)} = ${JSON.stringify(node.value)}::jsonb)`;
    case "in":
      if (isCollection(node.field)) {
        return sql`f.collection = any(${node.values.filter((value) => typeof value === "string")}::text[])`;
      }
      return sql`(${fieldSql(node.field)} = any(${node.values.map((value) => JSON.stringify(value))}::jsonb[]))`;
    case "compare":
      if (typeof node.value === "string") {
        return onText(node.field, sql`${fieldText(node.field)} ${OPERATOR[node.order]} ${node.value}`);
      }
      return sql`(jsonb_typeof(${fieldSql(node.field)}) = 'number' and ${fieldSql(node.field)} ${OPERATOR[node.order]} ${JSON.stringify(node.value)}::jsonb)`;
    case "exists":
      return sql`(${node.field.kind === "geometry" ? sql`f.geometry` : fieldSql(node.field)} is not null)`;
    case "isNull":
      if (node.field.kind === "geometry") return sql`(f.geometry is null)`;
      return sql`(coalesce(${fieldSql(node.field)}, 'null') = 'null')`;
    case "like":
      return onText(node.field, sql`${fieldText(node.field)} like ${node.pattern}`);
    case "prefix":
      return onText(node.field, sql`starts_with(${fieldText(node.field)}, ${node.prefix})`);
    case "contains": {
      const value = fieldSql(node.field);
      return sql`(jsonb_typeof(${value}) = 'array' and ${value} @> ${JSON.stringify([node.value])}::jsonb)`;
    }
    case "spatial":
    case "dwithin":
      break;
  }
  // What only the exact test can tell is left open on the side that keeps the feature.
  return holding ? boxesSql(searchedBoxes(node)) : sql`false`;
}

/**
 * The condition of a query as SQL over the row `f` of features, every literal a parameter. Exactly the query's meaning
 * without conditions on the geometry; with them it holds for every feature that matches and for some that do not.
 */
export function querySql(node: QueryNode): Condition {
  return compiled(node, true);
}
