import { isGranted } from "@swath/kernel/permissions/permission";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db, RequestContext } from "../../platform/context.ts";
import { keepingAnAdministrator, type UserDeps } from "./accounts.ts";
import { askedBy, type Requester } from "./audited.ts";
import { homeReach, organizationReach, ORGANIZATION, reaches, type Reach } from "./reach.ts";
import { requireMayChange } from "./rights.ts";
import { findUser, listMemberships, updateUser, type UserKey, type UserRow } from "./store.ts";

/**
 * Blocks a user whom the caller looks after. Blocked already is fine.
 *
 * @throws {ServiceError} NON-EXISTENT-USER alike for users out of reach and for those who do not exist
 */
export async function deleteManagedUser(deps: UserDeps, by: RequestContext, email: string): Promise<void> {
  // Before the user is looked for: the answer takes as long for an address that nobody has.
  const reach = await blockReach(deps.db, by.caller);
  await setBlocked(deps, { email }, true, by, (user) => {
    const group = user.groups[0] === undefined ? null : { id: user.groups[0], organization_id: user.organization_id };
    if (!reaches(reach, group)) return false;
    if (user.id === by.caller.userId) throw new ServiceError("CONFLICT", "Nobody blocks himself");
    requireMayChange(by.caller, user);
    return true;
  });
}

/**
 * @param allowed whether the change may be made, after the user was found; refuses by throwing
 * @throws {ServiceError} NON-EXISTENT-USER, CONFLICT when no administrator would be left
 */
export async function setBlocked(
  deps: UserDeps,
  key: UserKey,
  blocked: boolean,
  by: Requester,
  allowed: (user: UserRow) => boolean = () => true,
): Promise<void> {
  await deps.db.transaction().execute((trx) =>
    keepingAnAdministrator(trx, async () => {
      const user = await findUser(trx, key);
      if (user === null || !allowed(user)) {
        throw new ServiceError("NON-EXISTENT-USER", `There is no user "${"id" in key ? key.id : key.email}"`);
      }
      if (user.blocked === blocked) return;
      await updateUser(trx, user.id, { blocked, updated_at: deps.clock.now() });
      await deps.audit.record(trx, {
        ...askedBy(by),
        action: blocked ? "user.block" : "user.unblock",
        target: { kind: "user", id: user.id },
        before: { blocked: user.blocked },
        after: { blocked },
      });
    }),
  );
}

async function blockReach(db: Db, caller: Caller): Promise<Reach> {
  if (isGranted(caller.permissions, "admin.users.manage")) return { kind: "everything" };
  const memberships = await listMemberships(db, caller.userId);
  return isGranted(caller.permissions, ORGANIZATION) ? organizationReach(memberships) : homeReach(memberships);
}
