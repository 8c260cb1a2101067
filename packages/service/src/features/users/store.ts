import { sql } from "kysely";
import type { Insertable, RawBuilder, Updateable } from "kysely";
import { ADMINISTRATION } from "@swath/kernel/permissions/administrator";
import type { Db, Trx } from "../../platform/context.ts";
import type { UsersTable } from "../../platform/postgres/tables/identity.ts";
import type { MembershipRow } from "./membership.ts";
import type { Reach } from "./reach.ts";

/** A user in a list: without permissions, which may be thousands. */
export interface ListedRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
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
  readonly managed: readonly string[];
  /** Organisation of the first group. */
  readonly organization_id: string | null;
  readonly is_administrator: boolean;
}

export interface UserRow extends ListedRow {
  readonly extra_permissions: readonly string[];
  /** Of the user and its groups, sorted, without repeats. */
  readonly permissions: readonly string[];
}

const administrator = sql<boolean>`(
  ${ADMINISTRATION}::text = any (u.extra_permissions) or exists (
    select from group_members m join groups g on g.id = m.group_id
    where m.user_id = u.id and ${ADMINISTRATION}::text = any (g.permissions)
  ))`;

const userColumns = sql`
  u.id, u.email, u.name, u.accounting, u.tasking_accounting, u.application_language,
  u.default_application, u.blocked, u.require_mfa, u.created_at, u.updated_at, u.created_by, u.last_login,
  u.logins_count, ${administrator} as is_administrator,
  array(select m.group_id from group_members m where m.user_id = u.id order by m.position) as groups,
  array(
    select m.group_id from group_members m where m.user_id = u.id and m.is_manager order by m.position
  ) as managed,
  h.organization_id`;

/** The first group of a user, which it belongs to. */
const home = sql`
  left join lateral (
    select g.id, g.organization_id from group_members m join groups g on g.id = m.group_id
    where m.user_id = u.id order by m.position limit 1
  ) h on true`;

/** Serialises the changes made at start by processes starting together. */
export async function lockBootstrap(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7207002)`.execute(trx);
}

/** Serialises changes of rights, so that two of them do not each rely on the administrator the other removes. */
export async function lockRights(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7207003)`.execute(trx);
}

/** Whether somebody who is not blocked may do everything. Groups, which are few, are asked before users. */
export async function anAdministratorExists(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (
      select from groups g join group_members m on m.group_id = g.id join users u on u.id = m.user_id
      where ${ADMINISTRATION}::text = any (g.permissions) and not u.blocked
    ) or exists (
      select from users u where ${ADMINISTRATION}::text = any (u.extra_permissions) and not u.blocked
    ) as exists`.execute(trx);
  return rows[0]?.exists ?? false;
}

export type UserKey = { readonly id: string } | { readonly email: string };

export async function findUser(db: Db | Trx, key: UserKey): Promise<UserRow | null> {
  const condition = "id" in key ? sql`u.id = ${key.id}` : sql`u.email = ${key.email.toLowerCase()}`;
  const { rows } = await sql<UserRow>`
    select ${userColumns}, u.extra_permissions,
      array(
        select unnest(u.extra_permissions)
        union
        select unnest(g.permissions) from group_members m join groups g on g.id = m.group_id where m.user_id = u.id
        order by 1
      ) as permissions
    from users u ${home} where ${condition}`.execute(db);
  return rows[0] ?? null;
}

export interface UserFilter {
  readonly reach: Reach;
  readonly groupId: string | null;
  readonly organizationId: string | null;
  readonly search: string | null;
  readonly blocked: boolean | null;
  readonly after: string | null;
  readonly limit: number;
}

/** By e-mail. */
export async function listUsers(db: Db, filter: UserFilter): Promise<readonly ListedRow[]> {
  const { reach, groupId, organizationId, search, blocked, after } = filter;
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (reach.kind === "organization") conditions.push(sql`h.organization_id = ${reach.organizationId}`);
  if (reach.kind === "groups") conditions.push(sql`h.id = any (${[...reach.groupIds]}::text[])`);
  if (groupId !== null) conditions.push(sql`h.id = ${groupId}`);
  if (organizationId !== null) conditions.push(sql`h.organization_id = ${organizationId}`);
  if (blocked !== null) conditions.push(sql`u.blocked = ${blocked}`);
  if (after !== null) conditions.push(sql`u.email > (select email from users where id = ${after})`);
  if (search !== null) {
    // The database may know the cases of ASCII only, so a name is also looked at as it was written.
    const lower = search.toLowerCase();
    conditions.push(sql`(
      position(${lower} in u.email) > 0 or position(${lower} in lower(u.name)) > 0 or position(${search} in u.name) > 0)`);
  }
  const { rows } = await sql<ListedRow>`
    select ${userColumns} from users u ${home}
    where ${sql.join(conditions, sql` and `)}
    order by u.email limit ${filter.limit}`.execute(db);
  return rows;
}

export async function insertUser(trx: Trx, row: Insertable<UsersTable>): Promise<void> {
  await trx.insertInto("users").values(row).execute();
}

export async function updateUser(trx: Trx, userId: string, set: Updateable<UsersTable>): Promise<void> {
  await trx.updateTable("users").set(set).where("id", "=", userId).execute();
}

/** @returns whether the user's tokens were still of that version, and so the password was replaced */
export async function replacePassword(
  trx: Trx,
  user: { readonly id: string; readonly tokenVersion: number },
  passwordHash: string,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set((eb) => ({ password_hash: passwordHash, token_version: eb("token_version", "+", 1), updated_at: at }))
    .where("id", "=", user.id)
    .where("token_version", "=", user.tokenVersion)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** In the user's order. */
export async function listMemberships(db: Db | Trx, userId: string): Promise<readonly MembershipRow[]> {
  return db
    .selectFrom("group_members as m")
    .innerJoin("groups as g", "g.id", "m.group_id")
    .select(["m.group_id", "g.organization_id", "m.is_manager"])
    .where("m.user_id", "=", userId)
    .orderBy("m.position")
    .execute();
}

/** Makes these the groups of the user, in this order. */
export async function replaceMemberships(
  trx: Trx,
  userId: string,
  groups: readonly { readonly groupId: string; readonly isManager: boolean }[],
): Promise<void> {
  await sql`
    delete from group_members
    where user_id = ${userId} and group_id <> all (${groups.map(({ groupId }) => groupId)}::text[])`.execute(trx);
  if (groups.length === 0) return;
  await sql`
    insert into group_members (user_id, group_id, position, is_manager)
    select ${userId}, g.id, g.position - 1, g.is_manager
    from unnest(
      ${groups.map(({ groupId }) => groupId)}::text[], ${groups.map(({ isManager }) => isManager)}::boolean[]
    ) with ordinality as g (id, is_manager, position)
    on conflict (user_id, group_id) do update set position = excluded.position, is_manager = excluded.is_manager`.execute(
    trx,
  );
}
