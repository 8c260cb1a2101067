import type { ProductDefinition } from "@swath/contract/features/datacube/products-contract";
import { sql } from "kysely";
import type { Db, Trx } from "../../../platform/context.ts";

export interface ProductRow {
  readonly productId: string;
  readonly revision: number;
  readonly definition: ProductDefinition;
}

interface StoredProduct {
  readonly productId: string;
  readonly revision: number;
  readonly document: string;
}

/**
 * Adds a revision. The lock is the lock of datapoints that become visible: no answer as of an earlier moment changes.
 *
 * @returns the number of the revision
 */
export async function insertProduct(trx: Trx, productId: string, definition: ProductDefinition): Promise<number> {
  await sql`select pg_advisory_xact_lock(7207036)`.execute(trx);
  const { rows } = await sql<{ revision: number }>`
    insert into datacube_products (product_id, revision, document, first_seen)
    select ${productId}, coalesce(max(revision), 0) + 1, ${JSON.stringify(definition)},
      date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond'
    from datacube_products where product_id = ${productId}
    returning revision`.execute(trx);
  // The administrator reads the revision after the commit.
  await sql`select pg_sleep(0.002)`.execute(trx);
  return rows[0]!.revision;
}

function read({ document, ...row }: StoredProduct): ProductRow {
  return { ...row, definition: JSON.parse(document) as ProductDefinition };
}

/** The product with its definition of that moment; null when there is none. */
export async function readProduct(db: Db, productId: string, asOf: Date): Promise<ProductRow | null> {
  const { rows } = await sql<StoredProduct>`
    select product_id as "productId", revision, document from datacube_products
    where product_id = ${productId} and first_seen <= ${asOf} order by revision desc limit 1`.execute(db);
  return rows[0] === undefined ? null : read(rows[0]);
}

/** Products after an ID, in the order of IDs. */
export async function readProducts(
  db: Db,
  after: string,
  { category, region }: { readonly category: string | null; readonly region: string | null },
  limit: number,
): Promise<readonly ProductRow[]> {
  const { rows } = await sql<StoredProduct>`
    select p.product_id as "productId", p.revision, p.document from (
      select distinct on (product_id) product_id, revision, document from datacube_products
      where product_id > ${after} order by product_id, revision desc
    ) p
    where (${category}::text is null or p.document::jsonb ->> 'category' = ${category}::text)
      and (${region}::text is null or p.document::jsonb ->> 'region' = ${region}::text)
    order by p.product_id limit ${limit}`.execute(db);
  return rows.map(read);
}
