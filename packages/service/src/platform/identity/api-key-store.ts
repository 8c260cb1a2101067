import type { Db } from "../context.ts";

export interface ApiKeyRow {
  readonly id: string;
  readonly userId: string;
  readonly secretHash: Buffer;
  readonly permissions: readonly string[];
  readonly secondFactor: boolean;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

export async function findApiKey(db: Db, id: string): Promise<ApiKeyRow | null> {
  const row = await db
    .selectFrom("api_keys")
    .select([
      "id",
      "user_id as userId",
      "secret_hash as secretHash",
      "permissions",
      "second_factor as secondFactor",
      "expires_at as expiresAt",
      "last_used_at as lastUsedAt",
    ])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Writes when the key was used, unless that was written after `since` already. */
export async function touchApiKey(db: Db, id: string, at: Date, since: Date): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ last_used_at: at })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<=", since)]))
    .execute();
}
