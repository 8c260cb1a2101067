import { isGranted } from "@swath/kernel/permissions/permission";
import { parseQuery } from "@swath/kernel/query/parse-query";
import { valueOf } from "@swath/kernel/query/predicate";
import { QueryError } from "@swath/kernel/query/query-error";
import { QueryReader } from "@swath/kernel/query/query-reader";
import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { Caller, Trx } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type {
  featureStoreContract,
  FoundFeature,
  NewFeature,
  StoredFeature,
} from "@swath/contract/features/feature-store/contract";
import { readCursor, writeCursor } from "./cursor.ts";
import { distinctOf } from "./distinct-values.ts";
import { type FeatureRow, featureRow } from "./feature-document.ts";
import { type FindDeps, findFeatures, type FoundRow, planQuery } from "./find-features.ts";
import { projected, readProjection } from "./projection.ts";
import { readSort } from "./sort-order.ts";
import * as store from "./store.ts";
import { documentEntries } from "./value-entry.ts";

type SearchRequest = Static<(typeof featureStoreContract)["search"]["request"]>;
type Query = Readonly<Record<string, unknown>>;

export interface FeatureStoreService {
  /**
   * Stores features, all or none, each once, and answers their ids in the same order.
   *
   * @throws {ServiceError} VALIDATION-ERROR with the path of the fault
   */
  create(features: readonly NewFeature[], signal?: AbortSignal): Promise<string[]>;
  /** @throws {ServiceError} NON-EXISTENT-FEATURE, also for a feature the caller has no right to */
  get(id: string, caller: Caller): Promise<StoredFeature>;
  /** @throws {ServiceError} as `get` */
  remove(id: string, caller: Caller): Promise<Record<string, never>>;
  /** Replaces the feature of that id and answers the id of the new one. @throws {ServiceError} as `get` and `create` */
  modify(feature: StoredFeature, caller: Caller, signal?: AbortSignal): Promise<string>;
  /** @throws {ServiceError} VALIDATION-ERROR with the path of the offending node, INVALID-CURSOR */
  search(request: SearchRequest, signal: AbortSignal): Promise<{ results: FoundFeature[]; cursor: string | null }>;
  count(query: Query, signal: AbortSignal): Promise<number>;
  /** Each value once, at most 10 000. */
  distinctValues(property: string, query: Query, signal: AbortSignal): Promise<unknown[]>;
}

const DEFAULT_PAGE_SIZE = 100;
const MAX_DISTINCT_VALUES = 10_000;
const RESERVED: ReadonlySet<string> = new Set(["query", "_fields", "_limit", "_sort", "cursor"]);

export interface FeatureStoreDeps extends FindDeps {
  readonly areas: Pick<Areas, "requireUntangled">;
}

export function createFeatureStoreService(deps: FeatureStoreDeps): FeatureStoreService {
  const { areas, db } = deps;
  return {
    async create(features, signal) {
      const rows: FeatureRow[] = [];
      const share = loopShare();
      for (const [index, feature] of features.entries()) {
        if (isUsedUp(share)) await giveWay(share, signal);
        rows.push(await newRow(areas, feature, `/features/${index}`, signal));
      }
      await inTransaction(db, (trx) => insert(trx, rows));
      return rows.map(({ featureId }) => featureId);
    },

    async get(id, caller) {
      const row = reachable(await store.findFeature(db, id), "get", caller);
      return {
        type: "Feature",
        id: row.feature_id,
        geometry: row.geometry === null ? null : JSON.parse(row.geometry),
        properties: row.properties,
      };
    },

    async remove(id, caller) {
      await inTransaction(db, async (trx) => {
        await removeRow(trx, reachable(await store.lockFeature(trx, id), "delete", caller));
      });
      return {};
    },

    async modify(feature, caller, signal) {
      const { type, geometry, properties } = feature;
      const row = await featureRow(areas, { type, geometry, properties }, "", signal);
      await inTransaction(db, async (trx) => {
        const old = reachable(await store.lockFeature(trx, feature.id), "modify", caller);
        if (old.feature_id === row.featureId) return;
        await insert(trx, [row]);
        await removeRow(trx, old);
      });
      return row.featureId;
    },

    async search(request, signal) {
      const { _fields: fields, _limit: limit = DEFAULT_PAGE_SIZE, _sort: sortFields = [] } = request;
      const node = understood(() => parseQuery(...queryOf(request)));
      const sort = understood(() => readSort(sortFields, "/_sort"));
      const projection = understood(() => readProjection(fields, "/_fields"));
      const after = request.cursor === undefined ? null : readCursor(request.cursor, node, sort);
      const plan = await planQuery(db, node);
      const rows: FoundRow[] = [];
      // One more tells whether there is another page.
      const options = { sort, after, wanted: limit + 1, withGeometry: projection.geometry };
      for await (const batch of findFeatures(deps, plan, options, signal)) rows.push(...batch);
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        results: rows.slice(0, limit).map((row) => projected(row, projection)),
        cursor: last === undefined ? null : writeCursor(last.position, node, sort),
      };
    },

    async count(query, signal) {
      const plan = await planQuery(
        db,
        understood(() => parseQuery(query, "/query")),
      );
      if (plan.isExact) return await store.countFeatures(db, plan.selection);
      let count = 0;
      for await (const batch of findFeatures(deps, plan, ALL_ROWS, signal)) count += batch.length;
      return count;
    },

    async distinctValues(property, query, signal) {
      const node = understood(() => parseQuery(query, "/query"));
      const field = understood(() => new QueryReader().valueField(property, "/property"));
      const plan = await planQuery(db, node);
      if (plan.isExact) return await store.distinctValues(db, plan.selection, field, MAX_DISTINCT_VALUES);
      const distinct = distinctOf();
      for await (const batch of findFeatures(deps, plan, ALL_ROWS, signal)) {
        for (const row of batch) {
          distinct.add(valueOf({ id: row.feature_id, properties: row.properties, geometry: null }, field));
        }
      }
      return distinct.values(MAX_DISTINCT_VALUES);
    },
  };
}

