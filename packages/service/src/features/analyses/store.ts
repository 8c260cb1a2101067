import { sql, type Insertable, type RawBuilder } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { AnalysisTables } from "../../platform/postgres/tables/analyses.ts";
import type { Reader, Rights } from "./rights.ts";

/** People of an analysis, in the order in which they were written. */
export interface People {
  readonly editors: readonly string[];
  readonly editorGroups: readonly string[];
  readonly viewers: readonly string[];
  readonly viewerGroups: readonly string[];
  readonly watchdogs: readonly string[];
}

export interface AnalysisRow extends People {
  readonly id: string;
  readonly ownerId: string;
  readonly version: number;
  readonly path: string;
  readonly isPublic: boolean;
  readonly status: number;
  readonly document: string;
  readonly createdAt: Date;
  readonly openedAt: Date;
  /** Of the reader; null when there are none. */
  readonly rights: Rights | null;
}

function hasRole({ userId }: Reader, role: "editor" | "viewer"): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from analysis_users u where u.analysis_id = a.id and u.role = ${role} and u.user_id = ${userId})
    or exists (select from analysis_groups g join group_members m on m.group_id = g.group_id
      where g.analysis_id = a.id and g.role = ${role} and m.user_id = ${userId}))`;
}

function rightsOf(reader: Reader): RawBuilder<Rights | null> {
  return sql<Rights | null>`
    case when ${reader.isAdministrator} or a.owner_id = ${reader.userId} then 'owner'
      when ${hasRole(reader, "editor")} then 'editor'
      when ${hasRole(reader, "viewer")} then 'viewer'
      when a.is_public then 'public' end`;
}

function named(table: "analysis_groups" | "analysis_users", role: string): RawBuilder<unknown> {
  const id = sql.ref(table === "analysis_users" ? "n.user_id" : "n.group_id");
  return sql`array(select ${id} from ${sql.table(table)} n
    where n.analysis_id = a.id and n.role = ${role} order by n.position)`;
}

/** 0 new, 1 queued, 2 processing, 3 finished, 4 failed: the last when pipelines have ended and no frame has a map. */
const STATUS = sql<number>`
  case
    when exists (select from analysis_runs r join pipelines p on p.id = r.pipeline_id
      where r.analysis_id = a.id and p.status = 'PROCESSING') then 2
    when exists (select from analysis_runs r join pipelines p on p.id = r.pipeline_id
      where r.analysis_id = a.id and p.status = 'NEW') then 1
    when exists (select from analysis_frames f where f.analysis_id = a.id and f.finished > 0) then 3
    when exists (select from analysis_runs r where r.analysis_id = a.id) then 4
    else 0 end`;

function columns(reader: Reader): RawBuilder<unknown> {
  return sql`a.id, a.owner_id as "ownerId", a.version, a.path, a.is_public as "isPublic", ${STATUS} as status, a.document,
    a.created_at as "createdAt", a.opened_at as "openedAt", ${rightsOf(reader)} as rights,
    ${named("analysis_users", "editor")} as editors, ${named("analysis_groups", "editor")} as "editorGroups",
    ${named("analysis_users", "viewer")} as viewers, ${named("analysis_groups", "viewer")} as "viewerGroups",
    ${named("analysis_users", "watchdog")} as watchdogs`;
}

/** Null when there is none. */
export async function readAnalysis(db: Db, id: string, reader: Reader): Promise<AnalysisRow | null> {
  const { rows } = await sql<AnalysisRow>`select ${columns(reader)} from analyses a where a.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Features that an analysis hides, as JSON. */
export interface HiddenRow {
  readonly version: number;
  /** Null in the known version. */
  readonly hiddenFeatures: string | null;
}

