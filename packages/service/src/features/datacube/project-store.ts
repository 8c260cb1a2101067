import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

export interface ProjectRow {
  readonly project: string;
  /** The group that writes; null after its removal. */
  readonly groupId: string | null;
  /** Whether others with the permission read. */
  readonly isShared: boolean;
  readonly name: string;
  readonly description: string;
}

export async function readProject(db: Db, project: string): Promise<ProjectRow | null> {
  const { rows } = await sql<ProjectRow>`
    select project, group_id as "groupId", shared as "isShared", name, description from datacube_projects
    where project = ${project}`.execute(db);
  return rows[0] ?? null;
}

/** Projects of a group and shared ones; all for administrators, whose group is null. */
export async function readProjects(db: Db, groupId: string | null): Promise<readonly ProjectRow[]> {
  const { rows } = await sql<ProjectRow>`
    select project, group_id as "groupId", shared as "isShared", name, description from datacube_projects
    where ${groupId}::text is null or shared or group_id = ${groupId}
    order by project`.execute(db);
  return rows;
}

/** @returns whether the project is new */
export async function insertProject(trx: Trx, row: ProjectRow, at: Date): Promise<boolean> {
  const { project, groupId, isShared, name, description } = row;
  const { numAffectedRows } = await sql`
    insert into datacube_projects (project, group_id, shared, name, description, created_at, updated_at)
    values (${project}, ${groupId}, ${isShared}, ${name}, ${description}, ${at}, ${at})
    on conflict (project) do nothing`.execute(trx);
  return numAffectedRows === 1n;
}

export async function updateProject(trx: Trx, row: ProjectRow, at: Date): Promise<void> {
  const { project, isShared, name, description } = row;
  await sql`
    update datacube_projects set shared = ${isShared}, name = ${name}, description = ${description}, updated_at = ${at}
    where project = ${project}`.execute(trx);
}
