import { isAdministrator } from "@swath/kernel/permissions/administrator";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, RequestContext, Trx } from "../../platform/context.ts";
import { hashPassword } from "../../platform/identity/password.ts";
import { addUser, type NewAccount, type UserDeps } from "./accounts.ts";
import type {
  CreateManagedUserRequest,
  CreateOrganizationUserRequest,
  User,
} from "@swath/contract/features/users/user-contract";
import { lockGroups, type GroupRights } from "./group-store.ts";
import { requireGoodPassword } from "./password-policy.ts";
import { organizationReach, reaches, type Reach } from "./reach.ts";
import { notGrantable } from "./rights.ts";
import { findUser, listMemberships } from "./store.ts";
import { userAnswer } from "./user-answer.ts";

type Placement = Pick<NewAccount, "groupIds" | "managerOf" | "accounting" | "taskingAccounting">;

/** A user of the caller's group, with the caller's paying groups. */
export function createManagedUser(
  deps: UserDeps,
  by: RequestContext,
  request: CreateManagedUserRequest,
): Promise<User> {
  return create(deps, by, { ...request, defaultApplication: null }, async (trx) => {
    const [home] = await listMemberships(trx, by.caller.userId);
    if (home === undefined) throw new ServiceError("CONFLICT", "The caller belongs to no group that a user could join");
    requireGrantable(by.caller, await lockGroups(trx, [home.group_id]));
    return { groupIds: [home.group_id], ...(await payersOf(trx, by.caller)) };
  });
}

/**
 * A user in a group of the caller's organisation, for administrators of any. That group pays unless another one of the
 * organisation is named.
 *
 * @throws {ServiceError} NON-EXISTENT-GROUP for any other group
 */
export function createOrganizationUser(
  deps: UserDeps,
  by: RequestContext,
  request: CreateOrganizationUserRequest,
): Promise<User> {
  const { groupId, isManager, frontendApplication = null } = request;
  return create(deps, by, { ...request, defaultApplication: frontendApplication }, async (trx) => {
    const reach: Reach = isAdministrator(by.caller.permissions)
      ? { kind: "everything" }
      : organizationReach(await listMemberships(trx, by.caller.userId));
    const wanted = [groupId, request.accounting ?? null, request.taskingAccounting ?? null].filter((id) => id !== null);
    const groups = await lockGroups(trx, wanted);
    for (const id of wanted) {
      const group = groups.find((candidate) => candidate.id === id);
      // A group of somebody else and one that does not exist are told apart by nothing.
      if (group === undefined || !reaches(reach, group)) {
        throw new ServiceError("NON-EXISTENT-GROUP", `There is no group "${id}" in your organisation`);
      }
    }
    requireGrantable(
      by.caller,
      groups.filter(({ id }) => id === groupId),
    );
    return {
      groupIds: [groupId],
      managerOf: isManager ? [groupId] : [],
      accounting: request.accounting ?? groupId,
      taskingAccounting: request.taskingAccounting ?? request.accounting ?? groupId,
    };
  });
}

async function create(
  deps: UserDeps,
  by: RequestContext,
  request: CreateManagedUserRequest & { readonly defaultApplication: string | null },
  place: (trx: Trx) => Promise<Placement>,
): Promise<User> {
  const { email, password, name, requireMfa = false, defaultApplication } = request;
  requireGoodPassword(password, email, "/password");
  // Once before the costly hash, and once with locks where it counts.
  await deps.db.transaction().execute(place);
  const passwordHash = await hashPassword(password);
  return deps.db.transaction().execute(async (trx) => {
    const account = { email, name, passwordHash, requireMfa, defaultApplication, createdBy: by.caller.userId };
    const id = await addUser(deps, trx, { ...account, ...(await place(trx)) }, by);
    const row = await findUser(trx, { id });
    if (row === null) throw new Error(`user ${id} is gone in the transaction that made it`);
    return userAnswer(row);
  });
}

async function payersOf(trx: Trx, caller: Caller) {
  const creator = await findUser(trx, { id: caller.userId });
  const accounting = creator?.accounting ?? (caller.groupId === "" ? null : caller.groupId);
  return { accounting, taskingAccounting: creator?.tasking_accounting ?? accounting };
}

/** @throws {ServiceError} NOT-AUTHORIZED when membership would give what the caller does not hold */
function requireGrantable(caller: Caller, groups: readonly GroupRights[]): void {
  const [missing] = groups.flatMap(({ permissions }) => notGrantable(caller.permissions, permissions));
  if (missing !== undefined) {
    throw new ServiceError(
      "NOT-AUTHORIZED",
      `The group gives the permission ${missing}, which the caller does not hold`,
    );
  }
}
