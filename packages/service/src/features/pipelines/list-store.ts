import type { PipelineStatus } from "@swath/kernel/pipelines/pipeline-state";
import { sql } from "kysely";
import type { Db, PipelineProgress } from "../../platform/context.ts";

/** The pipeline after which a page begins. */
export interface PipelinePlace {
  /** Microseconds since 1970, the precision of the database. */
  readonly createdMicros: string;
  readonly id: string;
}

export interface ListedRow {
  readonly id: string;
  readonly kind: string;
  readonly lane: string;
  readonly status: PipelineStatus;
  readonly progress: PipelineProgress | null;
  readonly attempt: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly hasResult: boolean;
  readonly hasPart: boolean;
  readonly createdAt: Date;
  readonly createdMicros: string;
  readonly modifiedAt: Date;
  readonly finishedAt: Date | null;
  readonly ageSeconds: number;
}

/**
 * The newest pipelines of a user. The index gives at most `limit` of each lane and status, so the work does not grow
 * with the number of pipelines.
 */
export async function selectPipelines(
  db: Db,
  filter: {
    readonly userId: string;
    readonly lanes: readonly string[];
    readonly statuses: readonly PipelineStatus[];
    readonly after: PipelinePlace | null;
    readonly retentionDays: number;
    readonly limit: number;
  },
): Promise<ListedRow[]> {
  const { userId, lanes, statuses, after, retentionDays, limit } = filter;
  const { rows } = await sql<ListedRow>`
    select p.id, p.kind, p.lane, p.status, p.progress, p.attempt,
      p.error_code as "errorCode", p.error_message as "errorMessage",
      p.result is not null as "hasResult", p.partial is not null as "hasPart",
      p.created_at as "createdAt", (extract(epoch from p.created_at) * 1000000)::bigint::text as "createdMicros",
      p.modified_at as "modifiedAt", p.finished_at as "finishedAt",
      extract(epoch from clock_timestamp() - p.created_at)::float8 as "ageSeconds"
    from unnest(${[...lanes]}::text[]) l (lane)
    cross join unnest(${[...statuses]}::text[]) s (status)
    cross join lateral (
      select * from pipelines
      where user_id = ${userId} and lane in ('quick', 'heavy') and lane = l.lane and status = s.status
        and (finished_at is null or finished_at > now() - make_interval(days => ${retentionDays}::int))
        and (created_at, id) < (
          coalesce(timestamptz 'epoch' + ${after?.createdMicros ?? null}::bigint * interval '1 microsecond', 'infinity'),
          ${after?.id ?? ""}::text collate "C"
        )
      order by created_at desc, id desc limit ${limit}
    ) p
    order by p.created_at desc, p.id desc limit ${limit}`.execute(db);
  return rows;
}
