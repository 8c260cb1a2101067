import { microToCredits, squareMetresToKm2 } from "@swath/kernel/credits/micro";
import { isGranted } from "@swath/kernel/permissions/permission";
import { formatInstant } from "@swath/kernel/time/instant";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db } from "../../platform/context.ts";
import { pageOf } from "../../platform/page-of.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type {
  Allocation,
  AllocationList,
  ListAllocationsRequest,
  ListGroupTransactionsRequest,
  ListUserTransactionsRequest,
  Transaction,
  TransactionList,
} from "@swath/contract/features/credits/history-contract";
import * as store from "./history-store.ts";
import { requestedPeriod } from "./period.ts";
import { payingGroupId } from "./paying-group.ts";

const PAGE_SIZE = 100;
const MAX_GEOMETRY_BYTES = 4 * 1024 * 1024;

export interface HistoryDeps {
  readonly db: Db;
  /** Knows the names that providers answer to; names are taken as they are unless given. */
  readonly findProvider: Catalog["findProvider"] | undefined;
}

/**
 * Refuses unless a caller may look into the books of a group: its own, one of its organization, or any with the
 * administrator's permission. An unknown group is refused in the same words.
 */
export async function requireReach(db: Db, caller: Caller, groupId: string, permission: string): Promise<void> {
  const own = payingGroupId(caller);
  if (groupId === own || isGranted(caller.permissions, permission)) return;
  if (own !== "" && (await store.areOfOneOrganization(db, own, groupId))) return;
  throw new ServiceError(
    "NOT-AUTHORIZED",
    `the group ${groupId} is not of the caller's organization: this needs the permission ${permission}`,
  );
}

/** How a request names providers, by their identifiers. */
type ProviderNames = ReadonlyMap<string, string>;

/** The first name of each provider counts; one that is not in the catalogue is taken as it is. */
function providerNames(asked: readonly string[], findProvider: HistoryDeps["findProvider"]): ProviderNames {
  return new Map(asked.toReversed().map((name) => [findProvider?.(name)?.id ?? name, name]));
}

/** Entries as the request names their providers: a client that asks by an alias compares answers with it. */
function named<Entry extends { readonly provider?: string }>(entry: Entry, names: ProviderNames): Entry {
  const name = entry.provider === undefined ? undefined : names.get(entry.provider);
  return name === undefined ? entry : { ...entry, provider: name };
}

function toAllocation(row: store.AllocationRow): Allocation {
  return {
    id: row.id,
    creationTime: formatInstant(row.created_at.getTime()),
    groupId: row.group_id,
    provider: row.provider,
    dataset: row.dataset,
    sceneId: row.scene_id,
    ...(row.map_type === null ? {} : { mapType: row.map_type }),
    ...(row.tiles === null ? {} : { tiles: row.tiles }),
    ...(row.geometry === null ? {} : { geometry: row.geometry }),
  };
}

function toTransaction(row: store.TransactionRow): Transaction {
  return {
    id: row.id,
    kind: row.kind,
    time: formatInstant(row.created_at.getTime()),
    userId: row.user_id,
    groupId: row.group_id,
    areaKm2: squareMetresToKm2(row.area_m2),
    credit: microToCredits(BigInt(row.micro)),
    ...(row.provider === null ? {} : { provider: row.provider }),
    ...(row.dataset === null ? {} : { dataset: row.dataset }),
    ...(row.scene_id === null ? {} : { sceneId: row.scene_id }),
    ...(row.map_type === null ? {} : { mapType: row.map_type }),
    ...(row.tiles === null ? {} : { tiles: row.tiles }),
    ...(row.allocation_ids.length === 0 ? {} : { allocations: row.allocation_ids }),
    ...(row.order_reference_id === null ? {} : { orderReferenceId: row.order_reference_id }),
  };
}

/** Areas that a group holds, newest first. @throws {ServiceError} INVALID-CURSOR */
export async function listAllocations(
  { db, findProvider }: HistoryDeps,
  caller: Caller,
  request: ListAllocationsRequest,
): Promise<AllocationList> {
  const limit = request.limit ?? PAGE_SIZE;
  const names = providerNames(request.provider ?? [], findProvider);
  const filter: store.AllocationFilter = {
    groupId: request.groupId ?? payingGroupId(caller),
    providers: request.provider === undefined ? null : [...names.keys()],
    datasets: request.dataset ?? null,
    sceneIds: request.sceneIds ?? null,
    ...requestedPeriod(request, "startDatetime", "endDatetime"),
  };
  const scope = ["allocations", filter];
  const after = decodeCursor(scope, request.cursor);
  const geometryBytes = request.includeGeometry === true ? MAX_GEOMETRY_BYTES : null;
  const { rows, isCut } = await store.selectAllocations(db, filter, { after, limit: limit + 1, geometryBytes });
  const toItem = (row: store.AllocationRow): Allocation => named(toAllocation(row), names);
  const last = rows.at(-1);
  if (isCut && last !== undefined) return { results: rows.map(toItem), cursor: encodeCursor(scope, last) };
  return pageOf(rows, limit, toItem, (row) => encodeCursor(scope, row));
}

async function listTransactions(
  { db, findProvider }: HistoryDeps,
  whose: Pick<store.TransactionFilter, "groupId" | "userId">,
  request: ListUserTransactionsRequest,
): Promise<TransactionList> {
  const limit = request.limit ?? PAGE_SIZE;
  const { provider } = request;
  const names = providerNames(provider === undefined ? [] : [provider], findProvider);
  const filter: store.TransactionFilter = {
    ...whose,
    kind: request.kind ?? null,
    dataset: request.dataset ?? null,
    provider: [...names.keys()][0] ?? null,
    orderId: request.orderId ?? null,
    sceneIds: request.sceneIds ?? null,
    ...requestedPeriod(request, "startTime", "endTime"),
  };
  const scope = ["transactions", filter];
  const after = decodeCursor(scope, request.cursor);
  const rows = await store.selectTransactions(db, filter, { after, limit: limit + 1 });
  return pageOf(
    rows,
    limit,
    (row) => named(toTransaction(row), names),
    (last) => encodeCursor(scope, last),
  );
}

/** The log of a group, newest first. @throws {ServiceError} INVALID-CURSOR, NOT-AUTHORIZED */
export async function listGroupTransactions(
  deps: HistoryDeps,
  caller: Caller,
  request: ListGroupTransactionsRequest,
): Promise<TransactionList> {
  const groupId = request.groupId ?? payingGroupId(caller);
  await requireReach(deps.db, caller, groupId, "admin.credits.list-group-transactions");
  return listTransactions(deps, { groupId, userId: null }, request);
}

/** The caller's own entries, newest first. @throws {ServiceError} INVALID-CURSOR */
export function listUserTransactions(
  deps: HistoryDeps,
  caller: Caller,
  request: ListUserTransactionsRequest,
): Promise<TransactionList> {
  return listTransactions(deps, { groupId: request.groupId ?? null, userId: caller.userId }, request);
}
