import { boundsOf, type Coverage } from "@swath/kernel/credits/coverage";
import type { PriceRule } from "@swath/kernel/credits/pricing";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sql } from "kysely";
import type { Db } from "../../platform/context.ts";

/** The coverage of a group in a scene, near an area. */
export interface VersionedCoverage extends Coverage {
  /** Counts the changes of the whole scene's coverage; 0 when the group holds nothing. */
  readonly version: bigint;
}

/** The part of one scene that a request is about. */
export interface StateQuestion {
  readonly sceneKey: string;
  /** Parts that do not meet it are left out. */
  readonly bounds: Bounds;
}

export interface StateRequest {
  readonly groupId: string;
  readonly at: Date;
  readonly providers: readonly string[];
  readonly datasets: readonly string[];
  readonly mapTypes: readonly string[];
  readonly coverage: readonly StateQuestion[];
}

/** Tier and coverage of a group, and the prices that may apply to it, from one snapshot. */
export interface LedgerState {
  readonly tier: string;
  /** Those that may apply to it, and others. */
  readonly rules: readonly PriceRule[];
  /** By scene key; scenes of which the group holds nothing are absent. */
  readonly coverage: ReadonlyMap<string, VersionedCoverage>;
}

interface StateRow {
  n: number;
  tier: string;
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

function toState(row: StateRow, rules: readonly PriceRule[]): LedgerState {
  return {
    tier: row.tier,
    rules,
    coverage: new Map((row.coverage ?? []).map((held) => [held.key, toCoverage(held)])),
  };
}

/**
 * States of several groups, or for several requests of one, in one statement.
 *
 * @returns the states in the order of the requests; their rules are those that may apply to any of them
 */
export async function readStates(db: Db, requests: readonly StateRequest[]): Promise<readonly LedgerState[]> {
  const at = requests.at(-1)?.at;
  if (at === undefined) return [];
  const keys = requests.flatMap(({ coverage }, index) => coverage.map((question) => ({ of: index + 1, ...question })));
  const { rows } = await sql<StateRow>`
    select * from credit_states(${at}, ${requests.map(({ groupId }) => groupId)},
      ${namesOf(requests, "providers")}, ${namesOf(requests, "datasets")}, ${namesOf(requests, "mapTypes")}, ${keys.map(({ of }) => of)},
      ${keys.map(({ sceneKey }) => sceneKey)}, ${keys.flatMap(({ bounds }) => bounds)})`.execute(db);
  const byRequest = new Map(rows.map((row) => [row.n, row]));
  const rules = (byRequest.get(1)?.rules ?? []).map((rule) => ({ ...rule, microPerKm2: BigInt(rule.microPerKm2) }));
  return requests.map((_, index) => {
    const row = byRequest.get(index + 1);
    if (row === undefined) throw new Error("credit_states returned too few rows");
    return toState(row, rules);
  });
}

export async function readState(db: Db, request: StateRequest): Promise<LedgerState> {
  const [state] = await readStates(db, [request]);
  if (state === undefined) throw new Error("one request has one state");
  return state;
}

/** The parts that a group holds near an area, by scene key; scenes without any are absent. */
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
