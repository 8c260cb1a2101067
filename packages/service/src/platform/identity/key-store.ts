import { sql } from "kysely";
import type { Insertable } from "kysely";
import type { JWK } from "jose";
import type { Db, Trx } from "../context.ts";
import type { SigningKeysTable } from "../postgres/tables/identity.ts";

/** Number of the advisory lock under which signing keys are made. */
const KEY_LOCK = 7_207_001;

export interface SigningKeyRow {
  readonly kid: string;
  readonly private_jwk: JWK;
  readonly public_jwk: JWK;
  readonly signs_until: Date | null;
}

/** Newest first: the signing key and those retired after `retiredSince`. */
export function listSigningKeys(db: Db, retiredSince: Date): Promise<SigningKeyRow[]> {
  return db
    .selectFrom("signing_keys")
    .select(["kid", "private_jwk", "public_jwk", "signs_until"])
    .where((eb) => eb.or([eb("signs_until", "is", null), eb("signs_until", ">", retiredSince)]))
    .orderBy("created_at", "desc")
    .execute();
}

/** Held until the transaction ends, so that two processes starting together make one key. */
export async function lockSigningKeys(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${KEY_LOCK})`.execute(trx);
}

export async function activeKeyExists(trx: Trx): Promise<boolean> {
  const row = await trx.selectFrom("signing_keys").select("kid").where("signs_until", "is", null).executeTakeFirst();
  return row !== undefined;
}

export async function retireSigningKeys(trx: Trx, at: Date): Promise<void> {
  await trx.updateTable("signing_keys").set({ signs_until: at }).where("signs_until", "is", null).execute();
}

export async function insertSigningKey(trx: Trx, row: Insertable<SigningKeysTable>): Promise<void> {
  await trx.insertInto("signing_keys").values(row).execute();
}
