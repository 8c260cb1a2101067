import type { QueryNode } from "./ast.ts";
import { readCql2Query } from "./cql2-query.ts";
import { readMongoQuery } from "./mongo-query.ts";
import { isRecord, QueryReader } from "./query-reader.ts";

/**
 * A query in either language: CQL2-JSON when it has `op` and `args`, else Mongo-like. An empty object matches
 * everything.
 *
 * @param path JSON Pointer of the query in its document, such as "/query"
 * @throws {QueryError} when it is not understood or beyond a limit of `QUERY_LIMITS`
 */
export function parseQuery(query: unknown, path: string): QueryNode {
  const reader = new QueryReader();
  const isCql2 = isRecord(query) && "op" in query && "args" in query;
  return isCql2 ? readCql2Query(reader, query, path) : readMongoQuery(reader, query, path);
}
