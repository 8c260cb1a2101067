import { sql } from "kysely";
import type { StatisticsResult } from "@swath/contract/features/maps/statistics-contract";
import type { Db, Trx } from "../../platform/context.ts";
import { COLUMNS, type MonitorRow } from "./monitor-store.ts";
import type { ClaimedScene, SceneKey } from "./scene-store.ts";

/** Scenes whose pipelines have ended. */
export async function findEnded(db: Db, limit: number): Promise<readonly SceneKey[]> {
  const { rows } = await sql<SceneKey>`
    select s.monitor_id as "monitorId", s.scene_id as "sceneId"
    from monitor_scenes s left join pipelines p on p.id = s.pipeline_id
    where s.status = 'RUNNING' and (p.id is null or p.status in ('RESOLVED', 'FAILED', 'CANCELLED'))
    order by s.serial limit ${limit}`.execute(db);
  return rows;
}

export interface EndedRow extends ClaimedScene {
  readonly pipelineId: string;
  readonly month: string;
  readonly reservedMicro: number;
  /** Null: the pipeline is forgotten. */
  readonly pipelineStatus: "CANCELLED" | "FAILED" | "RESOLVED" | null;
  /** Null when it failed, and when it was dropped for want of room. */
  readonly result: StatisticsResult | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/** Locks monitor and scene: results of a monitor are compared one after the other. Null when another has settled it. */
export async function lockEnded(
  trx: Trx,
  { monitorId, sceneId }: SceneKey,
): Promise<{ readonly monitor: MonitorRow; readonly ended: EndedRow } | null> {
  const { rows: monitors } = await sql<MonitorRow>`
    select ${COLUMNS} from monitors m where m.id = ${monitorId} for no key update`.execute(trx);
  const { rows } = await sql<EndedRow>`
    select s.monitor_id as "monitorId", s.scene_id as "sceneId", s.tries,
      coalesce(s.pipeline_id, '') as "pipelineId", coalesce(s.month, '') as month, s.reserved_micro as "reservedMicro", p.status as "pipelineStatus", p.result, p.error_code as "errorCode",
      p.error_message as "errorMessage"
    from monitor_scenes s left join pipelines p on p.id = s.pipeline_id
    where s.monitor_id = ${monitorId} and s.scene_id = ${sceneId} and s.status = 'RUNNING'
      and (p.id is null or p.status in ('RESOLVED', 'FAILED', 'CANCELLED'))
    for update of s`.execute(trx);
  const [monitor] = monitors;
  const [ended] = rows;
  return monitor === undefined || ended === undefined ? null : { monitor, ended };
}

type AreaValues = readonly { readonly area: string; readonly value: number | null }[];

/** Values of earlier scenes under the same rule, oldest first. */
export async function earlierValues(
  trx: Trx,
  { id, rule_number }: Pick<MonitorRow, "id" | "rule_number">,
  before: Date,
  limit: number,
): Promise<readonly AreaValues[]> {
  const { rows } = await sql<{ values: AreaValues }>`
    select area_values as values from monitor_scenes
    where monitor_id = ${id} and rule_number = ${rule_number} and status = 'DONE' and acquired_at < ${before}
    order by acquired_at desc limit ${limit}`.execute(trx);
  return rows.map(({ values }) => values).toReversed();
}

export interface LatestRow {
  readonly scene_id: string;
  readonly status: "DONE" | "RUNNING" | "SKIPPED" | "WAITING";
  readonly skip_reason: string | null;
  readonly message: string | null;
  readonly pipeline_id: string | null;
  readonly charged_micro: number;
  readonly area_values: AreaValues;
  readonly alert_areas: readonly string[];
  readonly matched_at: Date;
  readonly finished_at: Date | null;
}

export async function latestScenes(db: Db, monitorId: string, limit: number): Promise<readonly LatestRow[]> {
  const { rows } = await sql<LatestRow>`
    select scene_id, status, skip_reason, message, pipeline_id, charged_micro, area_values, alert_areas, matched_at,
      finished_at
    from monitor_scenes where monitor_id = ${monitorId} order by serial desc limit ${limit}`.execute(db);
  return rows;
}
