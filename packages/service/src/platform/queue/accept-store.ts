import { mayMove } from "@swath/kernel/pipelines/pipeline-state";
import { sql, type RawBuilder } from "kysely";
import type { Caller, Db } from "../context.ts";
import { WORK_CHANNEL } from "./channels.ts";
import { shareOf, type QueueLimits } from "./lane.ts";
import { storedCaller } from "./stored-caller.ts";

export interface NewPipeline {
  readonly id: string;
  readonly kind: string;
  readonly lane: string;
  readonly request: unknown;
  readonly caller: Caller;
  /** Share whose turn it takes; the caller's unless given. */
  readonly share?: string;
  readonly baseUrl: string;
}

/**
 * Inserts the pipeline with its turn; workers hear of it when the transaction commits. False when so many pipelines of
 * its share wait in the lane as may.
 *
 * A share that has waited for nothing begins at the turn that is due: it goes before the later turns of shares with
 * many pipelines, and never before turns that are due.
 */
export async function insertPipeline(
  db: Db,
  pipeline: NewPipeline,
  { tierWeights, waitingPerCaller }: QueueLimits,
): Promise<boolean> {
  const { caller, id, kind, lane } = pipeline;
  const stored = storedCaller(caller);
  const share = pipeline.share ?? shareOf(caller);
  const { rows } = await sql`
    with mine as (
      select count(*) filter (where worker is null) as waiting, max(turn) as latest
      from pipelines where lane = ${lane} and share = ${share} and status in ('NEW', 'PROCESSING')
    ), present as (
      select coalesce(
        (select turn from pipelines where lane = ${lane} and status = 'NEW' order by turn limit 1),
        (select turn from pipelines where lane = ${lane} and status = 'PROCESSING' order by turn desc limit 1),
        0
      ) as turn
    ), step as (
      select 1 / coalesce((
        select w.weight from credit_groups c
        join unnest(${[...tierWeights.keys()]}::text[], ${[...tierWeights.values()]}::float8[]) as w (tier, weight)
          on w.tier = c.tier
        where c.group_id = ${stored.accountingGroupId}
      ), 1) as turns
    ), pipeline as (
      insert into pipelines (id, kind, lane, share, turn, status, request, caller, user_id, group_id, base_url)
      select ${id}, ${kind}, ${lane}, ${share}, greatest(mine.latest + step.turns, present.turn), 'NEW',
        ${JSON.stringify(pipeline.request)}::json, ${JSON.stringify(stored)}::json, ${caller.userId}, ${caller.groupId},
        ${pipeline.baseUrl}
      from mine, present, step
      where mine.waiting < ${waitingPerCaller}
      returning lane
    )
    select pg_notify(${WORK_CHANNEL}, lane) from pipeline
  `.execute(db);
  return rows.length === 1;
}

/** How a run stands whose pipeline has no row yet. */
export type FirstRun =
  | { readonly status: "PROCESSING"; readonly worker: string; readonly leaseMs: number }
  | { readonly status: "RESOLVED"; readonly result: string }
  | { readonly status: "FAILED"; readonly code: string; readonly message: string }
  /** Given back: another run follows after the pause. */
  | { readonly status: "PROCESSING"; readonly worker: null; readonly pauseMs: number; readonly failed: boolean };

/** Progress and partial result of a run, as JSON. */
export interface RunNotes {
  readonly progress: string | null;
  readonly partial: string | null;
}

/** A pipeline without a row, and how its first run stands. */
export interface StartedRun {
  readonly pipeline: NewPipeline;
  readonly requestJson: string;
  readonly run: FirstRun;
  readonly notes: RunNotes;
}

/**
 * Inserts pipelines whose first runs have begun, or have ended already: nobody knows the ids, so nobody is notified.
 *
 * @returns the times of the changes in the order of the pipelines, by the clock of the database
 */
export async function insertFirstRuns(db: Db, runs: readonly StartedRun[]): Promise<readonly Date[]> {
  const { rows } = await sql<{ id: string; modifiedAt: Date; notified: string | null }>`
    with pipeline as (
      insert into pipelines (
        id, kind, lane, share, status, request, caller, user_id, group_id, base_url, attempt, failures, worker,
        claimable_at, progress, partial, result, error_code, error_message, finished_at
      ) values ${sql.join(runs.map(rowOf))}
      returning id, lane, worker, finished_at, modified_at
    )
    select id, modified_at as "modifiedAt",
      case when worker is null and finished_at is null then pg_notify(${WORK_CHANNEL}, lane)::text end as notified
    from pipeline
  `.execute(db);
  const modifiedAt = new Map(rows.map((row) => [row.id, row.modifiedAt]));
  return runs.map(({ pipeline: { id } }) => {
    const at = modifiedAt.get(id);
    if (at === undefined) throw new Error(`pipeline ${id} was not inserted`);
    return at;
  });
}

function rowOf({ pipeline, requestJson, run, notes }: StartedRun): RawBuilder<unknown> {
  if (!mayMove("NEW", "PROCESSING") || !mayMove("PROCESSING", run.status)) {
    throw new TypeError(`a pipeline that runs cannot become ${run.status}`);
  }
  const { caller, id, kind, lane } = pipeline;
  const isOver = run.status !== "PROCESSING";
  const isGivenBack = run.status === "PROCESSING" && run.worker === null;
  const delayMs = run.status !== "PROCESSING" ? 0 : run.worker === null ? run.pauseMs : run.leaseMs;
  return sql`(
    ${id}, ${kind}, ${lane}, ${pipeline.share ?? shareOf(caller)}, ${run.status}, ${requestJson}::json,
    ${JSON.stringify(storedCaller(caller))}::json, ${caller.userId}, ${caller.groupId}, ${pipeline.baseUrl}, 1,
    ${run.status === "FAILED" || (isGivenBack && run.failed) ? 1 : 0}::int,
    ${run.status === "PROCESSING" ? run.worker : null}::text, now() + ${delayMs} * interval '1 millisecond',
    ${notes.progress}::json, ${run.status === "RESOLVED" ? null : notes.partial}::json,
    ${run.status === "RESOLVED" ? run.result : null}::json, ${run.status === "FAILED" ? run.code : null}::text,
    ${run.status === "FAILED" ? run.message : null}::text, case when ${isOver}::bool then now() end
  )`;
}
