import { sql } from "kysely";
import type { SKIP_REASONS } from "@swath/contract/features/monitors/contract";
import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { Db, Trx } from "../../platform/context.ts";
import { COLUMNS, type MonitorRow } from "./monitor-store.ts";

export type SkipReason = (typeof SKIP_REASONS)[number];

/** A scene of a monitor. */
export interface SceneKey {
  readonly monitorId: string;
  readonly sceneId: string;
}

/** A scene that this process measures next. Another claim has another number of tries. */
export interface ClaimedScene extends SceneKey {
  readonly tries: number;
}

/**
 * Each match becomes one scene of a monitor, however often it is written. A monitor from before `forgottenBefore` takes
 * no scene acquired before it: its row of the scene may be forgotten.
 */
export async function insertScenes(
  trx: Trx,
  matches: readonly { readonly queryId: string; readonly sceneId: string }[],
  { at, forgottenBefore }: { readonly at: Date; readonly forgottenBefore: Date },
): Promise<void> {
  await sql`
    insert into monitor_scenes (monitor_id, scene_id, due_at, matched_at)
    select m.id, g.scene_id, ${at}::timestamptz, ${at}::timestamptz
    from unnest(${matches.map(({ queryId }) => queryId)}::text[], ${matches.map(({ sceneId }) => sceneId)}::text[])
      with ordinality as g (query_id, scene_id, place)
    join monitors m on m.query_id = g.query_id
    left join scenes s on s.scene_id = g.scene_id
    where m.created_at >= ${forgottenBefore} or s.acquired_at >= ${forgottenBefore}
    order by g.place
    on conflict do nothing`.execute(trx);
}

interface ClaimRules {
  readonly at: Date;
  readonly candidates: number;
  /** Scenes of one monitor that are measured at once. */
  readonly running: number;
  /** When a claim ends by itself. */
  readonly leaseUntil: Date;
  /** When scenes are looked at again whose monitor is paused or busy. */
  readonly laterAt: Date;
}

/** Claims scenes that are due. Scenes of paused and busy monitors make room for other scenes. */
export async function claimScenes(db: Db, rules: ClaimRules): Promise<readonly ClaimedScene[]> {
  const { at, candidates, laterAt, leaseUntil, running } = rules;
  const { rows } = await sql<ClaimedScene & { readonly open: boolean }>`
    with due as (
      select serial, monitor_id from monitor_scenes
      where status = 'WAITING' and due_at <= ${at} order by due_at, serial limit ${candidates}
      for update skip locked
    ), ranked as (
      select d.serial, m.enabled and ${running}::bigint >= row_number() over (partition by d.monitor_id order by d.serial)
        + (select count(*) from monitor_scenes r where r.monitor_id = d.monitor_id and r.status = 'RUNNING') as open
      from due d join monitors m on m.id = d.monitor_id
    )
    update monitor_scenes s set tries = s.tries + r.open::int,
      due_at = case when r.open then ${leaseUntil}::timestamptz else ${laterAt}::timestamptz end
    from ranked r where r.serial = s.serial
    returning s.monitor_id as "monitorId", s.scene_id as "sceneId", s.tries, r.open`.execute(db);
  return rows.filter(({ open }) => open);
}

/** A monitor with its query, for work in the name of its owner. */
export interface WorkRow extends MonitorRow {
  readonly criteria: string;
  /** GeoJSON. */
  readonly areas: string;
}

export async function readWork(db: Db, monitorId: string): Promise<WorkRow | null> {
  const { rows } = await sql<WorkRow>`
    select ${COLUMNS}, q.criteria, q.areas from monitors m join standing_queries q on q.id = m.query_id
    where m.id = ${monitorId}`.execute(db);
  return rows[0] ?? null;
}

/** Limits of the cost of a claimed scene. */
export interface OpenClaim {
  readonly monitor: Pick<MonitorRow, "budget_micro" | "id" | "name" | "owner_id">;
  /** Price that the owner has accepted; null unless the scene is one of a backfill. */
  readonly acceptedMicro: number | null;
}

/** Locks monitor and scene; null when the claim has ended or the monitor is paused. */
export async function lockClaim(trx: Trx, { monitorId, sceneId, tries }: ClaimedScene): Promise<OpenClaim | null> {
  const { rows } = await sql<OpenClaim["monitor"]>`
    select id, name, owner_id, budget_micro from monitors where id = ${monitorId} and enabled for share`.execute(trx);
  const { rows: own } = await sql<Pick<OpenClaim, "acceptedMicro">>`
    select accepted_micro as "acceptedMicro" from monitor_scenes
    where monitor_id = ${monitorId} and scene_id = ${sceneId} and status = 'WAITING' and tries = ${tries}
    for update`.execute(trx);
  const [[monitor], [scene]] = [rows, own];
  return monitor === undefined || scene === undefined ? null : { monitor, ...scene };
}

export interface Reservation {
  readonly monitorId: string;
  readonly month: string;
  readonly micro: MicroCredits;
  readonly budgetMicro: number;
}

