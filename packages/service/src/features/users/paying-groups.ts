import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Trx } from "../../platform/context.ts";
import { findGroup } from "./group-store.ts";
import { managedReach, reaches } from "./reach.ts";
import { listMemberships } from "./store.ts";

/** The members of a user that decide which groups pay. */
export interface Payers {
  readonly groups: readonly string[];
  readonly accounting: string | null;
  readonly taskingAccounting: string | null;
}

/** The groups that pay for areas and for tasking; null where nobody does. */
function payingGroups({ groups, accounting, taskingAccounting }: Payers): readonly [string | null, string | null] {
  const areas = accounting ?? groups[0] ?? null;
  return [areas, taskingAccounting ?? areas];
}

/**
 * A caller makes a group pay for a user only if it manages that group. A change of memberships counts too, as the
 * first group pays where no other one is named.
 *
 * @throws {ServiceError} NOT-AUTHORIZED
 */
export async function requirePayersInReach(trx: Trx, caller: Caller, before: Payers, after: Payers): Promise<void> {
  const former = payingGroups(before);
  const added = payingGroups(after).filter((id, index) => id !== null && id !== former[index]);
  if (added.length === 0) return;
  const reach = managedReach(caller.permissions, await listMemberships(trx, caller.userId));
  for (const id of new Set(added)) {
    const group = id === null ? null : await findGroup(trx, { id });
    if (reaches(reach, group)) continue;
    throw new ServiceError("NOT-AUTHORIZED", `The caller does not manage the group ${id}, which would pay`);
  }
}
