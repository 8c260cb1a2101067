import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sql, type RawBuilder } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { LogPlace } from "./cursor.ts";

export interface GrantRow extends LogPlace {
  readonly group_id: string;
  readonly micro: string;
  readonly note: string;
  readonly granted_by: string | null;
  readonly created_at: Date;
}

export interface PriceRuleRow extends LogPlace {
  readonly provider: string | null;
  readonly dataset: string | null;
  readonly map_type: string | null;
  readonly group_id: string | null;
  readonly tier: string | null;
  readonly micro_per_km2: string;
  readonly min_area_m2: string;
  readonly area: MultiPolygon | null;
  readonly valid_from: Date | null;
  readonly valid_until: Date | null;
  readonly created_by: string | null;
}

/** What a rule prices; null is all, or the scene itself for the map type. */
export interface PricedThing {
  readonly provider: string | null;
  readonly dataset: string | null;
  readonly mapType: string | null;
  /** Group that pays. */
  readonly groupId: string | null;
  readonly tier: string | null;
}

export interface NewPriceRule extends PricedThing {
  readonly id: string;
  readonly microPerKm2: MicroCredits;
  readonly minAreaM2: number;
  readonly area: MultiPolygon | null;
  readonly validFrom: Date;
  readonly validUntil: Date | null;
  readonly createdAt: Date;
  readonly createdBy: string;
}

interface Slice {
  readonly after: LogPlace | null;
  readonly limit: number;
}

function where(conditions: readonly (RawBuilder<unknown> | null)[]): RawBuilder<unknown> {
  const present = conditions.filter((condition) => condition !== null);
  return present.length === 0 ? sql`` : sql`where ${sql.join(present, sql` and `)}`;
}

/** Advisory lock of all prices. */
const PRICES = 7_207_013;

/** Serialises changes of prices, so that two of them cannot both find a place that is free. */
export async function lockPrices(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PRICES})`.execute(trx);
}

/** Lets changes of prices wait until the transaction ends; readers do not wait for each other. */
export async function lockPricesAsRead(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${PRICES})`.execute(trx);
}

/** Whether there is such a group, which then stays until the transaction ends. */
export async function keepGroup(trx: Trx, groupId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from groups where id = ${groupId} for key share`.execute(trx);
  return rows.length > 0;
}

export async function groupExists(db: Db, groupId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from groups where id = ${groupId}`.execute(db);
  return rows.length > 0;
}

