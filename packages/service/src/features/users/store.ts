import { sql } from "kysely";
import type { Insertable } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { GroupsTable, UsersTable } from "../../platform/postgres/tables/identity.ts";

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly type: string;
  readonly extra_permissions: readonly string[];
  readonly accounting: string | null;
  readonly tasking_accounting: string | null;
  readonly application_language: string;
  readonly default_application: string | null;
  readonly blocked: boolean;
  readonly require_mfa: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly created_by: string | null;
  readonly last_login: Date | null;
  readonly logins_count: number;
  /** Ids in the user's order. */
  readonly groups: readonly string[];
  /** Of the user and its groups, sorted, without repeats. */
  readonly permissions: readonly string[];
}

/** Serialises the changes made at start by processes starting together. */
export async function lockBootstrap(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7207002)`.execute(trx);
}

export async function findUser(db: Db | Trx, key: { readonly id: string } | { readonly email: string }) {
  const condition = "id" in key ? sql`u.id = ${key.id}` : sql`u.email = ${key.email.toLowerCase()}`;
  const { rows } = await sql<UserRow>`
    select u.id, u.email, u.name, u.type, u.extra_permissions, u.accounting, u.tasking_accounting,
      u.application_language, u.default_application, u.blocked, u.require_mfa, u.created_at, u.updated_at,
      u.created_by, u.last_login, u.logins_count,
      array(select m.group_id from group_members m where m.user_id = u.id order by m.position) as groups,
      array(
        select unnest(u.extra_permissions)
        union
        select unnest(g.permissions) from group_members m join groups g on g.id = m.group_id where m.user_id = u.id
        order by 1
      ) as permissions
    from users u where ${condition}`.execute(db);
  return rows[0] ?? null;
}

export async function insertUser(trx: Trx, row: Insertable<UsersTable>): Promise<void> {
  await trx.insertInto("users").values(row).execute();
}

export async function insertMembership(
  trx: Trx,
  membership: { readonly userId: string; readonly groupId: string; readonly position: number },
): Promise<void> {
  await trx
    .insertInto("group_members")
    .values({ user_id: membership.userId, group_id: membership.groupId, position: membership.position })
    .execute();
}

export async function insertGroup(trx: Trx, row: Insertable<GroupsTable>): Promise<void> {
  await trx.insertInto("groups").values(row).execute();
}

export async function findGroupByName(
  db: Db | Trx,
  name: string,
): Promise<{ readonly id: string; readonly permissions: readonly string[] } | null> {
  const row = await db.selectFrom("groups").select(["id", "permissions"]).where("name", "=", name).executeTakeFirst();
  return row ?? null;
}

export async function updateGroupPermissions(
  trx: Trx,
  groupId: string,
  permissions: readonly string[],
  at: Date,
): Promise<void> {
  await trx
    .updateTable("groups")
    .set({ permissions: [...permissions], updated_at: at })
    .where("id", "=", groupId)
    .execute();
}

/** @returns whether there is such a user */
export async function updateBlocked(db: Db, userId: string, blocked: boolean, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ blocked, updated_at: at })
    .where("id", "=", userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function updatePassword(db: Db, userId: string, passwordHash: string, at: Date): Promise<void> {
  await db.updateTable("users").set({ password_hash: passwordHash, updated_at: at }).where("id", "=", userId).execute();
}
