import type { ListedUser, User } from "@swath/contract/features/users/user-contract";
import type { ListedRow, UserRow } from "./store.ts";

function shared(row: ListedRow) {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    type: row.is_administrator ? "administrator" : "user",
    groups: [...row.groups],
    accounting: row.accounting,
    taskingAccounting: row.tasking_accounting ?? row.accounting,
    applicationLanguage: row.application_language,
    defaultApplication: row.default_application,
    blocked: row.blocked,
    requireMfa: row.require_mfa,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    lastLogin: row.last_login?.toISOString() ?? null,
    createdBy: row.created_by,
    loginsCount: row.logins_count,
  };
}

export function userAnswer(row: UserRow): User {
  return { ...shared(row), extraPermissions: [...row.extra_permissions], permissions: [...row.permissions] };
}

export function listedUser(row: ListedRow): ListedUser {
  return { ...shared(row), managerOf: [...row.managed] };
}