/** Whether a user is in a group, or pays through it. */
export async function isOfGroup(db: Db, userId: string, groupId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users u
    where u.id = ${userId} and (${groupId} in (u.accounting, u.tasking_accounting) or exists (
      select from group_members m where m.user_id = u.id and m.group_id = ${groupId}))`.execute(db);
  return rows.length > 0;
}

const GRANT = sql`
  id, group_id, micro::text as micro, note, granted_by, created_at,
  (extract(epoch from created_at) * 1000000)::bigint::text as "atMicros"`;

export async function readGrant(db: Db, id: string): Promise<GrantRow | null> {
  const { rows } = await sql<GrantRow>`select ${GRANT} from credit_grants where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Newest first; of one group by its index. */
export async function selectGrants(
  db: Db,
  groupId: string | null,
  { after, limit }: Slice,
): Promise<readonly GrantRow[]> {
  const { rows } = await sql<GrantRow>`
    select ${GRANT} from credit_grants
    ${where([
      groupId === null ? null : sql`group_id = ${groupId}`,
      after === null
        ? null
        : sql`(created_at, id) < (timestamptz 'epoch' + ${after.atMicros}::bigint * interval '1 microsecond', ${after.id}::text)`,
    ])}
    order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

export async function updateLimit(
  trx: Trx,
  groupId: string,
  userId: string,
  limitMicro: MicroCredits | null,
): Promise<void> {
  await sql`
    update credit_users set limit_micro = ${limitMicro}::bigint
    where group_id = ${groupId} and user_id = ${userId}`.execute(trx);
}

const RULE = sql`
  id, provider, dataset, map_type, group_id, tier, micro_per_km2::text as micro_per_km2, min_area_m2::text as min_area_m2,
  area, valid_from, valid_until, created_by, '0' as "atMicros"`;

/** In the order of ids. */
export async function selectPriceRules(
  db: Db,
  filter: PricedThing & { readonly validAfter: Date | null },
  { after, limit }: Slice,
): Promise<readonly PriceRuleRow[]> {
  const { rows } = await sql<PriceRuleRow>`
    select ${RULE} from credit_price_rules
    ${where([
      filter.provider === null ? null : sql`provider = ${filter.provider}`,
      filter.dataset === null ? null : sql`dataset = ${filter.dataset}`,
      filter.mapType === null ? null : sql`map_type = ${filter.mapType}`,
      filter.groupId === null ? null : sql`group_id = ${filter.groupId}`,
      filter.tier === null ? null : sql`tier = ${filter.tier}`,
      filter.validAfter === null ? null : sql`(valid_until is null or valid_until > ${filter.validAfter})`,
      after === null ? null : sql`id > ${after.id}`,
    ])}
    order by id limit ${limit}`.execute(db);
  return rows;
}

/** Locks a rule until the transaction ends. */
export async function lockPriceRule(trx: Trx, id: string): Promise<PriceRuleRow | null> {
  const { rows } = await sql<PriceRuleRow>`
    select ${RULE} from credit_price_rules where id = ${id} for update`.execute(trx);
  return rows[0] ?? null;
}

/** The rule that prices exactly the same thing at some time of a period, if there is one. */
export async function findRival(
  trx: Trx,
  { provider, dataset, mapType, groupId, tier }: PricedThing,
  from: Date,
  until: Date | null,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from credit_price_rules
    where provider is not distinct from ${provider}::text and dataset is not distinct from ${dataset}::text
      and map_type is not distinct from ${mapType}::text and group_id is not distinct from ${groupId}::text and tier is not distinct from ${tier}::text and area is null
      and tstzrange(valid_from, valid_until) && tstzrange(${from}::timestamptz, ${until}::timestamptz)
    order by id limit 1`.execute(trx);
  return rows[0]?.id ?? null;
}

export async function insertPriceRule(trx: Trx, rule: NewPriceRule): Promise<PriceRuleRow | undefined> {
  const area = rule.area === null ? null : JSON.stringify(rule.area);
  const { rows } = await sql<PriceRuleRow>`
    insert into credit_price_rules (id, provider, dataset, map_type, group_id, tier, micro_per_km2, min_area_m2, area,
      valid_from, valid_until, created_at, created_by)
    values (${rule.id}, ${rule.provider}, ${rule.dataset}, ${rule.mapType}, ${rule.groupId}::text, ${rule.tier}, ${rule.microPerKm2}::bigint,
      ${rule.minAreaM2}::bigint, ${area}::text::jsonb, ${rule.validFrom}, ${rule.validUntil}::timestamptz,
      ${rule.createdAt}, ${rule.createdBy})
    returning ${RULE}`.execute(trx);
  return rows[0];
}

export async function updateRuleEnd(trx: Trx, id: string, validUntil: Date): Promise<void> {
  await sql`update credit_price_rules set valid_until = ${validUntil} where id = ${id}`.execute(trx);
}

/** How many rules are valid at a time or later: all of them are read for every quote. */
export async function countPriceRules(
  trx: Trx,
  at: Date,
): Promise<{ readonly rules: number; readonly freeAreas: number }> {
  const { rows } = await sql<{ rules: number; freeAreas: number }>`
    select count(*)::int as rules, count(area)::int as "freeAreas" from credit_price_rules where valid_until is null or valid_until > ${at}`.execute(
    trx,
  );
  return rows[0] ?? { rules: 0, freeAreas: 0 };
}
