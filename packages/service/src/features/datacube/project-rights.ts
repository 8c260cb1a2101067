import { ServiceError } from "@swath/kernel/errors/service-error";
import { isAdministrator } from "@swath/kernel/permissions/administrator";
import { isGranted } from "@swath/kernel/permissions/permission";
import type { Caller, Db } from "../../platform/context.ts";
import { readProject, readProjects, type ProjectRow } from "./project-store.ts";

type Asking = Pick<Caller, "groupId" | "permissions">;

/** Whether the project exists for the caller: it belongs to the group of the caller, or is shared. */
function isVisible({ groupId, permissions }: Asking, project: ProjectRow): boolean {
  return project.isShared || isOwn({ groupId, permissions }, project);
}

function isOwn({ groupId, permissions }: Asking, project: ProjectRow): boolean {
  return isAdministrator(permissions) || (groupId !== "" && project.groupId === groupId);
}

/** The project; null when it does not exist for the caller. */
export async function visibleProject(db: Db, caller: Asking, project: string): Promise<ProjectRow | null> {
  const row = await readProject(db, project);
  return row !== null && isVisible(caller, row) ? row : null;
}

/** Names of all projects that exist for the caller. */
export async function visibleProjects(db: Db, caller: Asking): Promise<readonly string[]> {
  const rows = await readProjects(db, isAdministrator(caller.permissions) ? null : caller.groupId);
  return rows.filter((row) => isVisible(caller, row)).map(({ project }) => project);
}

/**
 * Refuses to write in projects of other groups. The permission to write at all is the caller's to check.
 *
 * @throws {ServiceError} DATA-NOT-AVAILABLE for a project that does not exist for the caller; NOT-AUTHORIZED for shared
 *   projects of others
 */
export async function requireOwnProject(db: Db, caller: Asking, project: string): Promise<ProjectRow> {
  const row = await visibleProject(db, caller, project);
  if (row === null) throw new ServiceError("DATA-NOT-AVAILABLE", `there is no project ${project} of your group`);
  if (!isOwn(caller, row)) throw new ServiceError("NOT-AUTHORIZED", `the project ${project} belongs to another group`);
  return row;
}

export function mayReadDatapoints({ permissions }: Asking, project: string, algorithm: string): boolean {
  return isGranted(permissions, `datacube.datapoints.${project}.${algorithm}`);
}

export function mayReadAois({ permissions }: Asking, project: string): boolean {
  return isGranted(permissions, `datacube.aois.${project}`);
}
