import { statusesBefore, type PipelineStatus } from "@swath/kernel/pipelines/pipeline-state";
import { sql, type RawBuilder } from "kysely";
import type { Caller, Db, PipelineProgress, Trx } from "../context.ts";

/** Channel of new work; the payload is the kind. */
export const WORK_CHANNEL = "swath_work";
/** Channel of pipelines that reached a terminal status; the payload is the id. */
export const FINISHED_CHANNEL = "swath_finished";

/** The condition under which a pipeline moves to a status. Literals: the index of waiting pipelines names them. */
function mayMoveTo(to: PipelineStatus): RawBuilder<boolean> {
  return sql`status in (${sql.join(statusesBefore(to).map((from) => sql.lit(from)))})`;
}

/** A caller without methods and sets, as stored. */
interface StoredCaller {
  readonly kind: Caller["kind"];
  readonly userId: string;
  readonly groupId: string;
  readonly organizationId: string | null;
  readonly accountingGroupId: string;
  readonly email: string;
  readonly permissions: readonly string[];
}

export interface NewPipeline {
  readonly id: string;
  readonly kind: string;
  readonly request: unknown;
  readonly caller: Caller;
  readonly baseUrl: string;
}

/** Inserts the pipeline; workers hear of it when the transaction commits. */
export async function insertPipeline(trx: Trx, pipeline: NewPipeline): Promise<void> {
  const { caller } = pipeline;
  const stored: StoredCaller = {
    kind: caller.kind,
    userId: caller.userId,
    groupId: caller.groupId,
    organizationId: caller.organizationId ?? null,
    accountingGroupId: caller.accountingGroupId ?? caller.groupId,
    email: caller.email,
    permissions: [...caller.permissions],
  };
  await sql`
    with pipeline as (
      insert into pipelines (id, kind, status, request, caller, user_id, group_id, base_url)
      values (
        ${pipeline.id}, ${pipeline.kind}, 'NEW', ${JSON.stringify(pipeline.request)}, ${JSON.stringify(stored)},
        ${caller.userId}, ${caller.groupId}, ${pipeline.baseUrl}
      )
      returning kind
    )
    select pg_notify(${WORK_CHANNEL}, kind) from pipeline
  `.execute(trx);
}

export interface PipelineRow {
  readonly kind: string;
  readonly status: PipelineStatus;
  readonly userId: string;
  readonly groupId: string;
  readonly progress: PipelineProgress | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly modifiedAt: Date;
  /** By the database's clock, which also set `created_at`. */
  readonly ageSeconds: number;
}

/** What callers may learn of a pipeline, without its result; null when there is none or it has expired. */
export async function findPipeline(db: Db, id: string, retentionDays: number): Promise<PipelineRow | null> {
  const { rows } = await sql<PipelineRow>`
    select kind, status, user_id as "userId", group_id as "groupId", progress, error_code as "errorCode",
      error_message as "errorMessage", modified_at as "modifiedAt",
      extract(epoch from clock_timestamp() - created_at)::float8 as "ageSeconds"
    from pipelines
    where id = ${id} and (finished_at is null or finished_at > now() - make_interval(days => ${retentionDays}))
  `.execute(db);
  return rows[0] ?? null;
}

/** The stored result, or the partial one. */
export async function findResult(db: Db, id: string, which: "result" | "partial"): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`
    select ${sql.ref(which)} as value from pipelines where id = ${id}
  `.execute(db);
  return rows[0]?.value ?? null;
}

/** A pipeline that a worker has taken. */
export interface ClaimedPipeline {
  readonly id: string;
  readonly kind: string;
  readonly request: unknown;
  readonly caller: Caller;
  readonly baseUrl: string;
  readonly attempt: number;
  /** Earlier runs that failed unexpectedly or lost their worker. */
  readonly failures: number;
}

/**
 * Takes the pipeline that has waited longest, of the kinds given: new ones, retries that are due and those whose
 * worker has let the lease end. A row that still names a worker lost it by a crash, which counts as a failure.
 */
export async function claimPipeline(
  db: Db,
  worker: string,
  kinds: readonly string[],
  leaseMs: number,
): Promise<ClaimedPipeline | null> {
  const { rows } = await sql<Omit<ClaimedPipeline, "caller"> & { readonly caller: StoredCaller }>`
    update pipelines set
      status = 'PROCESSING', attempt = attempt + 1, failures = failures + (worker is not null)::int,
      worker = ${worker}, claimable_at = now() + ${leaseMs} * interval '1 millisecond', modified_at = now()
    where id = (
      select id from pipelines
      where ${mayMoveTo("PROCESSING")} and claimable_at <= now() and kind = any(${[...kinds]}::text[])
      order by claimable_at, id
      limit 1
      for update skip locked
    )
    returning id, kind, request, caller, base_url as "baseUrl", attempt, failures
  `.execute(db);
  const row = rows[0];
  if (row === undefined) return null;
  return { ...row, caller: { ...row.caller, permissions: new Set(row.caller.permissions) } };
}

