import { sql } from "kysely";
import type { Db } from "../context.ts";

/** What decides who a caller is and what it may do. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly blocked: boolean;
  /** Group that pays; empty when the user has none. */
  readonly groupId: string;
  readonly permissions: ReadonlySet<string>;
  /** Tokens issued under another value are not taken. */
  readonly tokenVersion: number;
  /** Changes whenever the user, its memberships or its groups do. */
  readonly stamp: string;
}

interface AccountRow {
  id: string;
  email: string;
  blocked: boolean;
  token_version: number;
  group_id: string | null;
  stamp: string;
  permissions: string[] | null;
}

/**
 * One user with the permissions of all its groups and its own, or null. The permissions of `known` are kept when the
 * stamp says that nothing they follow from has changed: `xmin` is the transaction that wrote a row.
 */
export async function findAccount(db: Db, userId: string, known?: Account): Promise<Account | null> {
  const { rows } = await sql<AccountRow>`
    select u.id, u.email, u.blocked, u.token_version,
      coalesce(u.accounting,
        (select m.group_id from group_members m where m.user_id = u.id order by m.position limit 1)) as group_id,
      s.stamp,
      case when s.stamp = ${known?.stamp ?? ""} then null else array(
        select unnest(u.extra_permissions)
        union
        select unnest(g.permissions) from group_members m join groups g on g.id = m.group_id where m.user_id = u.id
      ) end as permissions
    from users u
    cross join lateral (
      select concat(u.xmin, ' ', string_agg(concat(m.group_id, ' ', m.xmin, ' ', g.xmin), ',' order by m.group_id))
      from group_members m join groups g on g.id = m.group_id where m.user_id = u.id
    ) s (stamp)
    where u.id = ${userId}`.execute(db);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    id: row.id,
    email: row.email,
    blocked: row.blocked,
    groupId: row.group_id ?? "",
    permissions: row.permissions === null && known !== undefined ? known.permissions : new Set(row.permissions),
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
}

/** Password hash of an account, by e-mail in lower case. */
export async function findCredential(db: Db, email: string): Promise<Credential | null> {
  const row = await db
    .selectFrom("users")
    .select(["id", "email", "password_hash as passwordHash", "token_version as tokenVersion"])
    .where("email", "=", email)
    .executeTakeFirst();
  return row ?? null;
}

export async function recordLogin(db: Db, userId: string, at: Date): Promise<void> {
  await db
    .updateTable("users")
    .set((eb) => ({ last_login: at, logins_count: eb("logins_count", "+", 1) }))
    .where("id", "=", userId)
    .execute();
}

/**
 * The user an external subject stands for: the one bound to it, else the unbound one of that e-mail, which is
 * bound from now on so that a later owner of the address does not inherit the account.
 */
export async function bindExternalSubject(db: Db, subject: string, email: string | null): Promise<string | null> {
  const bound = await db.selectFrom("users").select("id").where("external_subject", "=", subject).executeTakeFirst();
  if (bound !== undefined || email === null) return bound?.id ?? null;
  const claimed = await db
    .updateTable("users")
    .set({ external_subject: subject })
    .where("email", "=", email)
    .where("external_subject", "is", null)
    .returning("id")
    .executeTakeFirst();
  return claimed?.id ?? null;
}
