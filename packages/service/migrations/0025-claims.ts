import { sql, type Kysely } from "kysely";
import { replaceFunctions, type FunctionHashes } from "./functions/replace-functions.ts";

export const functions: FunctionHashes = {
  claim_pipelines: "6c9e95ab4ade404c2cdc6896531fbbd06187f1c973d4dc7da13e9820e6968ba2",
};

/** Claims bound the running pipelines of a caller in all workers of the database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Serves the count of running pipelines of each share.
  await sql`create index pipelines_running on pipelines (lane, share) where status = 'PROCESSING'`.execute(db);
  await replaceFunctions(db, functions);
}
