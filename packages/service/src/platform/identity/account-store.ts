import { sql } from "kysely";
import type { Db, Trx } from "../context.ts";

/** Identity and rights of a caller. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly blocked: boolean;
  /** Only tokens with a second factor behind them are taken. */
  readonly requireMfa: boolean;
  /** First group of the user; empty when the user has none. */
  readonly groupId: string;
  /** Organisation of that group; null for a group that stands alone. */
  readonly organizationId: string | null;
  /** Group that pays; empty when the user has no group and names none. */
  readonly accountingGroupId: string;
  /** Tier of the group that pays; null when it has none. */
  readonly tier: string | null;
  readonly permissions: ReadonlySet<string>;
  /** Tokens issued under another value are not taken. */
  readonly tokenVersion: number;
  /** Changes whenever the user, its memberships or its groups do. */
  readonly stamp: string;
}

/** The permissions that a caller has by those that were granted: aliases stand for identifiers. */
export type HeldFrom = (granted: readonly string[]) => ReadonlySet<string>;

export const literally: HeldFrom = (granted) => new Set(granted);

interface AccountRow {
  id: string;
  email: string;
  blocked: boolean;
  require_mfa: boolean;
  token_version: number;
  group_id: string | null;
  organization_id: string | null;
  accounting: string | null;
  tier: string | null;
  stamp: string;
  permissions: string[] | null;
}

/**
 * One user with the permissions of all its groups and its own, or null. The permissions of `known` are kept when the
 * stamp says that nothing they follow from has changed: `xmin` is the transaction that wrote a row.
 */
export async function findAccount(
  db: Db,
  userId: string,
  known?: Account,
  heldFrom: HeldFrom = literally,
): Promise<Account | null> {
  const [row] = await readAccounts(db, [userId], known?.stamp ?? "");
  return row === undefined ? null : accountOf(row, heldFrom, known);
}

/** Users with their permissions, by ID; those that do not exist are left out. */
export async function findAccounts(
  db: Db,
  userIds: readonly string[],
  heldFrom: HeldFrom = literally,
): Promise<ReadonlyMap<string, Account>> {
  const rows = await readAccounts(db, userIds, "");
  return new Map(rows.map((row) => [row.id, accountOf(row, heldFrom)]));
}

/**
 * The IDs are an array of a subquery: the plan for a plain array depends on its length, and the server would plan anew
 * each time, which takes 0.5 ms.
 *
 * @param stamp rows with this stamp come without permissions
 */
async function readAccounts(db: Db, userIds: readonly string[], stamp: string): Promise<readonly AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select u.id, u.email, u.blocked, u.require_mfa, u.token_version,
      u.accounting, h.group_id, h.organization_id, s.stamp,
      (select tier from credit_groups where group_id = coalesce(u.accounting, h.group_id)) as tier,
      case when s.stamp = ${stamp} then null else array(
        select unnest(u.extra_permissions)
        union
        select unnest(g.permissions) from group_members m join groups g on g.id = m.group_id where m.user_id = u.id
      ) end as permissions
    from users u
    left join lateral (
      select m.group_id, g.organization_id from group_members m join groups g on g.id = m.group_id
      where m.user_id = u.id order by m.position limit 1
    ) h on true
    cross join lateral (
      select concat(u.xmin, ' ', string_agg(concat(m.group_id, ' ', m.xmin, ' ', g.xmin), ',' order by m.group_id))
      from group_members m join groups g on g.id = m.group_id where m.user_id = u.id
    ) s (stamp)
    where u.id = any(array(select json_array_elements_text(${JSON.stringify(userIds)}::json)))`.execute(db);
  return rows;
}

function accountOf(row: AccountRow, heldFrom: HeldFrom, known?: Account): Account {
  return {
    id: row.id,
    email: row.email,
    blocked: row.blocked,
    requireMfa: row.require_mfa,
    groupId: row.group_id ?? "",
    organizationId: row.organization_id,
    accountingGroupId: row.accounting ?? row.group_id ?? "",
    tier: row.tier,
    permissions: row.permissions === null && known !== undefined ? known.permissions : heldFrom(row.permissions ?? []),
    tokenVersion: row.token_version,
    stamp: row.stamp,
  };
}

export interface Credential {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string | null;
  /** Read with the hash: a token earned by a password that was replaced meanwhile is worth nothing. */
  readonly tokenVersion: number;
  readonly blocked: boolean;
  readonly requireMfa: boolean;
  /** Whether the user has a second factor. */
  readonly enrolled: boolean;
}

/** The account that a login names by its e-mail in lower case. */
export async function findCredential(db: Db, email: string): Promise<Credential | null> {
  const row = await db
    .selectFrom("users as u")
    .leftJoin("second_factors as f", "f.user_id", "u.id")
    .select(["u.id", "u.email", "u.password_hash as passwordHash", "u.token_version as tokenVersion"])
    .select(["u.blocked", "u.require_mfa as requireMfa", sql<boolean>`f.user_id is not null`.as("enrolled")])
    .where("u.email", "=", email)
    .executeTakeFirst();
  return row ?? null;
}

/** Replaces the hash of a password by another hash of it, unless the password was replaced meanwhile. */
export async function renewPasswordHash(db: Db, user: Credential, passwordHash: string): Promise<void> {
  await db
    .updateTable("users")
    .set({ password_hash: passwordHash })
    .where("id", "=", user.id)
    .where("password_hash", "=", user.passwordHash)
    .execute();
}

export async function recordLogin(db: Db | Trx, userId: string, at: Date): Promise<void> {
  await db
    .updateTable("users")
    .set((eb) => ({ last_login: at, logins_count: eb("logins_count", "+", 1) }))
    .where("id", "=", userId)
    .execute();
}

/** A subject of an external issuer as its token describes it. */
export interface ExternalSubject {
  readonly issuer: string;
  readonly subject: string;
  /** Lower case; null unless the issuer says that it is verified. */
  readonly email: string | null;
}

/**
 * The user of an external subject: the bound user, else the unbound user of that e-mail. The function binds the second,
 * so that a later owner of the address does not inherit the account.
 */
export async function bindExternalSubject(db: Db | Trx, external: ExternalSubject): Promise<string | null> {
  const { issuer, subject, email } = external;
  const bound = await db
    .selectFrom("users")
    .select("id")
    .where("external_issuer", "=", issuer)
    .where("external_subject", "=", subject)
    .executeTakeFirst();
  if (bound !== undefined || email === null) return bound?.id ?? null;
  const claimed = await db
    .updateTable("users")
    .set({ external_issuer: issuer, external_subject: subject })
    .where("email", "=", email)
    .where("external_subject", "is", null)
    .returning("id")
    .executeTakeFirst();
  return claimed?.id ?? null;
}

/**
 * A new user of an external issuer, in the group. Null, and nothing is made, when somebody has the e-mail or the
 * subject, also somebody who was made at the same time.
 */
export async function insertExternalUser(
  trx: Trx,
  user: ExternalSubject & { readonly id: string; readonly email: string; readonly name: string },
  groupId: string,
  at: Date,
): Promise<string | null> {
  const { rows } = await sql`
    insert into users (id, email, name, type, external_issuer, external_subject, created_at, updated_at)
    values (${user.id}, ${user.email}, ${user.name}, 'user', ${user.issuer}, ${user.subject}, ${at}, ${at})
    on conflict do nothing
    returning id`.execute(trx);
  if (rows.length === 0) return null;
  await trx.insertInto("group_members").values({ user_id: user.id, group_id: groupId, position: 0 }).execute();
  return user.id;
}
