import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sql, type RawBuilder } from "kysely";
import type { Trx } from "../../../platform/context.ts";
import type { GroupRow, OrderRow, UserRow } from "./difference.ts";
import type { CoverageRow, PartRow } from "./judge-coverage.ts";

/** Rows are fetched this many at a time, so that memory is bounded. */
const FETCHED = 1000;
/** Geometries may be large. */
const FETCHED_GEOMETRIES = 200;

/** Lets a verification take as long as it takes, whatever the service allows a statement. */
export async function liftTimeouts(trx: Trx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
}

/** The rows of a query through a cursor of the transaction; the server sorts, on disk when it must. */
async function* rowsOf<Row>(
  trx: Trx,
  cursor: string,
  query: RawBuilder<unknown>,
  fetched = FETCHED,
): AsyncGenerator<Row> {
  await sql`declare ${sql.id(cursor)} no scroll cursor for ${query}`.execute(trx);
  for (;;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(fetched)} from ${sql.id(cursor)}`.execute(trx);
    yield* rows;
    if (rows.length < fetched) break;
  }
  await sql`close ${sql.id(cursor)}`.execute(trx);
}

export function readGroups(trx: Trx): AsyncGenerator<GroupRow> {
  return rowsOf(
    trx,
    "verify_groups",
    sql`
      select c.group_id as "groupId", c.remaining_micro::text as remaining, c.used_micro::text as used,
        (select coalesce(sum(micro), 0)::text from credit_grants g where g.group_id = c.group_id) as granted,
        (select coalesce(sum(micro), 0)::text from credit_transactions t where t.group_id = c.group_id) as logged,
        (select coalesce(sum(used_micro), 0)::text from credit_users u where u.group_id = c.group_id) as "byUsers"
      from credit_groups c order by c.group_id`,
  );
}

export function readUsers(trx: Trx): AsyncGenerator<UserRow> {
  return rowsOf(
    trx,
    "verify_users",
    sql`
      select u.group_id as "groupId", u.user_id as "userId", u.used_micro::text as used,
        coalesce(logged.micro, 0)::text as logged
      from credit_users u left join (
        select group_id, user_id, sum(micro) as micro from credit_transactions group by group_id, user_id
      ) logged on logged.group_id = u.group_id and logged.user_id = u.user_id
      order by u.group_id, u.user_id`,
  );
}

/** Scenes of which a group holds something or was allocated something, in the order of the two below. */
export function readCoverages(trx: Trx): AsyncGenerator<CoverageRow> {
  return rowsOf(
    trx,
    "verify_coverages",
    sql`
      select coalesce(c.group_id, logged.group_id) as "groupId", coalesce(c.scene_key, logged.scene_key) as "sceneKey",
        c.id::text as id, coalesce(c.area_cm2, 0)::text as "areaCm2",
        coalesce(c.chargeable_cm2, 0)::text as "chargeableCm2", coalesce(c.billed_m2, 0)::text as "billedM2",
        coalesce(logged.area_m2, 0)::text as "loggedM2", coalesce(logged.has_deliveries, false) as "hasDeliveries"
      from credit_coverage c full join (
        select a.group_id, a.scene_key, sum(t.area_m2) as area_m2,
          coalesce(bool_or(t.kind <> 'credit.allocate'), false) as has_deliveries
        from credit_allocations a left join credit_transactions t on t.id = a.transaction_id
        group by a.group_id, a.scene_key
      ) logged on logged.group_id = c.group_id and logged.scene_key = c.scene_key
      order by 1, 2`,
  );
}

export interface AllocatedRow {
  readonly groupId: string;
  readonly sceneKey: string;
  readonly geometry: MultiPolygon;
}

export function readAllocated(trx: Trx): AsyncGenerator<AllocatedRow> {
  return rowsOf(
    trx,
    "verify_allocations",
    sql`
      select group_id as "groupId", scene_key as "sceneKey", geometry from credit_allocations
      order by group_id, scene_key, id`,
    FETCHED_GEOMETRIES,
  );
}

export interface HeldRow extends PartRow {
  readonly groupId: string;
  readonly sceneKey: string;
}

export function readParts(trx: Trx): AsyncGenerator<HeldRow> {
  return rowsOf(
    trx,
    "verify_parts",
    sql`
      select c.group_id as "groupId", c.scene_key as "sceneKey", p.coordinates, p.area_cm2::text as "areaCm2"
      from credit_coverage_parts p join credit_coverage c on c.id = p.coverage_id
      order by c.group_id, c.scene_key, p.id`,
    FETCHED_GEOMETRIES,
  );
}

export function readOrders(trx: Trx): AsyncGenerator<OrderRow> {
  return rowsOf(
    trx,
    "verify_orders",
    sql`
      select coalesce(h.order_reference_id, logged.id) as "orderReferenceId", h.state,
        coalesce(h.preallocated_micro, 0)::text as preallocated, coalesce(h.reserved_micro, 0)::text as reserved,
        coalesce(h.settled_micro, 0)::text as settled, coalesce(h.returned_micro, 0)::text as returned,
        coalesce(logged.micro, 0)::text as logged, coalesce(logged.preallocated, 0)::text as "loggedPreallocations",
        coalesce(logged.returned, 0)::text as "loggedReturns"
      from credit_holds h full join (
        select order_reference_id as id, sum(micro) as micro,
          coalesce(sum(micro) filter (where kind = 'credit.preallocate'), 0) as preallocated,
          coalesce(sum(micro) filter (where kind = 'credit.return'), 0) as returned
        from credit_transactions where order_reference_id is not null group by order_reference_id
      ) logged on logged.id = h.order_reference_id
      order by 1`,
  );
}

/** Faults that one statement finds by itself, at most `limit` of them, each as a subject and a message. */
export interface FoundFault {
  readonly subject: string;
  readonly message: string;
}

export async function readKindFaults(trx: Trx, limit: number): Promise<readonly FoundFault[]> {
  const { rows } = await sql<FoundFault>`
    select 'transaction ' || id as subject, 'its kind is ' || kind as message from credit_transactions
    where kind not in ('credit.allocate', 'credit.preallocate', 'credit.return', 'credit.update')
    order by id limit ${limit}`.execute(trx);
  return rows;
}

/** Allocations and transactions name each other, within one group; an allocation by the API has exactly one. */
export async function readAllocationFaults(trx: Trx, limit: number): Promise<readonly FoundFault[]> {
  const { rows } = await sql<FoundFault>`
    (select 'allocation ' || a.id as subject,
       case when t.id is null then 'its transaction ' || a.transaction_id || ' is not logged'
         when t.group_id <> a.group_id then 'it is of group ' || a.group_id || ', its transaction of ' || t.group_id
         else 'its transaction ' || t.id || ' does not name it' end as message
     from credit_allocations a left join credit_transactions t on t.id = a.transaction_id
     where t.id is null or t.group_id <> a.group_id or not a.id = any(t.allocation_ids)
     order by a.id limit ${limit})
    union all
    (select 'transaction ' || t.id, 'its allocation ' || named.id || ' does not exist'
     from credit_transactions t cross join unnest(t.allocation_ids) named(id)
       left join credit_allocations a on a.id = named.id and a.transaction_id = t.id
     where a.id is null order by t.id limit ${limit})
    union all
    (select 'transaction ' || t.id, 'it allocates ' || cardinality(t.allocation_ids) || ' areas, expected one'
     from credit_transactions t where t.kind = 'credit.allocate' and cardinality(t.allocation_ids) <> 1
     order by t.id limit ${limit})
    union all
    (select 'coverage part ' || p.id, 'it belongs to no scene of a group'
     from credit_coverage_parts p left join credit_coverage c on c.id = p.coverage_id
     where c.id is null order by p.id limit ${limit})
    union all
    (select 'transaction ' || t.id, 'user ' || t.user_id || ' has no account in group ' || t.group_id
     from credit_transactions t left join credit_users u on u.group_id = t.group_id and u.user_id = t.user_id
     where u.user_id is null and t.micro <> 0 order by t.id limit ${limit})
    limit ${limit}`.execute(trx);
  return rows;
}

/** What requests with an idempotency key were answered is logged, and no transaction answers two of them. */
export async function readRequestFaults(trx: Trx, limit: number): Promise<readonly FoundFault[]> {
  const { rows } = await sql<FoundFault>`
    with answered as (
      select r.group_id, r.idempotency_key, named.id
      from credit_requests r cross join jsonb_array_elements_text(
        case when jsonb_typeof(r.answer -> 'transactionIds') = 'array' then r.answer -> 'transactionIds' else '[]' end
      ) named(id)
    )
    (select 'request ' || a.idempotency_key || ' of group ' || a.group_id as subject,
       'its transaction ' || a.id || ' is not logged for the group' as message
     from answered a left join credit_transactions t on t.id = a.id and t.group_id = a.group_id
     where t.id is null order by 1 limit ${limit})
    union all
    (select 'transaction ' || id, count(*) || ' requests were answered with it' from answered
     group by id having count(*) > 1 order by 1 limit ${limit})
    limit ${limit}`.execute(trx);
  return rows;
}

export async function countRows(trx: Trx): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from credit_groups)::int as groups, (select count(*) from credit_users)::int as users,
      (select count(*) from credit_grants)::int as grants,
      (select count(*) from credit_transactions)::int as transactions,
      (select count(*) from credit_allocations)::int as allocations,
      (select count(*) from credit_coverage)::int as scenes, (select count(*) from credit_holds)::int as orders,
      (select count(*) from credit_requests)::int as requests`.execute(trx);
  return rows[0] ?? {};
}