/** Null when there is no such analysis. */
export async function readHidden(db: Db, id: string, knownVersion: number | null): Promise<HiddenRow | null> {
  const { rows } = await sql<HiddenRow>`
    select version, case when version = ${knownVersion}::integer then null
      else (document::json->'hiddenFeatures')::text end as "hiddenFeatures"
    from analyses where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Locks the analysis until the transaction ends. */
export async function lockAnalysis(trx: Trx, id: string): Promise<void> {
  await sql`select from analyses where id = ${id} for update`.execute(trx);
}

/** Members of an analysis by which pages are chosen. */
export interface ScannedRow {
  readonly serial: number;
  readonly path: string;
  readonly byteLength: number;
}

export interface ScanQuery {
  readonly reader: Reader;
  readonly ownerId: string | null;
  /** Exclusive; null for the newest. */
  readonly beforeSerial: number | null;
  readonly limit: number;
}

/** Analyses on which the reader has rights, newest first. */
export async function scanAnalyses(
  db: Db,
  { reader, ownerId, beforeSerial, limit }: ScanQuery,
): Promise<readonly ScannedRow[]> {
  const { isAdministrator, userId } = reader;
  const { rows } = await sql<ScannedRow>`
    select a.serial::float8 as serial, a.path, octet_length(a.document) + (
        select coalesce(sum(octet_length(f.outcome)), 0) from analysis_frames f where f.analysis_id = a.id
      )::float8 as "byteLength"
    from analyses a
    where (${isAdministrator} or a.owner_id = ${userId} or a.id in (
        select u.analysis_id from analysis_users u where u.user_id = ${userId} and u.role <> 'watchdog'
        union all
        select g.analysis_id from analysis_groups g join group_members m on m.group_id = g.group_id
        where m.user_id = ${userId}))
      and (${ownerId}::text is null or a.owner_id = ${ownerId})
      and (${beforeSerial}::bigint is null or a.serial < ${beforeSerial}::bigint)
    order by a.serial desc limit ${limit}`.execute(db);
  return rows;
}

export async function readBySerials(
  db: Db,
  serials: readonly number[],
  reader: Reader,
): Promise<readonly AnalysisRow[]> {
  const { rows } = await sql<AnalysisRow>`
    select ${columns(reader)} from analyses a
    where a.serial = any(${[...serials]}::bigint[]) order by a.serial desc`.execute(db);
  return rows;
}

/** Number of analyses of an owner. Transactions that count them for one owner run one after the other. */
export async function countAnalyses(trx: Trx, ownerId: string): Promise<number> {
  await sql`select from users where id = ${ownerId} for no key update`.execute(trx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from analyses where owner_id = ${ownerId}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** @returns whether the id was free */
export async function insertAnalysis(trx: Trx, row: Insertable<AnalysisTables["analyses"]>): Promise<boolean> {
  const inserted = await trx
    .insertInto("analyses")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .execute();
  return inserted.length > 0;
}

export interface AnalysisChange {
  readonly id: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly document: string;
}

/** @returns the new version */
export async function updateAnalysis(trx: Trx, { id, path, isPublic, document }: AnalysisChange): Promise<number> {
  const { version } = await trx
    .updateTable("analyses")
    .set((eb) => ({ path, is_public: isPublic, document, version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
}

const ROLES = [
  ["editors", "analysis_users", "editor"],
  ["viewers", "analysis_users", "viewer"],
  ["watchdogs", "analysis_users", "watchdog"],
  ["editorGroups", "analysis_groups", "editor"],
  ["viewerGroups", "analysis_groups", "viewer"],
] as const;

/** Ids of the members that no user or group has, as `member/position`. */
export async function unknownPeople(trx: Trx, people: Partial<People>): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [member, table] of ROLES) {
    const ids = people[member] ?? [];
    if (ids.length === 0) continue;
    const source = sql.table(table === "analysis_users" ? "users" : "groups");
    const { rows } = await sql<{ id: string }>`select id from ${source} where id = any(${[...ids]}::text[])`.execute(
      trx,
    );
    const known = new Set(rows.map(({ id }) => id));
    faults.push(...ids.flatMap((id, index) => (known.has(id) ? [] : [`${member}/${index}`])));
  }
  return faults;
}

/** Replaces the people of the members that are there. */
export async function replacePeople(trx: Trx, analysisId: string, people: Partial<People>): Promise<void> {
  for (const [member, table, role] of ROLES) {
    const ids = people[member];
    if (ids === undefined) continue;
    const replace = table === "analysis_users" ? replaceUsers : replaceGroups;
    await replace(trx, analysisId, role, ids);
  }
}

async function replaceUsers(trx: Trx, analysisId: string, role: string, ids: readonly string[]): Promise<void> {
  await sql`delete from analysis_users where analysis_id = ${analysisId} and role = ${role}`.execute(trx);
  await sql`
    insert into analysis_users (analysis_id, role, user_id, position)
    select ${analysisId}, ${role}, n.id, n.at
    from unnest(${[...ids]}::text[]) with ordinality as n (id, at)`.execute(trx);
}

async function replaceGroups(trx: Trx, analysisId: string, role: string, ids: readonly string[]): Promise<void> {
  await sql`delete from analysis_groups where analysis_id = ${analysisId} and role = ${role}`.execute(trx);
  await sql`
    insert into analysis_groups (analysis_id, role, group_id, position)
    select ${analysisId}, ${role}, n.id, n.at
    from unnest(${[...ids]}::text[]) with ordinality as n (id, at)`.execute(trx);
}

/** Notes that somebody with rights has read it. */
export async function touchAnalysis(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable("analyses").set({ opened_at: at }).where("id", "=", id).execute();
}

export async function deleteAnalysis(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom("analyses").where("id", "=", id).execute();
}
