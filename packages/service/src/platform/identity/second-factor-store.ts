import { sql } from "kysely";
import type { Db, Trx } from "../context.ts";

export interface StoredFactor {
  readonly secret: Buffer;
  readonly recoveryHashes: readonly Buffer[];
}

export async function findFactor(db: Db | Trx, userId: string): Promise<StoredFactor | null> {
  const row = await db
    .selectFrom("second_factors")
    .select(["secret", "recovery_hashes as recoveryHashes"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row ?? null;
}

/** Replaces an enrolment that was begun before. */
export async function upsertEnrolment(
  trx: Trx,
  userId: string,
  factor: { readonly secret: Buffer; readonly recoveryHashes: readonly Buffer[] },
  at: Date,
): Promise<void> {
  const row = { secret: factor.secret, recovery_hashes: [...factor.recoveryHashes], created_at: at };
  await trx
    .insertInto("second_factor_enrolments")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
}

/** The enrolment begun after `since`, locked until the transaction ends. */
export async function lockEnrolment(trx: Trx, userId: string, since: Date): Promise<StoredFactor | null> {
  const row = await trx
    .selectFrom("second_factor_enrolments")
    .select(["secret", "recovery_hashes as recoveryHashes"])
    .where("user_id", "=", userId)
    .where("created_at", ">", since)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteEnrolment(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("second_factor_enrolments").where("user_id", "=", userId).execute();
}

/** Puts a confirmed factor in the place of the user's former one. */
export async function replaceFactor(
  trx: Trx,
  userId: string,
  factor: StoredFactor & { readonly lastStep: number },
  at: Date,
): Promise<void> {
  const row = {
    secret: factor.secret,
    last_step: factor.lastStep,
    recovery_hashes: [...factor.recoveryHashes],
    confirmed_at: at,
  };
  await trx
    .insertInto("second_factors")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
}

/** Marks a step as used; false when it or a later one has been, also by a request at the same time. */
export async function useStep(trx: Trx, userId: string, secret: Buffer, step: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("secret", "=", secret)
    .where("last_step", "<", sql<number>`${step}::bigint`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes a recovery code away; false when there is none such, also because a request at the same time took it. */
export async function useRecoveryHash(trx: Trx, userId: string, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update second_factors set recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
    where user_id = ${userId} and ${hash}::bytea = any(recovery_hashes)
    returning user_id`.execute(trx);
  return rows.length > 0;
}

/** @returns whether there was one */
export async function deleteFactor(trx: Trx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom("second_factors").where("user_id", "=", userId).executeTakeFirst();
  return numDeletedRows > 0n;
}
