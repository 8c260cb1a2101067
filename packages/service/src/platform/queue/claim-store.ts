import { sql } from "kysely";
import type { Caller, Db } from "../context.ts";
import type { Run } from "./run-store.ts";
import { callerOf, type StoredCaller } from "./stored-caller.ts";

/**
 * Order of locks. A transaction locks the row of at most one pipeline, and waits for it first. Transactions of one
 * ingestion lock the ingestion before. Statements that lock many rows skip the locked ones or lock in the order of ids.
 */
/** A pipeline that a worker has taken. */
export interface ClaimedPipeline {
  readonly id: string;
  readonly kind: string;
  readonly share: string;
  readonly request: unknown;
  readonly caller: Caller;
  readonly baseUrl: string;
  readonly attempt: number;
  /** Earlier runs that failed unexpectedly. */
  readonly failures: number;
  /** Earlier runs that ended with the death of the process. */
  readonly deaths: number;
}

export interface ClaimInput {
  readonly worker: string;
  readonly lane: string;
  /** Free places of each kind, by path. */
  readonly places: ReadonlyMap<string, number>;
  /** Running pipelines of each share. */
  readonly running: ReadonlyMap<string, number>;
  /** Pipelines of one share that the worker runs at once. */
  readonly runningPerCaller: number;
  /** Pipelines of one share that all workers of the lane run at once; null for any number. */
  readonly runningInAll: number | null;
  readonly limit: number;
  readonly leaseMs: number;
}

/** Takes the pipelines of the lane whose turns come first, by the function `claim_pipelines` of the database. */
export async function claimPipelines(db: Db, input: ClaimInput): Promise<readonly ClaimedPipeline[]> {
  const { leaseMs, limit, places, running, runningInAll, runningPerCaller } = input;
  const { rows } = await sql<Omit<ClaimedPipeline, "caller"> & { readonly caller: StoredCaller }>`
    select id, kind, share, request, caller, base_url as "baseUrl", attempt, failures, deaths from claim_pipelines(
      ${input.worker}, ${input.lane}, ${[...places.keys()]}, ${[...places.values()]}, ${[...running.keys()]},
      ${[...running.values()]}, ${runningPerCaller}, ${runningInAll}, ${limit}, ${leaseMs}
    )
  `.execute(db);
  return rows.map((row) => ({ ...row, caller: callerOf(row.caller) }));
}

/** The pipeline of a run that still holds it. */
export async function findClaimed(db: Db, { attempt, id, worker }: Run): Promise<ClaimedPipeline | null> {
  const { rows } = await sql<Omit<ClaimedPipeline, "caller"> & { readonly caller: StoredCaller }>`
    select id, kind, share, request, caller, base_url as "baseUrl", attempt, failures, deaths from pipelines
    where id = ${id} and attempt = ${attempt} and worker = ${worker} and status = 'PROCESSING'
  `.execute(db);
  const [row] = rows;
  return row === undefined ? null : { ...row, caller: callerOf(row.caller) };
}

/**
 * Prolongs the leases of the worker's runs and returns the ids it still holds. A row that another transaction has
 * locked ends or is cancelled at this moment: it counts as held, and nobody can claim it meanwhile.
 */
export async function extendLeases(db: Db, worker: string, ids: readonly string[], leaseMs: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with held as (
      select id from pipelines
      where id = any(${[...ids]}::text[]) and worker = ${worker} and status = 'PROCESSING'
      order by id
      for no key update skip locked
    ), extended as (
      update pipelines set claimable_at = now() + ${leaseMs} * interval '1 millisecond'
      where id = any(array(select id from held))
    )
    select id from pipelines where id = any(${[...ids]}::text[]) and worker = ${worker} and status = 'PROCESSING'
  `.execute(db);
  return rows.map((row) => row.id);
}

/**
 * Ends the leases of all workers. Only for a service that knows to be the only one on its database. Pipelines
 * of its killed predecessor are then taken up at once instead of after the lease.
 */
export async function endAllLeases(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    update pipelines set claimable_at = now()
    where id = any(array(
      select id from pipelines where status = 'PROCESSING' and claimable_at > now() and worker is not null
      order by id for no key update skip locked
    ))
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
