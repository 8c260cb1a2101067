import { isSpatial, type QueryNode } from "@swath/kernel/query/ast";
import type { Db } from "../../platform/context.ts";
import type { FeatureTests } from "../../platform/geometry/feature-tests.ts";
import { type AccessPath, accessPaths, mergedRanges } from "./access-path.ts";
import type { PagePosition } from "./cursor.ts";
import { isCollection } from "./query-sql.ts";
import type { SortField } from "./sort-order.ts";
import { countAccess, readCandidates, readInOrder, readSorted, type Selection, type StoredRow } from "./store.ts";

/**
 * Candidates beyond which reading features in order finds a page as soon: a page of
 * a hundred among twenty thousand of a million is five thousand features away. A box takes longer to look up than a value, and less to test.
 */
const MAX_CANDIDATES = 20_000;
const MAX_CANDIDATES_BY_BOX = 10_000;
/** Rows of a first and of a later read. */
const FIRST_MARGIN = 50;
const MAX_BATCH = 4000;
const BATCH_GROWTH = 4;

/** How a query is answered. */
export interface QueryPlan {
  readonly selection: Selection;
  /** Whether the selection has no row that does not match. */
  readonly isExact: boolean;
  readonly node: QueryNode;
}

function collectionOf(node: QueryNode): string | null {
  if (node.op === "and") return node.of.map(collectionOf).find((name) => name !== null) ?? null;
  return node.op === "eq" && isCollection(node.field) && typeof node.value === "string" ? node.value : null;
}

/** Conditions that must all hold, nested ones included. */
function conjuncts(node: QueryNode): readonly QueryNode[] {
  return node.op === "and" ? node.of.flatMap(conjuncts) : [node];
}

async function bestAccess(db: Db, node: QueryNode): Promise<AccessPath | null> {
  const flat: QueryNode = { op: "and", of: conjuncts(node) };
  const paths = mergedRanges(accessPaths(flat));
  if (paths.length === 0) return null;
  const limits = paths.map(({ kind }) => (kind === "boxes" ? MAX_CANDIDATES_BY_BOX : MAX_CANDIDATES));
  const counts = await countAccess(
    db,
    paths.map((path, index) => ({ path, limit: (limits[index] ?? 0) + 1 })),
  );
  const usable = counts.map((count, index) => (count > (limits[index] ?? 0) ? Infinity : count));
  const least = Math.min(...usable);
  return least === Infinity ? null : (paths[usable.indexOf(least)] ?? null);
}

export async function planQuery(db: Db, node: QueryNode): Promise<QueryPlan> {
  return {
    node,
    selection: {
      query: node,
      collection: collectionOf(node),
      access: await bestAccess(db, node),
    },
    isExact: !isSpatial(node),
  };
}

export interface FoundRow extends StoredRow {
  /** As `feature_id`. */
  readonly id: string;
  readonly position: PagePosition;
}

export interface FindDeps {
  readonly db: Db;
  readonly tests: Pick<FeatureTests, "of">;
}

export interface FindOptions {
  readonly sort: readonly SortField[];
  readonly after: PagePosition | null;
  /** Rows wanted at most; null for all. */
  readonly wanted: number | null;
  readonly withGeometry: boolean;
}

/** The rows of a query in order, in batches; those that the selection lets through by mistake are left out. */
export async function* findFeatures(
  { db, tests }: FindDeps,
  plan: QueryPlan,
  options: FindOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly FoundRow[], void, void> {
  const tester = plan.isExact ? null : tests.of(plan.node);
  let wanted = options.wanted ?? Infinity;
  for await (const rows of rawBatches(db, plan, options, signal)) {
    const matching = tester === null ? rows : await tester(rows, wanted, signal);
    const found = matching.slice(0, wanted);
    if (found.length > 0) yield found;
    wanted -= found.length;
    if (wanted <= 0) return;
  }
}

async function* rawBatches(
  db: Db,
  { selection, isExact }: QueryPlan,
  { sort, after, wanted, withGeometry }: FindOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly FoundRow[], void, void> {
  const inOrder = sort.length === 0;
  const reads = { withGeometry: withGeometry || !isExact };
  let position = after;
  // Without a test every row is one that is wanted.
  let size = wanted === null ? MAX_BATCH : Math.min(MAX_BATCH, isExact ? wanted : wanted + FIRST_MARGIN);
  const { access } = selection;
  for (;;) {
    signal.throwIfAborted();
    const key = position?.key ?? 0;
    let rows: readonly FoundRow[];
    let end: boolean;
    if (!inOrder) {
      const batch = await readSorted(db, selection, { ...reads, sort, after: position, limit: size });
      rows = batch.map((row) => ({
        ...row,
        id: row.feature_id,
        position: { key: row.feature_key, values: row.sort_values ?? [] },
      }));
      end = batch.length < size;
    } else if (access !== null) {
      const batch = await readCandidates(
        db,
        { ...selection, access },
        { ...reads, after: key, candidates: MAX_BATCH, limit: size },
      );
      rows = batch.rows.map(positioned);
      end = batch.rows.length < size && batch.lastCandidate === null;
      if (batch.rows.length < size && batch.lastCandidate !== null) {
        if (rows.length > 0) yield rows;
        position = { key: batch.lastCandidate, values: [] };
        continue;
      }
    } else {
      const batch = await readInOrder(db, selection, { ...reads, after: key, limit: size });
      rows = batch.map(positioned);
      end = batch.length < size;
    }
    if (rows.length > 0) yield rows;
    if (end) return;
    position = rows.at(-1)?.position ?? position;
    size = Math.min(MAX_BATCH, size * BATCH_GROWTH);
  }
}

function positioned(row: StoredRow): FoundRow {
  return { ...row, id: row.feature_id, position: { key: row.feature_key, values: [] } };
}
