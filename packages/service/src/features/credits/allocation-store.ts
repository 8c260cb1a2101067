import type { Coverage, CoveragePart } from "@swath/kernel/credits/coverage";
import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { AllocatedArea } from "@swath/contract/features/credits/contract";
import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { Funds, Refusal } from "./refusal.ts";
import type { NewTransaction } from "./store.ts";

/** How what a group holds of a scene changes. */
export interface CoverageChange {
  readonly sceneKey: string;
  /** The version that the change was planned against. */
  readonly version: bigint;
  readonly before: Coverage;
  readonly after: Coverage;
}

/** The idempotency key and the hash of a request. */
export interface NamedRequest {
  readonly key: string;
  readonly hash: string;
}

export interface Allocation<Answer extends object> {
  readonly groupId: string;
  readonly userId: string;
  readonly at: Date;
  /** Null for a request without an idempotency key. */
  readonly request: NamedRequest | null;
  readonly cost: MicroCredits;
  /** The caller's answer without the remaining credit. */
  readonly answer: Omit<Answer, "remainingCredit">;
  readonly entries: readonly NewTransaction[];
  readonly changes: readonly CoverageChange[];
}

/** How an allocation ended; nothing was written unless it is done. */
export type AllocationOutcome<Answer extends object> =
  /** `answer` is kept for repeats of the request, which are `answered` with it. */
  | { readonly status: "done" | "answered"; readonly answer: Answer }
  /** The idempotency key belongs to another request. */
  | { readonly status: "conflict" }
  /** The coverage of the group has changed since the plan was made. */
  | { readonly status: "moved" }
  | ({ readonly status: "refused"; readonly refusal: Refusal } & Funds);

interface OutcomeRow<Answer extends object> {
  n: number;
  status: "done" | "answered" | "conflict" | "moved" | Refusal;
  remaining: string;
  used: string;
  user_limit: string | null;
  answer: Answer | null;
}

function toOutcome<Answer extends object>(row: OutcomeRow<Answer>): AllocationOutcome<Answer> {
  const { status, answer } = row;
  if (status === "conflict" || status === "moved") return { status };
  if (status === "done" || status === "answered") {
    if (answer === null) throw new Error(`credit_allocate was ${status} without an answer`);
    return { status, answer };
  }
  return {
    status: "refused",
    refusal: status,
    remainingMicro: BigInt(row.remaining),
    limitMicro: row.user_limit === null ? null : BigInt(row.user_limit),
    usedMicro: BigInt(row.used),
  };
}

function entryDocument(entry: NewTransaction) {
  const { id, allocationId, provider, dataset, sceneId, sceneKey, mapType, tiles, geometry, areaM2 } = entry;
  const micro = String(entry.micro);
  return { id, allocationId, provider, dataset, sceneId, sceneKey, mapType, tiles, geometry, areaM2, micro };
}

interface NumberedChange {
  readonly n: number;
  readonly group: string;
  readonly change: CoverageChange;
}

function headDocument({ n, group, change: { sceneKey: key, version, after } }: NumberedChange) {
  const { billedM2 } = after;
  const [areaCm2, chargeableCm2] = [String(after.areaCm2), String(after.chargeableCm2)];
  return { n, group, key, version: String(version), areaCm2, chargeableCm2, billedM2 };
}

function partDocument({ bounds: [west, south, east, north], areaCm2, geometry }: CoveragePart) {
  return { west, south, east, north, areaCm2: String(areaCm2), coordinates: geometry.coordinates };
}

/** The changes as the functions of the database take them. */
function changeDocuments(changes: readonly NumberedChange[]) {
  const removed = changes.flatMap(({ n, change: { before, after } }) => {
    const kept = new Set(after.parts.map(({ id }) => id));
    return before.parts.flatMap(({ id }) => (id === null || kept.has(id) ? [] : [{ n, id }]));
  });
  const inserted = changes.flatMap(({ n, group, change: { sceneKey: key, after } }) =>
    after.parts.flatMap((part) => (part.id === null ? [{ n, group, key, ...partDocument(part) }] : [])),
  );
  return {
    heads: JSON.stringify(changes.map(headDocument)),
    parts: JSON.stringify(inserted),
    removed: removed.map(({ id }) => id),
    removedBy: removed.map(({ n }) => n),
  };
}

/**
 * Locks groups and users, judges the allocations and writes those that are allowed: one statement, which is its own
 * transaction outside of one. No two of them change the same scene of a group.
 *
 * @returns the outcomes in the order of the allocations
 */
export async function allocateAll<Answer extends object>(
  db: Db,
  allocations: readonly Allocation<Answer>[],
): Promise<readonly AllocationOutcome<Answer>[]> {
  const at = allocations[0]?.at;
  if (at === undefined) return [];
  const requests = allocations.map(({ groupId, userId, request, cost, answer }, n) => ({
    n,
    group: groupId,
    user: userId,
    request: request?.key ?? null,
    hash: request?.hash ?? null,
    cost: String(cost),
    answer,
  }));
  const entries = allocations.flatMap(({ groupId, userId, entries: all }, n) =>
    all.map((entry) => ({ n, group: groupId, user: userId, ...entryDocument(entry) })),
  );
  const { heads, parts, removed, removedBy } = changeDocuments(
    allocations.flatMap(({ groupId: group, changes }, n) => changes.map((change) => ({ n, group, change }))),
  );
  const { rows } = await sql<OutcomeRow<Answer>>`
    select * from credit_allocate(${at}, ${JSON.stringify(requests)}, ${JSON.stringify(entries)}, ${heads}, ${parts},
      ${removed}, ${removedBy})`.execute(db);
  const outcomes = new Map(rows.map((row) => [row.n, toOutcome(row)]));
  return allocations.map((_, n) => {
    const outcome = outcomes.get(n);
    if (outcome === undefined) throw new Error("credit_allocate returned too few rows");
    return outcome;
  });
}

export async function allocate<Answer extends object>(
  db: Db,
  allocation: Allocation<Answer>,
): Promise<AllocationOutcome<Answer>> {
  const [outcome] = await allocateAll(db, [allocation]);
  if (outcome === undefined) throw new Error("one allocation has one outcome");
  return outcome;
}

/** Writes what a group holds of a scene, without the log; the caller has locked the group. */
export async function growCoverage(trx: Trx, groupId: string, change: CoverageChange): Promise<void> {
  const { heads, parts, removed, removedBy } = changeDocuments([{ n: 0, group: groupId, change }]);
  await sql`select credit_grow_coverage(array[0], ${heads}, ${parts}, ${removed}, ${removedBy})`.execute(trx);
}

/** The answer to an earlier request; a conflict when its content was different. */
export type EarlierAnswer =
  | { readonly status: "answered"; readonly answer: AllocatedArea }
  | { readonly status: "conflict" };

/** The answer to an earlier request with the same key; null when there is none. */
export async function readAnswer(db: Db, groupId: string, { key, hash }: NamedRequest): Promise<EarlierAnswer | null> {
  const { rows } = await sql<{ request_hash: string; answer: AllocatedArea }>`
    select request_hash, answer from credit_requests
    where group_id = ${groupId} and idempotency_key = ${key}`.execute(db);
  const row = rows[0];
  if (row === undefined) return null;
  return row.request_hash === hash ? { status: "answered", answer: row.answer } : { status: "conflict" };
}
