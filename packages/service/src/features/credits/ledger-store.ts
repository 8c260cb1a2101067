import { boundsOf, type Coverage, type CoveragePart } from "@swath/kernel/credits/coverage";
import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { PriceRule } from "@swath/kernel/credits/pricing";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";
import { KEEP_PLAN } from "../../platform/postgres/kept-plans.ts";
import { DEFAULT_TIER, type NewTransaction } from "./store.ts";

const planned = sql.raw(KEEP_PLAN);

/** What a group holds of a scene near an area. */
export interface VersionedCoverage extends Coverage {
  /** Counts the changes of what the group holds of the whole scene; 0 when it holds nothing. */
  readonly version: bigint;
}

/** What is asked for of one scene. */
export interface StateQuestion {
  readonly sceneKey: string;
  /** Parts that do not meet it are left out. */
  readonly bounds: Bounds;
}

export interface StateRequest {
  readonly groupId: string;
  readonly at: Date;
  readonly idempotencyKey: string | null;
  readonly providers: readonly string[];
  readonly datasets: readonly string[];
  readonly mapTypes: readonly string[];
  readonly coverage: readonly StateQuestion[];
}

/** What a request with an idempotency key was answered. */
export interface StoredAnswer<Answer extends object> {
  readonly requestHash: string;
  readonly answer: Answer;
}

/** What a group has and holds, and the prices that may apply to it: all of one snapshot. */
export interface LedgerState<Answer extends object> {
  readonly tier: string;
  readonly licenseUntil: Date | null;
  /** What the request with this key was answered before; null when it is new. */
  readonly earlier: StoredAnswer<Answer> | null;
  /** Those that may apply to it, and others. */
  readonly rules: readonly PriceRule[];
  /** By scene key; scenes of which the group holds nothing are absent. */
  readonly coverage: ReadonlyMap<string, VersionedCoverage>;
}

interface StateRow<Answer extends object> {
  n: number;
  tier: string | null;
  license_until: Date | null;
  request_hash: string | null;
  answer: Answer | null;
  /** In the first row; those that may apply to any of the requests. */
  rules: readonly RuleDocument[] | null;
  coverage: readonly CoverageDocument[] | null;
}

interface RuleDocument extends Omit<PriceRule, "microPerKm2"> {
  readonly microPerKm2: string;
}

interface CoverageDocument {
  readonly key: string;
  readonly version: string;
  readonly areaCm2: string;
  readonly chargeableCm2: string;
  readonly billedM2: number;
  readonly parts:
    | readonly { readonly id: string; readonly areaCm2: string; readonly coordinates: MultiPolygon["coordinates"] }[]
    | null;
}

function toCoverage({ version, areaCm2, chargeableCm2, billedM2, parts }: CoverageDocument): VersionedCoverage {
  return {
    version: BigInt(version),
    areaCm2: BigInt(areaCm2),
    chargeableCm2: BigInt(chargeableCm2),
    billedM2,
    parts: (parts ?? []).map((part) => ({
      id: part.id,
      bounds: boundsOf(part.coordinates),
      geometry: { type: "MultiPolygon", coordinates: part.coordinates },
      areaCm2: BigInt(part.areaCm2),
    })),
  };
}

function namesOf(requests: readonly StateRequest[], member: "providers" | "datasets" | "mapTypes"): string[] {
  return [...new Set(requests.flatMap((request) => request[member]))];
}

function toState<Answer extends object>(row: StateRow<Answer>, rules: readonly PriceRule[]): LedgerState<Answer> {
  return {
    tier: row.tier ?? DEFAULT_TIER,
    licenseUntil: row.license_until,
    earlier:
      row.request_hash === null || row.answer === null ? null : { requestHash: row.request_hash, answer: row.answer },
    rules,
    coverage: new Map((row.coverage ?? []).map((held) => [held.key, toCoverage(held)])),
  };
}

/**
 * States of several groups, or for several requests of one, in one statement.
 *
 * @returns the states in the order of the requests; their rules are those that may apply to any of them
 */
