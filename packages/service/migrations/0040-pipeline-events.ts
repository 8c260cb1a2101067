import { sql, type Kysely } from "kysely";
import { replaceFunctions, type FunctionHashes } from "./functions/replace-functions.ts";

export const functions: FunctionHashes = {
  tell_pipeline_end: "0df314d9415c2db33edb4dac9d71890f2ffa83e39affe602039192ed1afa0eb1",
};

/** Ends of pipelines are events, whichever statement ends them. Pipelines of other lanes are parts of these. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceFunctions(db, functions);
  const isTold = sql`
    new.status in ('RESOLVED', 'FAILED', 'CANCELLED') and new.lane in ('quick', 'heavy')
      and (new.user_id <> '' or new.group_id <> '')`;
  await sql`
    create trigger pipelines_tell_end after update of status on pipelines for each row
    when (old.status in ('NEW', 'PROCESSING') and ${isTold})
    execute function tell_pipeline_end()`.execute(db);
  await sql`
    create trigger pipelines_tell_first_end after insert on pipelines for each row
    when (${isTold})
    execute function tell_pipeline_end()`.execute(db);
}
