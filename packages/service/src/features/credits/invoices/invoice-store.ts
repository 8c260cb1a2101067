import { sql } from "kysely";
import type { Db } from "../../../platform/context.ts";
import type { InvoiceLine } from "./invoice.ts";

interface Row {
  readonly provider: string | null;
  readonly dataset: string | null;
  readonly map_type: string | null;
  readonly entries: number;
  readonly area_m2: string;
  readonly micro: string;
}

/** The log of a group by subject, by the index of the group. `from` is inclusive, `to` is exclusive. */
export async function sumTransactions(
  db: Db,
  groupId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly InvoiceLine[]> {
  const { rows } = await sql<Row>`
    select provider, dataset, map_type, count(*)::int as entries, sum(area_m2)::text as area_m2,
      sum(micro)::text as micro
    from credit_transactions
    where group_id = ${groupId} and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
    group by provider, dataset, map_type
    order by provider collate "C", dataset collate "C", map_type collate "C" nulls first`.execute(db);
  return rows.map((row) => ({
    provider: row.provider,
    dataset: row.dataset,
    mapType: row.map_type,
    entries: row.entries,
    areaM2: BigInt(row.area_m2),
    micro: BigInt(row.micro),
  }));
}