export async function readStates<Answer extends object>(
  db: Db,
  requests: readonly StateRequest[],
): Promise<readonly LedgerState<Answer>[]> {
  const at = requests.at(-1)?.at;
  if (at === undefined) return [];
  const keys = requests.flatMap(({ coverage }, index) => coverage.map((question) => ({ of: index + 1, ...question })));
  const { rows } = await sql<StateRow<Answer>>`${planned}
    select * from credit_states(${at}, ${requests.map(({ groupId }) => groupId)},
      ${requests.map(({ idempotencyKey }) => idempotencyKey)}, ${namesOf(requests, "providers")},
      ${namesOf(requests, "datasets")}, ${namesOf(requests, "mapTypes")}, ${keys.map(({ of }) => of)},
      ${keys.map(({ sceneKey }) => sceneKey)}, ${keys.flatMap(({ bounds }) => bounds)})`.execute(db);
  const byRequest = new Map(rows.map((row) => [row.n, row]));
  const rules = (byRequest.get(1)?.rules ?? []).map((rule) => ({ ...rule, microPerKm2: BigInt(rule.microPerKm2) }));
  return requests.map((_, index) => {
    const row = byRequest.get(index + 1);
    if (row === undefined) throw new Error("credit_states returned too few rows");
    return toState(row, rules);
  });
}

export async function readState<Answer extends object>(db: Db, request: StateRequest): Promise<LedgerState<Answer>> {
  const [state] = await readStates<Answer>(db, [request]);
  if (state === undefined) throw new Error("one request has one state");
  return state;
}

/** Of several scenes, the parts of what a group holds that are near an area; scenes without any are absent. */
export async function readHeldParts(
  db: Db,
  groupId: string,
  sceneKeys: readonly string[],
  [west, south, east, north]: Bounds,
): Promise<ReadonlyMap<string, MultiPolygon>> {
  const { rows } = await sql<{ key: string; parts: readonly MultiPolygon["coordinates"][] }>`
    select c.scene_key as key, json_agg(p.coordinates order by p.id) as parts
    from credit_coverage c join credit_coverage_parts p on p.coverage_id = c.id
    where c.group_id = ${groupId} and c.scene_key = any(${[...sceneKeys]}::text[])
      and p.extent && box(point(${west}, ${south}), point(${east}, ${north}))
    group by c.scene_key`.execute(db);
  return new Map(rows.map(({ key, parts }) => [key, { type: "MultiPolygon", coordinates: parts.flat() }]));
}

/** How what a group holds of a scene changes. */
export interface CoverageChange {
  readonly sceneKey: string;
  /** The version that the change was planned against. */
  readonly version: bigint;
  readonly before: Coverage;
  readonly after: Coverage;
}

export interface Allocation<Answer extends object> {
  readonly groupId: string;
  readonly userId: string;
  readonly at: Date;
  readonly request: { readonly key: string; readonly hash: string } | null;
  readonly cost: MicroCredits;
  /** What the caller is told, without the remaining credit. */
  readonly answer: Omit<Answer, "remainingCredit">;
  readonly entries: readonly NewTransaction[];
  readonly changes: readonly CoverageChange[];
}

/** How an allocation ended; nothing was written unless it is done. */
export type AllocationOutcome<Answer extends object> =
  /** `answer` is what the caller is told, as it is kept for repeats. */
  | { readonly status: "done"; readonly answer: Answer }
  | ({ readonly status: "answered" } & StoredAnswer<Answer>)
  | { readonly status: "expired"; readonly licenseUntil: Date | null }
  /** What the group holds has changed since the plan was made. */
  | { readonly status: "moved" }
  | {
      readonly status: "refused";
      readonly remainingMicro: MicroCredits;
      readonly limitMicro: MicroCredits | null;
      readonly usedMicro: MicroCredits;
    };

interface OutcomeRow<Answer extends object> {
  status: AllocationOutcome<Answer>["status"];
  license_until: Date | null;
  remaining: string | null;
  user_limit: string | null;
  used: string | null;
  request_hash: string | null;
  answer: Answer | null;
}

function entryDocument(entry: NewTransaction) {
  const { id, allocationId, provider, dataset, sceneId, sceneKey, mapType, tiles, geometry, areaM2 } = entry;
  const micro = String(entry.micro);
  return { id, allocationId, provider, dataset, sceneId, sceneKey, mapType, tiles, geometry, areaM2, micro };
}

