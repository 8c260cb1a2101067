import type { Client } from "pg";

export interface TableShape {
  readonly name: string;
  /** Without generated columns, in their order. */
  readonly columns: readonly string[];
}

/** Kept by the migrations themselves. */
const OF_MIGRATIONS = ["kysely_migration", "kysely_migration_lock"];

/** The tables of the service, those that others refer to before those others. */
export async function readTableShapes(client: Client): Promise<readonly TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
     group by c.relname
     order by c.relname`,
    [OF_MIGRATIONS],
  );
  const references = await client.query<{ from: string; to: string }>(
    `select distinct r.relname as "from", t.relname as "to"
     from pg_constraint k
     join pg_class r on r.oid = k.conrelid
     join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and r.oid <> t.oid`,
  );
  return inOrder(rows, references.rows);
}

function inOrder(
  tables: readonly TableShape[],
  references: readonly { readonly from: string; readonly to: string }[],
): readonly TableShape[] {
  const ordered: TableShape[] = [];
  const placed = new Set<string>();
  let left = tables;
  while (left.length > 0) {
    const free = left.filter(({ name }) => references.every(({ from, to }) => from !== name || placed.has(to)));
    if (free.length === 0) throw new Error(`tables refer to each other: ${left.map(({ name }) => name).join(", ")}`);
    for (const table of free) placed.add(table.name);
    ordered.push(...free);
    left = left.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}
