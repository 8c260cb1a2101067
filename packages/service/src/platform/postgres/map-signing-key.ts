import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../context.ts";

/** The secret that signs map IDs, made at first use and kept in the database so that all processes share it. */
export async function mapSigningKey(db: Db): Promise<Uint8Array> {
  await sql`
    insert into map_signing_keys (id, secret) values (1, ${randomBytes(32)})
    on conflict (id) do nothing`.execute(db);
  const { rows } = await sql<{ secret: Buffer }>`select secret from map_signing_keys where id = 1`.execute(db);
  const secret = rows[0]?.secret;
  if (secret === undefined) throw new Error("the map signing key was not stored");
  return new Uint8Array(secret);
}