function changeDocument({ sceneKey, version, before, after }: CoverageChange) {
  const kept = new Set(after.parts.map(({ id }) => id));
  return {
    key: sceneKey,
    version: String(version),
    areaCm2: String(after.areaCm2),
    chargeableCm2: String(after.chargeableCm2),
    billedM2: after.billedM2,
    removed: before.parts.flatMap(({ id }) => (id === null || kept.has(id) ? [] : [id])),
    inserted: after.parts.filter(({ id }) => id === null).map(partDocument),
  };
}

function partDocument({ bounds: [west, south, east, north], areaCm2, geometry }: CoveragePart) {
  return { west, south, east, north, areaCm2: String(areaCm2), coordinates: geometry.coordinates };
}

function toOutcome<Answer extends object>(row: OutcomeRow<Answer>): AllocationOutcome<Answer> {
  if (row.status === "expired") return { status: "expired", licenseUntil: row.license_until };
  if (row.status === "moved") return { status: "moved" };
  if (row.status === "refused") {
    return {
      status: "refused",
      remainingMicro: BigInt(row.remaining ?? 0),
      limitMicro: row.user_limit === null ? null : BigInt(row.user_limit),
      usedMicro: BigInt(row.used ?? 0),
    };
  }
  if (row.answer === null) throw new Error(`credit_allocate was ${row.status} without an answer`);
  if (row.status === "done") return { status: "done", answer: row.answer };
  return { status: "answered", requestHash: row.request_hash ?? "", answer: row.answer };
}

/**
 * Locks group and user, checks request, licence, versions and balances, and writes the log and what the group holds:
 * one statement, which is a transaction of its own outside of one.
 */
export async function allocate<Answer extends object>(
  db: Db,
  allocation: Allocation<Answer>,
): Promise<AllocationOutcome<Answer>> {
  const { groupId, userId, at, request, cost, answer, entries, changes } = allocation;
  const { rows } = await sql<OutcomeRow<Answer>>`${planned}
    select * from credit_allocate(${groupId}, ${userId}, ${at}, ${request?.key ?? null}, ${request?.hash ?? null},
      ${String(cost)}::bigint, ${JSON.stringify(answer)}, ${JSON.stringify(entries.map(entryDocument))},
      ${JSON.stringify(changes.map(changeDocument))})`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error("credit_allocate returned no row");
  return toOutcome(row);
}

/**
 * The same for allocations of which no two change the same scene of a group, in one statement and one transaction.
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
  const changes = allocations.flatMap(({ groupId: group, changes: all }, n) =>
    all.map((change) => ({ n, group, ...changeDocument(change) })),
  );
  const parts = changes.flatMap(({ n, group, key, inserted }) => inserted.map((part) => ({ n, group, key, ...part })));
  const removed = changes.flatMap(({ n, key, removed: ids }) => ids.map((id) => ({ n, key, id })));
  const heads = changes.map(({ n, group, key, version, areaCm2, chargeableCm2, billedM2 }) => ({
    n,
    group,
    key,
    version,
    areaCm2,
    chargeableCm2,
    billedM2,
  }));
  const { rows } = await sql<OutcomeRow<Answer> & { n: number }>`${planned}
    select * from credit_allocate_all(${at}, ${JSON.stringify(requests)}, ${JSON.stringify(entries)},
      ${JSON.stringify(heads)}, ${JSON.stringify(parts)}, ${removed.map(({ id }) => id)},
      ${removed.map(({ n }) => n)}, ${removed.map(({ key }) => key)})`.execute(db);
  const outcomes = new Map(rows.map((row) => [row.n, toOutcome(row)]));
  return allocations.map((_, n) => {
    const outcome = outcomes.get(n);
    if (outcome === undefined) throw new Error("credit_allocate_all returned too few rows");
    return outcome;
  });
}

/** Writes what a group holds, without the log; the caller has locked the group. */
export async function growCoverage(db: Db, groupId: string, changes: readonly CoverageChange[]): Promise<void> {
  await sql`select credit_grow_coverage(${groupId}, ${JSON.stringify(changes.map(changeDocument))})`.execute(db);
}
