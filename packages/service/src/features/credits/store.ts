import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { PriceRule } from "@swath/kernel/credits/pricing";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoreTile } from "@swath/kernel/tiles/store-tile";
import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { Funds, Refusal } from "./refusal.ts";

/** The credit of a user in a group. A group or a user without an account has the values of a new one. */
export interface Account extends Funds {
  readonly tier: string;
  /** Whether the licence of the group is valid. */
  readonly isLicensed: boolean;
  /** Credit that the user can still spend. */
  readonly spendableMicro: MicroCredits;
}

export interface NewTransaction {
  readonly id: string;
  readonly allocationId: string;
  readonly createdAt: Date;
  readonly userId: string;
  readonly groupId: string;
  readonly provider: string;
  readonly dataset: string;
  readonly sceneId: string;
  readonly sceneKey: string;
  /** The map type that was paid for; null when it was the scene. */
  readonly mapType: string | null;
  readonly geometry: MultiPolygon;
  /** Store tiles of the geometry, of a scene that is sold by them. */
  readonly tiles: readonly StoreTile[] | null;
  readonly areaM2: number;
  readonly micro: MicroCredits;
}

/** Opens the account of a group if it has none. */
export async function insertGroup(db: Db, groupId: string): Promise<void> {
  await sql`insert into credit_groups (group_id) values (${groupId}) on conflict (group_id) do nothing`.execute(db);
}

/** Opens the account of a user in a group if there is none. */
export async function insertUser(db: Db, groupId: string, userId: string): Promise<void> {
  await sql`
    insert into credit_users (group_id, user_id) values (${groupId}, ${userId})
    on conflict (group_id, user_id) do nothing`.execute(db);
}

/**
 * Locks the accounts of a group and of one of its users, unless that is null, until the transaction ends. Accounts that
 * are missing are opened.
 */
export async function lockAccounts(trx: Trx, groupId: string, userId: string | null): Promise<void> {
  await sql`select credit_lock_accounts(array[${groupId}]::text[], array[${userId}]::text[])`.execute(trx);
}

interface AccountRow {
  tier: string;
  isLicensed: boolean;
  remaining: string;
  used: string;
  limit: string | null;
  spendable: string;
}

/** The account of a user in a group; of no user when that is null. */
export async function readAccount(db: Db, groupId: string, userId: string | null, at: Date): Promise<Account> {
  const { rows } = await sql<AccountRow>`
    select coalesce(c.tier, 'standard') as tier,
      credit_is_licensed(g.license_starts_at, g.license_expires_at, ${at}) as "isLicensed",
      coalesce(c.remaining_micro, 0)::text as remaining, coalesce(u.used_micro, 0)::text as used,
      u.limit_micro::text as limit,
      coalesce(credit_spendable(c.remaining_micro, u.used_micro, u.limit_micro), 0)::text as spendable
    from (select ${groupId}::text as group_id) asked
      left join credit_groups c on c.group_id = asked.group_id
      left join credit_users u on u.group_id = asked.group_id and u.user_id = ${userId}
      left join groups g on g.id = asked.group_id`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error(`the account of group ${groupId} has no row`);
  return {
    tier: row.tier,
    isLicensed: row.isLicensed,
    remainingMicro: BigInt(row.remaining),
    usedMicro: BigInt(row.used),
    limitMicro: row.limit === null ? null : BigInt(row.limit),
    spendableMicro: BigInt(row.spendable),
  };
}

/** Why an account refuses a cost, or null. */
export async function findRefusal(
  db: Db,
  { isLicensed, remainingMicro, usedMicro, limitMicro }: Omit<Account, "tier" | "spendableMicro">,
  cost: MicroCredits,
): Promise<Refusal | null> {
  const { rows } = await sql<{ refusal: Refusal | null }>`
    select credit_refusal(${isLicensed}, ${cost}::bigint, ${remainingMicro}::bigint, ${usedMicro}::bigint,
      ${limitMicro}::bigint) as refusal`.execute(db);
  return rows[0]?.refusal ?? null;
}

export interface NewGrant {
  readonly id: string;
  readonly groupId: string;
  readonly micro: MicroCredits;
  readonly note: string;
  /** The administrator who granted it; null when the service did. */
  readonly grantedBy: string | null;
  readonly createdAt: Date;
}

/**
 * Logs a grant; the database adds it to the group's credit. A grant whose id is known already changes nothing.
 *
 * @returns whether it was new
 */
export async function insertGrant(trx: Trx, grant: NewGrant): Promise<boolean> {
  const { rows } = await sql`
    insert into credit_grants (id, group_id, micro, note, granted_by, created_at)
    values (${grant.id}, ${grant.groupId}, ${grant.micro}::bigint, ${grant.note}, ${grant.grantedBy},
      ${grant.createdAt})
    on conflict (id) do nothing returning id`.execute(trx);
  return rows.length > 0;
}

/** The price table of a group as it is valid at a time; the operator's order of ids decides ties. */
export async function readPriceRules(db: Db, groupId: string, at: Date): Promise<readonly PriceRule[]> {
  const { rows } = await sql<{
    provider: string | null;
    dataset: string | null;
    mapType: string | null;
    groupId: string | null;
    tier: string | null;
    price: string;
    minimum: string;
    area: MultiPolygon | null;
  }>`
    select provider, dataset, map_type as "mapType", group_id as "groupId", tier, micro_per_km2::text as price,
      min_area_m2::text as minimum, area
    from credit_price_rules_at(${at}) where group_id is null or group_id = ${groupId} order by id`.execute(db);
  return rows.map(({ price, minimum, ...rule }) => ({
    ...rule,
    microPerKm2: BigInt(price),
    minAreaM2: Number(minimum),
  }));
}

export interface UserProfile {
  readonly name: string;
  readonly email: string;
  /** The group that pays for the user; null when the user belongs to none. */
  readonly groupId: string | null;
}

export async function readProfile(db: Db, userId: string): Promise<UserProfile | null> {
  const { rows } = await sql<UserProfile>`
    select u.name, u.email, coalesce(u.accounting,
      (select m.group_id from group_members m where m.user_id = u.id order by m.position limit 1)) as "groupId"
    from users u where u.id = ${userId}`.execute(db);
  return rows[0] ?? null;
}