const ALL_ROWS = { sort: [], after: null, wanted: null, withGeometry: false } as const;

async function newRow(
  areas: FeatureStoreDeps["areas"],
  feature: NewFeature,
  path: string,
  signal: AbortSignal | undefined,
): Promise<FeatureRow> {
  if ("id" in feature && feature.id !== null && feature.id !== undefined) {
    const message = "must not be given: the service makes ids";
    throw new ServiceError("VALIDATION-ERROR", `${path}/id ${message}`, { details: [{ path: `${path}/id`, message }] });
  }
  return await featureRow(areas, feature, path, signal);
}

/** In the order of ids, so that rivals with the same features wait for each other instead of blocking. */
async function insert(trx: Trx, rows: readonly FeatureRow[]): Promise<void> {
  const byId = new Map(rows.map((row) => [row.featureId, row]));
  const unique = [...byId.values()].toSorted((a, b) => (a.featureId < b.featureId ? -1 : 1));
  const inserted = await store.insertFeatures(trx, unique);
  const entries: string[] = [];
  const keys: number[] = [];
  for (const { feature_id: featureId, feature_key: featureKey } of inserted) {
    for (const entry of byId.get(featureId)?.entries ?? []) {
      entries.push(entry);
      keys.push(featureKey);
    }
  }
  if (entries.length > 0) await store.insertValues(trx, entries, keys);
}

async function removeRow(trx: Trx, row: store.StoredRow): Promise<void> {
  await store.deleteValues(trx, documentEntries(row.properties), row.feature_key);
  await store.deleteFeature(trx, row.feature_key);
}

/**
 * The row, for a caller with the right to its collection. For others it does not exist, and those without any such
 * right learn no more than that they have none.
 */
function reachable(row: store.StoredRow | null, action: "get" | "delete" | "modify", caller: Caller): store.StoredRow {
  const namespace = `geojsondb.${action}`;
  if (row !== null && isGranted(caller.permissions, `${namespace}.${row.properties.collection}`)) return row;
  const holdsSome =
    isGranted(caller.permissions, namespace) ||
    caller.permissions.values().some((held) => held.startsWith(`${namespace}.`));
  if (!holdsSome) throw new ServiceError("NOT-AUTHORIZED", `This needs a permission ${namespace}.<collection>`);
  throw new ServiceError("NON-EXISTENT-FEATURE", "There is no feature of that id that you have a right to");
}

/** The query of a search, and its place: the member of that name, or whatever is not reserved. */
function queryOf(request: SearchRequest): [query: unknown, path: string] {
  if (request.query !== undefined) return [request.query, "/query"];
  return [Object.fromEntries(Object.entries(request).filter(([name]) => !RESERVED.has(name))), ""];
}

function understood<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { path, message } = error;
    throw new ServiceError("VALIDATION-ERROR", `${path === "" ? "The query" : path}: ${message}`, {
      details: [{ path, message }],
      cause: error,
    });
  }
}
