import { sql, type Kysely } from "kysely";

/** Scenes of registered items: their pixels stay in files on hosts that the operator allows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table scenes add column registered boolean not null default false`.execute(db);
  // item: JSON of the STAC item as far as its scene needs it, null for other scenes. Nothing looks inside.
  await sql`alter table scene_documents add column item text`.execute(db);
  // Item and document together exceed what a row keeps uncompressed. Servers without LZ4 keep the slower method.
  await sql`
    do $$ begin
      alter table scene_documents alter column document set compression lz4, alter column item set compression lz4;
    exception when feature_not_supported then null;
    end $$
  `.execute(db);
}
