import { sql, type Kysely } from "kysely";

/** One row that processes overwrite, to learn whether the database takes writes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_probe (
      id integer constraint service_probe_pkey primary key constraint service_probe_one check (id = 1),
      probed_at timestamptz not null
    ) with (fillfactor = 10)`.execute(db);
}
