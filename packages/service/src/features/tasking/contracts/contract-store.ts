import { sql } from "kysely";
import type { Db, Trx } from "../../../platform/context.ts";

export interface ContractRow {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly group_id: string | null;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly is_default: boolean;
  /** JSON of the terms. */
  readonly terms: string;
}

const CONTRACT = sql`id, name, provider, group_id, starts_at, ends_at, is_default, terms`;

/** Serialises changes of contracts, so that two of them cannot both become the default. */
export async function lockContracts(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7207033)`.execute(trx);
}

export async function groupExists(db: Db, groupId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from groups where id = ${groupId}`.execute(db);
  return rows.length > 0;
}

/** Contracts of a group and of every group, by provider and ID. */
export async function selectContractsOf(
  db: Db,
  { groupId, provider }: { readonly groupId: string; readonly provider: string | null },
): Promise<readonly ContractRow[]> {
  const { rows } = await sql<ContractRow>`
    select ${CONTRACT} from tasking_contracts
    where (group_id is null or group_id = ${groupId}) and (${provider}::text is null or provider = ${provider})
    order by provider, id`.execute(db);
  return rows;
}

/** Contracts of all groups, by provider and ID. */
export async function selectAllContracts(db: Db, provider: string | null): Promise<readonly ContractRow[]> {
  const { rows } = await sql<ContractRow>`
    select ${CONTRACT} from tasking_contracts
    where ${provider}::text is null or provider = ${provider}
    order by provider, id`.execute(db);
  return rows;
}

export async function readContract(db: Db, id: string): Promise<ContractRow | null> {
  const { rows } = await sql<ContractRow>`select ${CONTRACT} from tasking_contracts where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export async function countContracts(trx: Trx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from tasking_contracts`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Another default of the same provider and group that is valid at a common moment, or null. */
export async function findRivalDefault(trx: Trx, row: ContractRow): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from tasking_contracts
    where is_default and id <> ${row.id} and provider = ${row.provider}
      and group_id is not distinct from ${row.group_id}::text
      and starts_at < ${row.ends_at} and ends_at > ${row.starts_at}
    order by id limit 1`.execute(trx);
  return rows[0]?.id ?? null;
}

export async function upsertContract(trx: Trx, row: ContractRow, at: Date): Promise<void> {
  await sql`
    insert into tasking_contracts
      (id, name, provider, group_id, starts_at, ends_at, is_default, terms, created_at, updated_at)
    values (${row.id}, ${row.name}, ${row.provider}, ${row.group_id}, ${row.starts_at}, ${row.ends_at},
      ${row.is_default}, ${row.terms}, ${at}, ${at})
    on conflict (id) do update set name = excluded.name, provider = excluded.provider, group_id = excluded.group_id,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at, is_default = excluded.is_default,
      terms = excluded.terms, updated_at = excluded.updated_at`.execute(trx);
}

export async function deleteContract(trx: Trx, id: string): Promise<void> {
  await sql`delete from tasking_contracts where id = ${id}`.execute(trx);
}
