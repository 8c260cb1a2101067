import type { PipelineStatus } from "@swath/kernel/pipelines/pipeline-state";
import { sql } from "kysely";
import type { Caller, Db } from "../../platform/context.ts";

/** Lane of searches, and the name of their pipelines. */
export const SEARCH_LANE = "opportunities";
export const SEARCH_KIND = "/stapi/opportunities";

/** The request that a search keeps. */
export interface KeptRequest {
  readonly productId: string;
  readonly datetime: string;
  readonly geometry: unknown;
  readonly filter?: unknown;
}

/** A search as it is listed. */
export interface SearchRow {
  readonly id: string;
  readonly request: KeptRequest;
  readonly status: PipelineStatus;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly createdAt: Date;
  /** Microseconds since 1970, the precision of the database. */
  readonly createdMicros: string;
  readonly modifiedAt: Date;
  readonly finishedAt: Date | null;
}

/** The search after which a page begins. */
export type SearchPlace = Pick<SearchRow, "createdMicros" | "id">;

const COLUMNS = sql`
  id, request, status, error_code as "errorCode", error_message as "errorMessage", created_at as "createdAt",
  (extract(epoch from created_at) * 1000000)::bigint::text as "createdMicros", modified_at as "modifiedAt",
  finished_at as "finishedAt"`;

/** A search of the caller or its group; null where there is none, or not any more. */
export async function readSearch(
  db: Db,
  searchId: string,
  { userId, groupId }: Pick<Caller, "groupId" | "userId">,
  retentionDays: number,
): Promise<SearchRow | null> {
  const { rows } = await sql<SearchRow>`
    select ${COLUMNS} from pipelines
    where id = ${searchId} and kind = ${SEARCH_KIND}
      and (user_id = ${userId} or group_id = ${groupId} and group_id <> '')
      and (finished_at is null or finished_at > now() - make_interval(days => ${retentionDays}::int))`.execute(db);
  return rows[0] ?? null;
}

/** A page of the searches of a user, newest first. */
export async function selectSearches(
  db: Db,
  userId: string,
  page: { readonly after: SearchPlace | null; readonly retentionDays: number; readonly limit: number },
): Promise<readonly SearchRow[]> {
  const { after, limit, retentionDays } = page;
  const { rows } = await sql<SearchRow>`
    select ${COLUMNS} from pipelines
    where user_id = ${userId} and lane = 'opportunities' and kind = ${SEARCH_KIND}
      and (finished_at is null or finished_at > now() - make_interval(days => ${retentionDays}::int))
      and (created_at, id) < (
        coalesce(timestamptz 'epoch' + ${after?.createdMicros ?? null}::bigint * interval '1 microsecond', 'infinity'),
        ${after?.id ?? ""}::text collate "C"
      )
    order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}
