import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { systemClock } from "../packages/base/src/clock.ts";
import { newApiKey } from "../packages/service/src/platform/identity/api-key.ts";
import { createKeyRing } from "../packages/service/src/platform/identity/signing-keys.ts";
import { createBuiltInTokens } from "../packages/service/src/platform/identity/tokens.ts";
import type { TestDatabase } from "../packages/service/src/platform/postgres/testing.ts";

const LIFETIME_S = 3600;

export interface Actor {
  readonly id: string;
  readonly email: string;
  readonly groupId: string;
}

/** Makes users and credentials straight in the database: hundreds of logins would take minutes of hashing. */
export interface Actors {
  group(name: string): Promise<string>;
  user(name: string, groupId: string): Promise<Actor>;
  /** A fresh token of the user, who holds exactly these permissions from now on. */
  token(actor: Actor, permissions: readonly string[], state?: { readonly blocked: boolean }): Promise<string>;
  /** A new key of the user with this scope; what the user holds is another matter. */
  key(actor: Actor, name: string, scope: readonly string[]): Promise<string>;
  /** Number of rows that name the user as theirs, by table. */
  belongings(actor: Actor): Promise<ReadonlyMap<string, number>>;
  /** A finished pipeline of that kind and user. */
  pipeline(kind: string, actor: Actor, result: object): Promise<string>;
}

export function createActors({ db }: TestDatabase, issuer: string): Actors {
  const keys = createKeyRing({ db, clock: systemClock, tokenLifetimeS: LIFETIME_S });
  const tokens = createBuiltInTokens({
    keys,
    clock: systemClock,
    issuer,
    audience: "swath",
    tokenLifetimeS: LIFETIME_S,
  });
  return {
    async group(name) {
      const id = randomUUID();
      await sql`insert into groups (id, name, created_at, updated_at) values (${id}, ${name}, now(), now())`.execute(
        db,
      );
      return id;
    },
    async user(name, groupId) {
      const id = randomUUID();
      const email = `${name}@example.org`;
      await sql`
        insert into users (id, email, name, type, created_at, updated_at)
        values (${id}, ${email}, ${name}, 'user', now(), now())`.execute(db);
      await sql`insert into group_members (user_id, group_id, position) values (${id}, ${groupId}, 0)`.execute(db);
      return { id, email, groupId };
    },
    async token(actor, permissions, state = { blocked: false }) {
      const { rows } = await sql<{ token_version: number }>`
        update users set extra_permissions = ${[...permissions]}::text[], blocked = ${state.blocked},
          require_mfa = false, email = ${actor.email}, token_version = token_version + 1
        where id = ${actor.id} returning token_version`.execute(db);
      const [row] = rows;
      if (row === undefined) throw new Error(`${actor.email} is gone`);
      const token = await tokens.issue({ id: actor.id, email: actor.email, tokenVersion: row.token_version }, true);
      // The service reads the user again for a token of a version that it does not know: later requests with keys of
      // the user are judged by these permissions too.
      await fetch(`${issuer}/user/info`, { method: "POST", headers: { Authorization: `Bearer ${token}` } });
      return token;
    },
    async key(actor, name, scope) {
      const { id, key, secretHash } = newApiKey();
      await sql`
        insert into api_keys (id, user_id, name, secret_hash, permissions, second_factor, created_at, expires_at)
        values (${id}, ${actor.id}, ${name}, ${secretHash}, ${[...scope]}::text[], true, now(),
          now() + interval '1 day')`.execute(db);
      return key;
    },
    async belongings(actor) {
      const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
        select table_name, column_name from information_schema.columns
        where table_schema = current_schema() and data_type = 'text'
          and column_name in ('user_id', 'owner_id', 'created_by')`.execute(db);
      const counts = new Map<string, number>();
      for (const { table_name: table, column_name: column } of columns) {
        const { rows } = await sql<{ rows: number }>`
          select count(*) as rows from ${sql.table(table)} where ${sql.ref(column)} = ${actor.id}`.execute(db);
        counts.set(table, (counts.get(table) ?? 0) + (rows[0]?.rows ?? 0));
      }
      return counts;
    },
    async pipeline(kind, actor, result) {
      const id = randomUUID().replaceAll("-", "").slice(0, 20);
      const caller = { kind: "user", userId: actor.id, groupId: actor.groupId, email: actor.email, permissions: [] };
      await sql`
        insert into pipelines (id, kind, status, request, caller, user_id, group_id, base_url, result, finished_at)
        values (${id}, ${kind}, 'RESOLVED', '{}', ${JSON.stringify(caller)}, ${actor.id}, ${actor.groupId}, '',
          ${JSON.stringify(result)}, now())`.execute(db);
      return id;
    },
  };
}
