import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { saveProject as operation } from "@swath/contract/features/datacube/areas-contract";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { requireOwnProject, visibleProject } from "./project-rights.ts";
import { describeSeries } from "./describe-series.ts";
import { insertProject, updateProject } from "./project-store.ts";

interface SaveProjectDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * @throws {ServiceError} CONFLICT for a name that another group has; VALIDATION-ERROR without a group, and for series
 *   that the project does not have
 */
export async function saveProject(
  { db, clock }: SaveProjectDeps,
  caller: Caller,
  { project, series = [], ...members }: Static<typeof operation.request>,
): Promise<Static<typeof operation.response>> {
  if (caller.groupId === "") throw new ServiceError("VALIDATION-ERROR", "a project needs a group, the caller has none");
  const { name = project, description = "", shared: isShared = false } = members;
  const row = { project, groupId: caller.groupId, name, description, isShared };
  const isNew = await inTransaction(db, async (trx) => {
    const inserted = await insertProject(trx, row, clock.now());
    if (inserted) await describeSeries(trx, project, series);
    return inserted;
  });
  if (isNew) return { project, name, description, shared: isShared, created: true };
  if ((await visibleProject(db, caller, project)) === null) {
    throw new ServiceError("CONFLICT", `the name ${project} is taken`);
  }
  const old = await requireOwnProject(db, caller, project);
  const changed = {
    ...old,
    name: members.name ?? old.name,
    description: members.description ?? old.description,
    isShared: members.shared ?? old.isShared,
  };
  await inTransaction(db, async (trx) => {
    await updateProject(trx, changed, clock.now());
    await describeSeries(trx, project, series);
  });
  return { project, name: changed.name, description: changed.description, shared: changed.isShared, created: false };
}
