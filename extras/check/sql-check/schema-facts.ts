import type { Client } from "pg";

/** Types and columns of a database, by their numbers. */
export interface SchemaFacts {
  readonly typeNames: ReadonlyMap<number, string>;
  /** Columns that can be null, as `table.column`. */
  readonly nullable: ReadonlySet<string>;
}

export async function readSchemaFacts(client: Client): Promise<SchemaFacts> {
  const types = await client.query<{ oid: number; typname: string }>("select oid, typname from pg_type");
  const columns = await client.query<{ column: string }>(`
    select attrelid || '.' || attnum as column from pg_attribute
    where not attnotnull and attnum > 0
      and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`);
  return {
    typeNames: new Map(types.rows.map(({ oid, typname }) => [oid, typname])),
    nullable: new Set(columns.rows.map(({ column }) => column)),
  };
}
