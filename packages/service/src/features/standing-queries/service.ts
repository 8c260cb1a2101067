import { randomUUID } from "node:crypto";
import type { Static } from "typebox";
import type { Clock } from "@swath/base/clock";
import type { SearchRequest } from "@swath/contract/features/imagery/contract";
import {
  LATEST_MATCHES,
  MAX_STANDING_QUERIES,
  MAX_WATCHED_AREAS,
  STANDING_QUERIES_PAGE,
  type DetailedQuery,
  type StandingQuery,
  type standingQueriesContract,
} from "@swath/contract/features/standing-queries/contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { formatInstant } from "@swath/kernel/time/instant";
import type { Caller, Db, Trx } from "../../platform/context.ts";
import { numberCursor } from "../../platform/number-cursor.ts";
import { pageOf } from "../../platform/page-of.ts";
import type { Identity } from "../../platform/identity/identity.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { ImageryService } from "../imagery/service.ts";
import { maySee } from "../imagery/visibility.ts";
import { matchArrivals } from "./match-arrivals.ts";
import { takeMatches, type WaitingMatch } from "./match-store.ts";
import * as store from "./query-store.ts";
import { requireFilter } from "./scene-filter.ts";
import { readCriteria, type StoredCriteria, type WatchConditions } from "./stored-criteria.ts";
import { watchPlan, type WatchPlan } from "./watched-areas.ts";

type Contract = typeof standingQueriesContract;
type CreateRequest = Static<Contract["create"]["request"]>;
type UpdateRequest = Static<Contract["update"]["request"]>;
type Page = Static<Contract["list"]["response"]>;

/** A query of a monitor, whose areas were read outside of the transaction. */
interface PlannedQuery {
  readonly owner: Caller;
  readonly name: string;
  readonly enabled: boolean;
  readonly geojson: GeoJson;
  readonly conditions: WatchConditions;
  readonly plan: WatchPlan;
}

/** Searches that are kept. A query of another user does not exist: NON-EXISTENT-STANDING-QUERY. */
export interface StandingQueriesService {
  /** @throws {ServiceError} VALIDATION-ERROR; CONFLICT beyond the limits of a user; of a search */
  create(caller: Caller, request: CreateRequest, signal: AbortSignal): Promise<StandingQuery>;
  /** @throws {ServiceError} NON-EXISTENT-STANDING-QUERY, VALIDATION-ERROR */
  update(caller: Caller, request: UpdateRequest): Promise<StandingQuery>;
  /** @throws {ServiceError} INVALID-CURSOR */
  list(caller: Caller, cursor: string | undefined): Promise<Page>;
  /** @throws {ServiceError} NON-EXISTENT-STANDING-QUERY */
  get(caller: Caller, queryId: string): Promise<DetailedQuery>;
  /** @throws {ServiceError} NON-EXISTENT-STANDING-QUERY */
  delete(caller: Caller, queryId: string): Promise<Record<string, never>>;
  /** Matches scenes that became known. @returns how many matches were written */
  matchArrivals(signal: AbortSignal): Promise<number>;
  /** Removes old matches. */
  forgetMatches(signal: AbortSignal): Promise<void>;
  /** Reads areas and conditions as `create` does. */
  plan(areas: GeoJson, conditions: WatchConditions, signal: AbortSignal): Promise<WatchPlan>;
  /** Creates the query of a monitor; its ID. @throws {ServiceError} CONFLICT beyond the limits of a user */
  createForMonitor(trx: Trx, query: PlannedQuery): Promise<string>;
  /** Changes the query of a monitor that the transaction has locked. */
  changeForMonitor(
    trx: Trx,
    ownerId: string,
    change: Omit<UpdateRequest, "queryId"> & { readonly id: string },
  ): Promise<void>;
  deleteForMonitor(trx: Trx, ownerId: string, id: string): Promise<void>;
  /** Takes matches of monitors, each once. */
  takeForMonitors(trx: Trx, limit: number): Promise<readonly WaitingMatch[]>;
}

export interface StandingQueriesDeps {
  readonly clock: Clock;
  readonly db: Db;
  readonly identity: Pick<Identity, "recentCallers">;
  readonly imagery: Pick<ImageryService, "datasetKey" | "planSearch">;
}

const pages = numberCursor("standing-query:1:");
/** Older matches are removed. */
const MATCHES_KEPT_MS = 400 * 86_400_000;
const REMOVED_TOGETHER = 1_000;

