import type { Client } from "@swath/client";

export type Transaction = Awaited<ReturnType<typeof listTransactions>>["results"][number];

export type LedgerKind = "opening" | Transaction["kind"];

/** A row of the ledger: a change of the balance. */
export interface LedgerRow {
  readonly id: string;
  readonly kind: LedgerKind;
  /** As the service writes it; null before the first entry. */
  readonly time: string | null;
  /** Millionths of a credit, negative where the balance falls: sums are exact. */
  readonly micro: number;
  readonly areaKm2: number | null;
  readonly dataset: string | null;
  readonly userId: string | null;
}

const MICRO = 1_000_000;
const PAGE = 1_000;

/** Millionths of credits, which have six digits. */
export function microOf(credits: number): number {
  return Math.round(credits * MICRO);
}

/** One page of the credit log, of the group or of the user alone. */
export async function listTransactions(calls: Client, scope: "group" | "user", cursor: string | null) {
  const request = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
  return scope === "group"
    ? await calls.call("/credits/group/list-transactions", request)
    : await calls.call("/credits/user/list-transactions", request);
}

/**
 * Rows whose sum is the balance: the entries, and before them the credit that was there.
 *
 * @param balance credits
 * @param entries newest first
 */
export function ledgerRows(balance: number, entries: readonly Transaction[]): readonly LedgerRow[] {
  const rows = entries.map(({ id, kind, time, credit, areaKm2, dataset, userId }): LedgerRow => ({
    id,
    kind,
    time,
    micro: -microOf(credit),
    areaKm2,
    dataset: dataset ?? null,
    userId,
  }));
  const openingMicro = microOf(balance) - sumMicro(rows);
  const opening = { areaKm2: null, dataset: null, userId: null, time: null, micro: openingMicro };
  return [...rows, { ...opening, id: "opening", kind: "opening" }];
}

/** Conditions on the rows; days are UTC, `YYYY-MM-DD`, and empty where open. */
export interface LedgerFilter {
  readonly start: string;
  readonly end: string;
  readonly kind: LedgerKind | "";
}

export const NO_FILTER: LedgerFilter = { start: "", end: "", kind: "" };

export function filteredRows(rows: readonly LedgerRow[], { start, end, kind }: LedgerFilter): readonly LedgerRow[] {
  return rows.filter((row) => {
    const day = row.time?.slice(0, 10) ?? "";
    return (kind === "" || row.kind === kind) && day >= start && (end === "" || day <= end);
  });
}

export function sumMicro(rows: readonly LedgerRow[]): number {
  return rows.reduce((sum, { micro }) => sum + micro, 0);
}

/** Spending by a member of the rows, the largest first. */
export function spendingBy(rows: readonly LedgerRow[], member: "dataset" | "userId") {
  const sums = new Map<string | null, number>();
  for (const row of rows) {
    if (row.kind === "opening") continue;
    sums.set(row[member], (sums.get(row[member]) ?? 0) - row.micro);
  }
  return [...sums].map(([name, micro]) => ({ name, micro })).toSorted((a, b) => b.micro - a.micro);
}

export function creditsOf(micro: number): number {
  return micro / MICRO;
}
