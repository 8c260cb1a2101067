import { sql, type Kysely } from "kysely";
import { replaceFunctions, type FunctionHashes } from "./functions/replace-functions.ts";

export const functions: FunctionHashes = {
  credit_states: "813a8157bb744a10934c69d3770e7a197ea65b4dcf06816f0d10e5ec2766fb91",
};

/** A price rule may name the group that pays. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table credit_price_rules add column group_id text`.execute(db);
  await replaceFunctions(db, functions);
}
