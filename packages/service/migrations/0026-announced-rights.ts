import { sql, type Kysely } from "kysely";
import { replaceFunctions, type FunctionHashes } from "./functions/replace-functions.ts";

export const functions: FunctionHashes = {
  announce_rights: "c6b6429648405f954e050e8d17011ab923b37dc1478a20ce69147735537bdaad",
};

/** Tables that rights follow from, with the column of the subject; null: a change may concern every subject. */
const TABLES = {
  api_keys: "id",
  credit_groups: null,
  group_members: "user_id",
  groups: null,
  organizations: null,
  signing_keys: null,
  users: "id",
} as const;

/** Balances change with every charge, and give nobody a right. */
const UPDATE = { credit_groups: "update of tier" } as const;

/** Every change of a row that rights follow from is announced by the database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceFunctions(db, functions);
  for (const [table, column] of Object.entries(TABLES)) {
    const update = table === "credit_groups" ? UPDATE[table] : "update";
    const parameters = column === null ? sql`` : sql`${sql.lit(column)}`;
    await sql`
      create trigger ${sql.id(`${table}_announce`)} after insert or delete or ${sql.raw(update)} on ${sql.id(table)}
      for each row execute function announce_rights(${parameters})`.execute(db);
    await sql`
      create trigger ${sql.id(`${table}_announce_truncate`)} after truncate on ${sql.id(table)}
      for each statement execute function announce_rights()`.execute(db);
  }
}
