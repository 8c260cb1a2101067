import type { RawBuilder } from "kysely";
import type { Expression } from "@swath/kernel/cql2/expression";
import { piece } from "./piece.ts";
import { refuseFilter } from "./refuse-filter.ts";

interface Moments {
  readonly from: RawBuilder<unknown>;
  readonly to: RawBuilder<unknown>;
}

type Relation = (a: Moments, b: Moments) => RawBuilder<unknown>;

/** Relations of moments and intervals, by Allen. @see OGC 21-065r2, "Temporal functions" */
export const TEMPORAL: Readonly<Record<string, Relation>> = {
  t_after: (a, b) => piece`(${a.from} > ${b.to})`,
  t_before: (a, b) => piece`(${a.to} < ${b.from})`,
  t_contains: (a, b) => piece`(${a.from} < ${b.from} and ${a.to} > ${b.to})`,
  t_disjoint: (a, b) => piece`(${a.to} < ${b.from} or ${a.from} > ${b.to})`,
  t_during: (a, b) => piece`(${a.from} > ${b.from} and ${a.to} < ${b.to})`,
  t_equals: (a, b) => piece`(${a.from} = ${b.from} and ${a.to} = ${b.to})`,
  t_finishedby: (a, b) => piece`(${a.from} < ${b.from} and ${a.to} = ${b.to})`,
  t_finishes: (a, b) => piece`(${a.from} > ${b.from} and ${a.to} = ${b.to})`,
  t_intersects: (a, b) => piece`(${a.from} <= ${b.to} and ${a.to} >= ${b.from})`,
  t_meets: (a, b) => piece`(${a.to} = ${b.from})`,
  t_metby: (a, b) => piece`(${a.from} = ${b.to})`,
  t_overlappedby: (a, b) => piece`(${a.from} > ${b.from} and ${a.from} < ${b.to} and ${a.to} > ${b.to})`,
  t_overlaps: (a, b) => piece`(${a.from} < ${b.from} and ${a.to} > ${b.from} and ${a.to} < ${b.to})`,
  t_startedby: (a, b) => piece`(${a.from} = ${b.from} and ${a.to} > ${b.to})`,
  t_starts: (a, b) => piece`(${a.from} = ${b.from} and ${a.to} < ${b.to})`,
};

/** The last millisecond of a day, after its start. */
const REST_OF_DAY_MS = 86_400_000 - 1;

/** A relation between two moments or intervals. @throws {ServiceError} BAD-REQUEST when one is neither */
export function momentsSql(
  op: string,
  [left, right]: readonly [Expression, Expression],
  instantSql: (expression: Expression) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const relation = TEMPORAL[op];
  if (relation === undefined) throw refuseFilter(`there is no function ${op}`);
  return relation(momentsOf(left, instantSql), momentsOf(right, instantSql));
}

function momentsOf(expression: Expression, instantSql: (one: Expression) => RawBuilder<unknown>): Moments {
  if (expression.kind === "interval") {
    const { start, end } = expression;
    return {
      from: start === null ? piece`'-infinity'::timestamptz` : instantSql(start),
      to: end === null ? piece`'infinity'::timestamptz` : momentsOf(end, instantSql).to,
    };
  }
  const from = instantSql(expression);
  if (expression.kind !== "instant" || !expression.dayLong) return { from, to: from };
  return { from, to: instantSql({ ...expression, ms: expression.ms + REST_OF_DAY_MS }) };
}