export function createStandingQueries(deps: StandingQueriesDeps): StandingQueriesService {
  const { clock, db } = deps;
  const plan: StandingQueriesService["plan"] = async (areas, conditions, signal) => {
    if (conditions.filter !== undefined) requireFilter(conditions.filter, "/filter");
    const { filter: _, ...search } = conditions;
    return await watchPlan(deps.imagery.planSearch, areas, search satisfies Omit<SearchRequest, "extent">, signal);
  };
  return {
    plan,
    async create(caller, { areas, enabled = true, name, ...conditions }, signal) {
      const query = {
        owner: caller,
        name,
        enabled,
        geojson: areas,
        conditions,
        plan: await plan(areas, conditions, signal),
      };
      return await inTransaction(db, async (trx) => {
        const id = await insert(deps, trx, query, "user");
        return shownQuery(await locked(trx, caller.userId, id, "user"));
      });
    },
    update: async (caller, { queryId, ...change }) =>
      await inTransaction(db, async (trx) => {
        await changeQuery(trx, caller.userId, queryId, "user", change, clock.now());
        return shownQuery(await locked(trx, caller.userId, queryId, "user"));
      }),
    list: (caller, cursor) => listQueries(db, caller, cursor),
    get: (caller, queryId) => getQuery(db, caller, queryId),
    async delete({ userId }, queryId) {
      if (!(await store.deleteQuery(db, userId, queryId, "user"))) throw unknownQuery(queryId);
      return {};
    },
    matchArrivals: (signal) => matchArrivals(deps, signal),
    async forgetMatches(signal) {
      const before = new Date(clock.now().getTime() - MATCHES_KEPT_MS);
      let removed = REMOVED_TOGETHER;
      while (removed === REMOVED_TOGETHER && !signal.aborted) {
        removed = await store.removeMatches(db, before, REMOVED_TOGETHER);
      }
    },
    createForMonitor: (trx, query) => insert(deps, trx, query, "monitor"),
    changeForMonitor: (trx, ownerId, { id, ...change }) =>
      changeQuery(trx, ownerId, id, "monitor", change, clock.now()),
    deleteForMonitor: async (trx, ownerId, id) => void (await store.deleteQuery(trx, ownerId, id, "monitor")),
    takeForMonitors: takeMatches,
  };
}

async function insert(
  { clock, imagery }: StandingQueriesDeps,
  trx: Trx,
  { conditions, enabled, geojson, name, owner, plan }: PlannedQuery,
  purpose: store.Purpose,
): Promise<string> {
  await store.lockOwner(trx, owner.userId);
  const { boxes, queries } = await store.readUse(trx, owner.userId);
  const added = plan.areas.length * plan.datasets.length;
  if (queries >= MAX_STANDING_QUERIES) {
    throw new ServiceError(
      "CONFLICT",
      `you have ${queries} standing queries and monitors, expected fewer than ${MAX_STANDING_QUERIES}`,
    );
  }
  if (boxes + added > MAX_WATCHED_AREAS) {
    const message = `${boxes} areas times datasets are watched for you and ${added} would be added`;
    throw new ServiceError("CONFLICT", `${message}, expected at most ${MAX_WATCHED_AREAS} together`);
  }
  const datasetKeys: number[] = [];
  for (const dataset of plan.datasets) datasetKeys.push(await imagery.datasetKey(trx, dataset));
  const { from: fromMs, threshold, to: toMs } = plan;
  const criteria: StoredCriteria = { conditions, threshold, fromMs, toMs };
  const id = randomUUID();
  await store.insertQuery(trx, {
    id,
    owner_id: owner.userId,
    purpose,
    name,
    enabled,
    criteria: JSON.stringify(criteria),
    geojson: JSON.stringify(geojson),
    areas: plan.areas,
    datasetKeys,
    at: clock.now(),
  });
  return id;
}

async function locked(trx: Trx, ownerId: string, id: string, purpose: store.Purpose): Promise<store.QueryRow> {
  const row = await store.lockQuery(trx, ownerId, id, purpose);
  if (row === null) throw unknownQuery(id);
  return row;
}

async function changeQuery(
  trx: Trx,
  ownerId: string,
  id: string,
  purpose: store.Purpose,
  { enabled, filter, name }: Omit<UpdateRequest, "queryId">,
  at: Date,
): Promise<void> {
  if (filter !== undefined) requireFilter(filter, "/filter");
  const row = await locked(trx, ownerId, id, purpose);
  const { conditions, ...rest } = readCriteria(row.criteria);
  const criteria =
    filter === undefined ? row.criteria : JSON.stringify({ ...rest, conditions: { ...conditions, filter } });
  await store.updateQuery(trx, { id, name: name ?? row.name, enabled: enabled ?? row.enabled, criteria }, at);
}

async function listQueries(db: Db, { userId }: Caller, cursor: string | undefined): Promise<Page> {
  const before = cursor === undefined ? null : pages.decode(cursor);
  const rows = await store.listQueries(db, userId, before, STANDING_QUERIES_PAGE + 1);
  return pageOf(rows, STANDING_QUERIES_PAGE, shownQuery, ({ serial }) => pages.encode(serial));
}

async function getQuery(db: Db, caller: Caller, queryId: string): Promise<DetailedQuery> {
  const row = await store.readQuery(db, caller.userId, queryId);
  if (row === null) throw unknownQuery(queryId);
  const matches = await store.latestMatches(db, queryId, LATEST_MATCHES);
  return {
    ...shownQuery(row),
    areas: JSON.parse(row.areas),
    matches: matches
      .filter(({ audience }) => maySee(caller, audience))
      .map((match) => ({
        sceneId: match.scene_id,
        provider: match.provider,
        dataset: match.dataset,
        datetime: formatInstant(match.acquired_at.getTime()),
        matchedAt: match.matched_at.toISOString(),
      })),
  };
}

function shownQuery(row: store.QueryRow): StandingQuery {
  const { conditions } = readCriteria(row.criteria);
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    ...conditions,
    areaCount: row.area_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function unknownQuery(id: string): ServiceError {
  return new ServiceError("NON-EXISTENT-STANDING-QUERY", `you have no standing query ${id}`);
}
