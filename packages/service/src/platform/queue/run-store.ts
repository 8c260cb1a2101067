import { sql } from "kysely";
import type { Db, Trx } from "../context.ts";
import type { RunNotes } from "./accept-store.ts";
import { FINISHED_CHANNEL, WORK_CHANNEL } from "./channels.ts";
import { mayMoveTo } from "./status-condition.ts";

/** Identifies one run: writes of a run that has lost its pipeline touch nothing. */
export interface Run {
  readonly id: string;
  readonly attempt: number;
  readonly worker: string;
}

/** Stores those notes of a run that are not null; false when the run has lost its pipeline. */
export async function updateRun(db: Db, run: Run, { progress, partial }: RunNotes): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update pipelines set progress = coalesce(${progress}::json, progress),
      partial = coalesce(${partial}::json, partial), modified_at = now()
    where id = ${run.id} and attempt = ${run.attempt} and worker = ${run.worker} and status = 'PROCESSING'
  `.execute(db);
  return numAffectedRows === 1n;
}

/** A run that is over, and its latest progress as JSON; null leaves the progress as it is. */
interface OverRun {
  readonly run: Run;
  readonly progressJson: string | null;
}

/** A run that ends with a result. */
export interface ResolvedRun extends OverRun {
  readonly resultJson: string;
}

interface FailedRun extends OverRun {
  readonly code: string;
  readonly message: string;
}

interface ReleasedRun extends OverRun {
  readonly pauseMs: number;
  /** Whether it counts against the attempts of the pipeline. */
  readonly failed: boolean;
}

/** Marks the run's pipeline RESOLVED, holding its row until the transaction ends; false when the run has lost it. */
export async function resolveRun(trx: Trx, { run, resultJson, progressJson }: ResolvedRun): Promise<boolean> {
  const { rows } = await sql`
    with done as (
      update pipelines set status = 'RESOLVED', result = ${resultJson}::json, partial = null, worker = null,
        progress = coalesce(${progressJson}::json, progress), modified_at = now(), finished_at = now()
      where id = ${run.id} and attempt = ${run.attempt} and worker = ${run.worker} and ${mayMoveTo("RESOLVED")}
      returning id
    )
    select pg_notify(${FINISHED_CHANNEL}, id) from done
  `.execute(trx);
  return rows.length === 1;
}

/** Replaces the result of a pipeline that this transaction has marked RESOLVED. */
export async function replaceResult(trx: Trx, id: string, resultJson: string): Promise<void> {
  await sql`update pipelines set result = ${resultJson}::json where id = ${id}`.execute(trx);
}

/** Marks the pipelines of the runs RESOLVED, in one statement; for each whether the run still held its pipeline. */
export async function resolveRuns(db: Db, ends: readonly ResolvedRun[]): Promise<readonly boolean[]> {
  const { rows } = await sql<{ id: string }>`
    with given as (
      select g.id, g.attempt, g.worker, g.result, g.progress
      from unnest(
        ${ends.map(({ run }) => run.id)}::text[], ${ends.map(({ run }) => run.attempt)}::int[],
        ${ends.map(({ run }) => run.worker)}::text[], ${ends.map(({ resultJson }) => resultJson)}::text[],
        ${ends.map(({ progressJson }) => progressJson)}::text[]
      ) as g (id, attempt, worker, result, progress)
    ), held as materialized (
      select p.id, g.result, g.progress from pipelines p
      join given g on g.id = p.id and g.attempt = p.attempt and g.worker = p.worker
      where ${mayMoveTo("RESOLVED")}
      order by p.id
      for update of p
    ), done as (
      update pipelines p set status = 'RESOLVED', result = h.result::json, partial = null, worker = null,
        progress = coalesce(h.progress::json, p.progress), modified_at = now(), finished_at = now()
      from held h where h.id = p.id
      returning p.id
    )
    select id from (select id, pg_notify(${FINISHED_CHANNEL}, id) from done) as announced
  `.execute(db);
  const resolved = new Set(rows.map(({ id }) => id));
  return ends.map(({ run }) => resolved.has(run.id));
}

/** Marks the run's pipeline FAILED for good. */
export async function failRun(db: Db, { run, code, message, progressJson }: FailedRun): Promise<boolean> {
  const { rows } = await sql`
    with done as (
      update pipelines set status = 'FAILED', error_code = ${code}, error_message = ${message}, worker = null,
        progress = coalesce(${progressJson}::json, progress),
        failures = failures + 1, modified_at = now(), finished_at = now()
      where id = ${run.id} and attempt = ${run.attempt} and worker = ${run.worker} and ${mayMoveTo("FAILED")}
      returning id
    )
    select pg_notify(${FINISHED_CHANNEL}, id) from done
  `.execute(db);
  return rows.length === 1;
}

/** Gives the pipeline back, to be taken again after the pause; `failed` counts against its attempts. */
export async function releaseRun(db: Db, { run, pauseMs, failed, progressJson }: ReleasedRun): Promise<boolean> {
  const { rows } = await sql`
    with released as (
      update pipelines set worker = null, failures = failures + ${failed ? 1 : 0}::int,
        progress = coalesce(${progressJson}::json, progress),
        claimable_at = now() + ${pauseMs} * interval '1 millisecond', modified_at = now()
      where id = ${run.id} and attempt = ${run.attempt} and worker = ${run.worker} and status = 'PROCESSING'
      returning lane
    )
    select pg_notify(${WORK_CHANNEL}, lane) from released
  `.execute(db);
  return rows.length === 1;
}
