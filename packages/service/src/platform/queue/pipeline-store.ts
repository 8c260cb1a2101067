import type { PipelineStatus } from "@swath/kernel/pipelines/pipeline-state";
import { sql } from "kysely";
import type { Caller, Db, PipelineProgress } from "../context.ts";
import { FINISHED_CHANNEL } from "./channels.ts";
import { mayMoveTo } from "./status-condition.ts";

/** Longest queue whose pipelines are counted. */
const MAX_POSITION = 1_000;

export interface PipelineRow {
  readonly lane: string;
  readonly status: PipelineStatus;
  readonly userId: string;
  readonly groupId: string;
  readonly progress: PipelineProgress | null;
  readonly modifiedAt: Date;
  /** By the database's clock, which also set `created_at`. */
  readonly ageSeconds: number;
  /** Place in the queue of the lane, 1 to 1,000; null unless it waits for a place. */
  readonly position: number | null;
}

/** Pipelines without their results, in the order of the ids; null for one that does not exist or has expired. */
export async function findPipelines(
  db: Db,
  ids: readonly string[],
  retentionDays: number,
): Promise<readonly (PipelineRow | null)[]> {
  const { rows } = await sql<PipelineRow & { readonly id: string }>`
    select id, lane, status, user_id as "userId", group_id as "groupId", progress, modified_at as "modifiedAt",
      extract(epoch from clock_timestamp() - created_at)::float8 as "ageSeconds",
      case when worker is null and status in ('NEW', 'PROCESSING') and claimable_at <= now() then (
        select least(count(*) + 1, ${MAX_POSITION}::int)::int from (
          select from pipelines q
          where q.lane = p.lane and q.status in ('NEW', 'PROCESSING') and q.worker is null
            and (q.turn, q.id) < (p.turn, p.id)
          limit ${MAX_POSITION}::int
        ) as earlier
      ) end as position
    from pipelines p
    where id = any(${ids}::text[])
      and (finished_at is null or finished_at > now() - make_interval(days => ${retentionDays}::int))
  `.execute(db);
  const found = new Map(rows.map(({ id, ...row }) => [id, row]));
  return ids.map((id) => found.get(id) ?? null);
}

export interface OutcomeRow {
  readonly kind: string;
  readonly status: PipelineStatus;
  readonly userId: string;
  readonly groupId: string;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** Whether the result was dropped for want of room. */
  readonly dropped: boolean;
  /** The result of a RESOLVED pipeline, the partial one of another; null unless caller and kind are those given. */
  readonly value: unknown;
}

/** Whether a result was dropped for want of room. */
const isDropped = sql<boolean>`(status = 'RESOLVED' and result is null)`;

/** How a pipeline ended, with its result for its owner and their group. */
export async function findOutcome(
  db: Db,
  { id, kind, caller }: { readonly id: string; readonly kind: string; readonly caller: Caller },
  retentionDays: number,
): Promise<OutcomeRow | null> {
  const { rows } = await sql<OutcomeRow>`
    select kind, status, user_id as "userId", group_id as "groupId", error_code as "errorCode",
      error_message as "errorMessage", ${isDropped} as dropped,
      case when kind = ${kind} and (user_id = ${caller.userId} or group_id = ${caller.groupId} and group_id <> '')
        then case when status = 'RESOLVED' then result else partial end
      end as value
    from pipelines
    where id = ${id} and (finished_at is null or finished_at > now() - make_interval(days => ${retentionDays}::int))
  `.execute(db);
  return rows[0] ?? null;
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