/** Identifies one run: writes of a run that has lost its pipeline touch nothing. */
export interface Run {
  readonly id: string;
  readonly attempt: number;
  readonly worker: string;
}

/** Prolongs the leases of the worker's runs and returns the ids it still holds. */
export async function extendLeases(db: Db, worker: string, ids: readonly string[], leaseMs: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update pipelines set claimable_at = now() + ${leaseMs} * interval '1 millisecond'
    where id = any(${[...ids]}::text[]) and worker = ${worker} and status = 'PROCESSING'
    returning id
  `.execute(db);
  return rows.map((row) => row.id);
}

/** Stores progress or a partial result; false when the run has lost its pipeline. */
export async function updateRun(db: Db, run: Run, column: "progress" | "partial", json: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update pipelines set ${sql.ref(column)} = ${json}, modified_at = now()
    where id = ${run.id} and attempt = ${run.attempt} and worker = ${run.worker} and status = 'PROCESSING'
  `.execute(db);
  return numAffectedRows === 1n;
}

/** Marks the run's pipeline RESOLVED, holding its row until the transaction ends; false when the run has lost it. */
export async function resolveRun(trx: Trx, run: Run, resultJson: string): Promise<boolean> {
  const { rows } = await sql`
    with done as (
      update pipelines set status = 'RESOLVED', result = ${resultJson}, partial = null, worker = null,
        modified_at = now(), finished_at = now()
      where id = ${run.id} and attempt = ${run.attempt} and worker = ${run.worker} and ${mayMoveTo("RESOLVED")}
      returning id
    )
    select pg_notify(${FINISHED_CHANNEL}, id) from done
  `.execute(trx);
  return rows.length === 1;
}

/** Marks the run's pipeline FAILED for good. */
export async function failRun(db: Db, run: Run, code: string, message: string): Promise<boolean> {
  const { rows } = await sql`
    with done as (
      update pipelines set status = 'FAILED', error_code = ${code}, error_message = ${message}, worker = null,
        failures = failures + 1, modified_at = now(), finished_at = now()
      where id = ${run.id} and attempt = ${run.attempt} and worker = ${run.worker} and ${mayMoveTo("FAILED")}
      returning id
    )
    select pg_notify(${FINISHED_CHANNEL}, id) from done
  `.execute(db);
  return rows.length === 1;
}

/** Gives the pipeline back, to be taken again after the pause; `failed` counts against its attempts. */
export async function releaseRun(db: Db, run: Run, pauseMs: number, failed: boolean): Promise<boolean> {
  const { rows } = await sql`
    with released as (
      update pipelines set worker = null, failures = failures + ${failed ? 1 : 0}::int,
        claimable_at = now() + ${pauseMs} * interval '1 millisecond', modified_at = now()
      where id = ${run.id} and attempt = ${run.attempt} and worker = ${run.worker} and status = 'PROCESSING'
      returning kind
    )
    select pg_notify(${WORK_CHANNEL}, kind) from released
  `.execute(db);
  return rows.length === 1;
}

/**
 * Ends the leases of all workers. Only for a service that knows to be the only one on its database: what its
 * killed predecessor ran is taken up at once instead of after the lease.
 */
export async function endAllLeases(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    update pipelines set claimable_at = now() where status = 'PROCESSING' and claimable_at > now() and worker is not null
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Cancels a pipeline that has not finished; its status now, or null when there is none. */
export async function cancelPipeline(db: Db, id: string): Promise<PipelineStatus | null> {
  const { rows } = await sql<{ status: PipelineStatus }>`
    with cancelled as (
      update pipelines set status = 'CANCELLED', worker = null, modified_at = now(), finished_at = now()
      where id = ${id} and ${mayMoveTo("CANCELLED")}
      returning id, status
    ), told as (
      select pg_notify(${FINISHED_CHANNEL}, id) from cancelled
    )
    select status from cancelled, told
    union all
    select status from pipelines where id = ${id} and not exists (select from cancelled)
  `.execute(db);
  return rows[0]?.status ?? null;
}

/** Forgets at most `limit` pipelines that finished longer ago than results are kept; the number forgotten. */
export async function deleteExpired(db: Db, retentionDays: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from pipelines where id in (
      select id from pipelines where finished_at < now() - make_interval(days => ${retentionDays})
      order by finished_at limit ${limit} for update skip locked
    )
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
