import { isSpatial, type QueryNode } from "@swath/kernel/query/ast";
import { type RawBuilder, sql } from "kysely";
import { type AccessPath, accessSql } from "../packages/service/src/features/feature-store/access-path.ts";
import { findFeatures } from "../packages/service/src/features/feature-store/find-features.ts";
import { isCollection, querySql } from "../packages/service/src/features/feature-store/query-sql.ts";
import type { Db } from "../packages/service/src/platform/context.ts";
import { createFeatureTests } from "../packages/service/src/platform/geometry/feature-tests.ts";

const tests = createFeatureTests();

/** Candidates beyond which features are read in order: the limits of the service. */
const MAX_CANDIDATES = 20_000;
const MAX_CANDIDATES_BY_BOX = 10_000;

type Document = { [name: string]: unknown };

/** A document that `@>` finds: all equalities and array members of a conjunction at once. */
function contained(node: QueryNode): Document | null {
  const document: Document = {};
  for (const one of node.op === "and" ? node.of : [node]) {
    if ((one.op !== "eq" && one.op !== "contains") || one.field.kind !== "property" || isCollection(one.field))
      continue;
    let at = document;
    for (const name of one.field.path.slice(0, -1)) at = (at[name] ??= {}) as Document;
    at[one.field.path.at(-1) ?? ""] = one.op === "contains" ? [one.value] : one.value;
  }
  return Object.keys(document).length === 0 ? null : document;
}

function collectionOf(node: QueryNode): string | null {
  if (node.op === "and") return node.of.map(collectionOf).find((name) => name !== null) ?? null;
  return node.op === "eq" && isCollection(node.field) && typeof node.value === "string" ? node.value : null;
}

type KeySql = RawBuilder<{ feature_key: number }>;

async function counted(db: Db, keys: KeySql | null, limit: number): Promise<number> {
  if (keys === null) return Infinity;
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${keys} limit ${limit + 1}) as way
  `.execute(db);
  const count = rows[0]?.count ?? 0;
  return count > limit ? Infinity : count;
}

/**
 * Keys of the first page of a query, with a GIN index of the documents in place of the B-tree of values. Like the
 * service, it reads by the condition that matches the fewest features, else all features in order.
 */
export async function ginPage(
  db: Db,
  node: QueryNode,
  paths: readonly AccessPath[],
  limit: number,
): Promise<readonly number[]> {
  const document = contained(node);
  const boxes = paths.find(({ kind }) => kind === "boxes") ?? null;
  const byDocument: KeySql | null =
    document === null
      ? null
      : sql`select f.feature_key from features f where f.properties @> ${JSON.stringify(document)}::jsonb`;
  const documents = await counted(db, byDocument, MAX_CANDIDATES);
  const inBoxes = await counted(db, boxes === null ? null : accessSql(boxes), MAX_CANDIDATES_BY_BOX);
  const condition = querySql(node);
  const collection = collectionOf(node);
  if (byDocument !== null && documents < inBoxes) {
    const { rows } = await sql<{ feature_key: number }>`
      with candidates as materialized (${byDocument})
      select f.feature_key, f.feature_id, f.properties, f.geometry
      from features f
      where f.feature_key = any(array(select feature_key from candidates)) and case when ${condition} then true end
      order by f.feature_key
      limit ${limit}
    `.execute(db);
    return rows.map(({ feature_key }) => feature_key);
  }
  const keys: number[] = [];
  const plan = {
    node,
    selection: { query: node, collection, access: inBoxes === Infinity ? null : boxes },
    isExact: !isSpatial(node),
  };
  const options = { sort: [], after: null, wanted: limit, withGeometry: true };
  for await (const rows of findFeatures({ db, tests }, plan, options, new AbortController().signal)) {
    keys.push(...rows.map(({ feature_key }) => feature_key));
  }
  return keys;
}
