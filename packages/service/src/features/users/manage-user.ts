import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, RequestContext, Trx } from "../../platform/context.ts";
import { keepingAnAdministrator, type UserDeps } from "./accounts.ts";
import { askedBy, changes, type Members } from "./audited.ts";
import type { ManageUserRequest, User } from "@swath/contract/features/users/user-contract";
import { lockGroups } from "./group-store.ts";
import { invalidMember } from "./invalid-member.ts";
import { requirePayersInReach } from "./paying-groups.ts";
import { notGrantable, requireMayChange } from "./rights.ts";
import { findUser, replaceMemberships, updateUser, type UserRow } from "./store.ts";
import { userAnswer } from "./user-answer.ts";

type Settings = ManageUserRequest["set"];

/** What an operator may change of a user. */
interface Managed {
  readonly name: string;
  readonly blocked: boolean;
  readonly requireMfa: boolean;
  readonly groups: readonly string[];
  readonly managerOf: readonly string[];
  readonly extraPermissions: readonly string[];
  readonly accounting: string | null;
  readonly taskingAccounting: string | null;
  readonly applicationLanguage: string;
  readonly defaultApplication: string | null;
}

/** Changes a user; of two at once the second sees what the first has done. */
export function manageUser(deps: UserDeps, by: RequestContext, { userId, set }: ManageUserRequest): Promise<User> {
  return deps.db.transaction().execute((trx) =>
    keepingAnAdministrator(trx, async () => {
      const row = await findUser(trx, { id: userId });
      if (row === null) throw new ServiceError("NON-EXISTENT-USER", `There is no user "${userId}"`);
      const before = managedOf(row);
      const after = changed(before, set);
      requireMayChange(by.caller, row);
      if (userId === by.caller.userId && after.blocked && !before.blocked) {
        throw new ServiceError("CONFLICT", "Nobody blocks himself");
      }
      await requireRights(trx, by.caller, before, after);
      const difference = changes({ ...before }, { ...after });
      if (difference === null) return userAnswer(row);
      await save(deps, trx, userId, after);
      await deps.audit.record(trx, {
        ...askedBy(by),
        action: actionOf(difference.after),
        target: { kind: "user", id: userId },
        ...difference,
      });
      const saved = await findUser(trx, { id: userId });
      if (saved === null) throw new Error(`user ${userId} is gone in the transaction that changed it`);
      return userAnswer(saved);
    }),
  );
}

function managedOf(row: UserRow): Managed {
  return {
    name: row.name,
    blocked: row.blocked,
    requireMfa: row.require_mfa,
    groups: row.groups,
    managerOf: row.managed,
    extraPermissions: row.extra_permissions,
    accounting: row.accounting,
    taskingAccounting: row.tasking_accounting,
    applicationLanguage: row.application_language,
    defaultApplication: row.default_application,
  };
}

function changed(before: Managed, set: Settings): Managed {
  const groups = set.groups ?? before.groups;
  const after = { ...before, ...set, groups };
  // Who leaves the group that paid for it is paid for by its first one.
  const payer = (former: string | null): string | null =>
    former !== null && before.groups.includes(former) && !groups.includes(former) ? (groups[0] ?? null) : former;
  return {
    name: after.name,
    blocked: after.blocked,
    requireMfa: after.requireMfa,
    groups,
    managerOf: set.managerOf ?? before.managerOf.filter((id) => groups.includes(id)),
    extraPermissions: after.extraPermissions,
    accounting: set.accounting ?? payer(before.accounting),
    taskingAccounting: set.taskingAccounting ?? payer(before.taskingAccounting),
    applicationLanguage: after.applicationLanguage,
    defaultApplication: after.defaultApplication,
  };
}

/** Groups must exist, and what is given beyond what the user had must be the caller's to give. */
async function requireRights(trx: Trx, caller: Caller, before: Managed, after: Managed): Promise<void> {
  const added = after.groups.filter((id) => !before.groups.includes(id));
  const payers = [after.accounting, after.taskingAccounting].filter((id) => id !== null);
  const groups = await lockGroups(trx, [...new Set([...added, ...payers])]);
  const exists = (id: string): boolean => groups.some((group) => group.id === id);
  for (const [index, id] of after.groups.entries()) {
    if (added.includes(id) && !exists(id)) throw invalidMember(`/set/groups/${index}`, "is not the id of a group");
  }
  for (const [index, id] of after.managerOf.entries()) {
    if (!after.groups.includes(id)) throw invalidMember(`/set/managerOf/${index}`, "is not one of the user's groups");
  }
  for (const member of ["accounting", "taskingAccounting"] as const) {
    const id = after[member];
    if (id !== null && !exists(id)) throw invalidMember(`/set/${member}`, "is not the id of a group");
  }
  await requirePayersInReach(trx, caller, before, after);
  const given = [
    ...after.extraPermissions.filter((permission) => !before.extraPermissions.includes(permission)),
    ...groups.filter(({ id }) => added.includes(id)).flatMap(({ permissions }) => permissions),
  ];
  const [missing] = notGrantable(caller.permissions, given);
  if (missing !== undefined) {
    throw new ServiceError("NOT-AUTHORIZED", `Nobody gives the permission ${missing} without holding it`);
  }
}

async function save(deps: UserDeps, trx: Trx, userId: string, after: Managed): Promise<void> {
  await updateUser(trx, userId, {
    name: after.name,
    blocked: after.blocked,
    require_mfa: after.requireMfa,
    extra_permissions: [...after.extraPermissions],
    accounting: after.accounting,
    tasking_accounting: after.taskingAccounting,
    application_language: after.applicationLanguage,
    default_application: after.defaultApplication,
    updated_at: deps.clock.now(),
  });
  await replaceMemberships(
    trx,
    userId,
    after.groups.map((groupId) => ({ groupId, isManager: after.managerOf.includes(groupId) })),
  );
}

function actionOf(after: Members): string {
  if (Object.keys(after).length === 1 && "blocked" in after)
    return after["blocked"] === true ? "user.block" : "user.unblock";
  return "user.manage";
}
