import type { Insertable } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { ApiKeysTable } from "../../platform/postgres/tables/api-keys.ts";

export interface ShownKeyRow {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly last_used_at: Date | null;
}

/** Makes those who count a user's keys wait for each other until the transaction ends. */
export async function lockOwner(trx: Trx, userId: string): Promise<void> {
  await trx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
}

export async function countKeys(trx: Trx, userId: string): Promise<number> {
  const { keys } = await trx
    .selectFrom("api_keys")
    .select((eb) => eb.fn.countAll<number>().as("keys"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return keys;
}

export async function insertKey(trx: Trx, row: Insertable<ApiKeysTable>): Promise<void> {
  await trx.insertInto("api_keys").values(row).execute();
}

/** Newest first. */
export function selectKeys(db: Db, userId: string, limit: number): Promise<ShownKeyRow[]> {
  return db
    .selectFrom("api_keys")
    .select(["id", "name", "permissions", "created_at", "expires_at", "last_used_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** The key as it was, or null when the user has none of that id. */
export async function deleteKey(trx: Trx, userId: string, id: string): Promise<ShownKeyRow | null> {
  const row = await trx
    .deleteFrom("api_keys")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning(["id", "name", "permissions", "created_at", "expires_at", "last_used_at"])
    .executeTakeFirst();
  return row ?? null;
}