/** Reserves credit of the month, or none. @returns null, or the rest when it is too little */
export async function reserve(
  trx: Trx,
  { budgetMicro, micro, month, monitorId }: Reservation,
): Promise<{ readonly leftMicro: number } | null> {
  await sql`
    insert into monitor_months (monitor_id, month) values (${monitorId}, ${month}) on conflict do nothing`.execute(trx);
  const { rows } = await sql<{ leftMicro: number; fits: boolean }>`
    with month as materialized (
      select ${budgetMicro}::bigint - reserved_micro - spent_micro as left_micro from monitor_months
      where monitor_id = ${monitorId} and month = ${month} for no key update
    ), taken as (
      update monitor_months set reserved_micro = reserved_micro + ${micro}::bigint
      where monitor_id = ${monitorId} and month = ${month} and (select left_micro from month) >= ${micro}::bigint
      returning 1
    )
    select left_micro as "leftMicro", exists (select from taken) as fits from month`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error(`the month ${month} of the monitor ${monitorId} is gone`);
  return row.fits ? null : { leftMicro: row.leftMicro };
}

/** Marks a claimed scene RUNNING. */
export async function startScene(
  trx: Trx,
  { monitorId, sceneId }: SceneKey,
  run: { readonly pipelineId: string; readonly month: string; readonly micro: MicroCredits },
): Promise<void> {
  await sql`
    update monitor_scenes set status = 'RUNNING', pipeline_id = ${run.pipelineId}, month = ${run.month},
      reserved_micro = ${run.micro}::bigint, message = null
    where monitor_id = ${monitorId} and scene_id = ${sceneId}`.execute(trx);
}

/**
 * Makes scenes due that waited for a busy monitor, after one of its scenes has ended. Scenes with tries wait for another
 * reason: a claim, or a failure that passes.
 */
export async function wakeWaiting(
  trx: Trx,
  { monitorId }: Pick<SceneKey, "monitorId">,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<void> {
  await sql`
    update monitor_scenes s set due_at = ${at}
    from (
      select serial from monitor_scenes
      where monitor_id = ${monitorId} and status = 'WAITING' and tries = 0
      order by serial limit ${limit} for update skip locked
    ) w where w.serial = s.serial and s.due_at > ${at}`.execute(trx);
}

/** A scene that waits again. */
export async function postpone(
  db: Db,
  { monitorId, sceneId, tries }: ClaimedScene,
  { dueAt, message }: { readonly dueAt: Date; readonly message: string },
): Promise<void> {
  await sql`
    update monitor_scenes set status = 'WAITING', due_at = ${dueAt}, message = ${message}, pipeline_id = null
    where monitor_id = ${monitorId} and scene_id = ${sceneId} and tries = ${tries}
      and status in ('WAITING', 'RUNNING')`.execute(db);
}

export interface SceneEnd {
  readonly status: "DONE" | "SKIPPED";
  readonly skipReason: SkipReason | null;
  readonly message: string | null;
  readonly chargedMicro: MicroCredits;
  readonly acquiredAt: Date | null;
  readonly ruleNumber: number | null;
  readonly values: readonly { readonly area: string; readonly value: number | null }[];
  readonly alertAreas: readonly string[];
  readonly at: Date;
}

/** The figures of a scene that was not measured. */
export const NOT_MEASURED = {
  acquiredAt: null,
  ruleNumber: null,
  values: [],
  alertAreas: [],
} as const satisfies Partial<SceneEnd>;

/** Ends a scene, once. */
export async function endScene(trx: Trx, { monitorId, sceneId, tries }: ClaimedScene, end: SceneEnd): Promise<void> {
  await sql`
    update monitor_scenes set status = ${end.status}, skip_reason = ${end.skipReason}, message = ${end.message},
      charged_micro = ${end.chargedMicro}::bigint, acquired_at = ${end.acquiredAt}::timestamptz,
      rule_number = ${end.ruleNumber}::int, area_values = ${JSON.stringify(end.values)}::jsonb,
      alert_areas = ${JSON.stringify(end.alertAreas)}::jsonb, finished_at = ${end.at}
    where monitor_id = ${monitorId} and scene_id = ${sceneId} and tries = ${tries}
      and status in ('WAITING', 'RUNNING')`.execute(trx);
}

/** The reservation goes back, and the charge is spent. */
export async function settleMonth(
  trx: Trx,
  {
    chargedMicro,
    monitorId,
    month,
    reservedMicro,
  }: {
    readonly monitorId: string;
    readonly month: string;
    readonly reservedMicro: number;
    readonly chargedMicro: MicroCredits;
  },
): Promise<void> {
  await sql`
    update monitor_months set reserved_micro = reserved_micro - ${reservedMicro}::bigint,
      spent_micro = spent_micro + ${chargedMicro}::bigint
    where monitor_id = ${monitorId} and month = ${month}`.execute(trx);
}
