import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { PriceRule } from "@swath/kernel/credits/pricing";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoreTile } from "@swath/kernel/tiles/store-tile";
import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

/** Of a group without an account; the column's default. */
export const DEFAULT_TIER = "standard";

/** Account of a group. */
export interface GroupAccount {
  readonly remainingMicro: MicroCredits;
  readonly usedMicro: MicroCredits;
  readonly tier: string;
  /** Null: never. Of a licence that has not begun, the moment it was asked for. */
  readonly licenseUntil: Date | null;
}

/** Account of a user within a group. */
export interface UserAccount {
  readonly limitMicro: MicroCredits | null;
  readonly usedMicro: MicroCredits;
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

interface GroupRow {
  remaining: string;
  used: string;
  tier: string;
  license_until: Date | null;
}

function toGroup(row: GroupRow | undefined): GroupAccount | null {
  if (row === undefined) return null;
  return {
    remainingMicro: BigInt(row.remaining),
    usedMicro: BigInt(row.used),
    tier: row.tier,
    licenseUntil: row.license_until,
  };
}

export async function readGroup(db: Db, groupId: string, at: Date): Promise<GroupAccount | null> {
  const { rows } = await sql<GroupRow>`
    select c.remaining_micro::text as remaining, c.used_micro::text as used, c.tier, credit_license_end(g.license_starts_at, g.license_expires_at, ${at}) as license_until
    from credit_groups c left join groups g on g.id = c.group_id
    where c.group_id = ${groupId}`.execute(db);
  return toGroup(rows[0]);
}

/** The group's licence where it has no account yet. */
export async function readLicense(db: Db, groupId: string, at: Date): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select credit_license_end(license_starts_at, license_expires_at, ${at}) as until from groups where id = ${groupId}`.execute(
    db,
  );
  return rows[0]?.until ?? null;
}

/** Locks the group until the transaction ends; taken before the user's row, always. */
export async function lockGroup(trx: Trx, groupId: string, at: Date): Promise<GroupAccount | null> {
  const { rows } = await sql<GroupRow>`
    select c.remaining_micro::text as remaining, c.used_micro::text as used, c.tier, credit_license_end(g.license_starts_at, g.license_expires_at, ${at}) as license_until
    from credit_groups c left join groups g on g.id = c.group_id
    where c.group_id = ${groupId} for update of c`.execute(trx);
  return toGroup(rows[0]);
}

interface UserRow {
  limit: string | null;
  used: string;
}

function toUser(row: UserRow | undefined): UserAccount {
  if (row === undefined) return { limitMicro: null, usedMicro: 0n };
  return { limitMicro: row.limit === null ? null : BigInt(row.limit), usedMicro: BigInt(row.used) };
}

/** An account without limit and use when the user has none yet. */
export async function readUser(db: Db, groupId: string, userId: string): Promise<UserAccount> {
  const { rows } = await sql<UserRow>`
    select limit_micro::text as limit, used_micro::text as used
    from credit_users where group_id = ${groupId} and user_id = ${userId}`.execute(db);
  return toUser(rows[0]);
}

export async function lockUser(trx: Trx, groupId: string, userId: string): Promise<UserAccount> {
  const { rows } = await sql<UserRow>`
    select limit_micro::text as limit, used_micro::text as used
    from credit_users where group_id = ${groupId} and user_id = ${userId} for update`.execute(trx);
  return toUser(rows[0]);
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

/** The price table as it is valid at a time; the operator's order of ids decides ties. */
export async function readPriceRules(db: Db, at: Date): Promise<readonly PriceRule[]> {
  const { rows } = await sql<{
    provider: string | null;
    dataset: string | null;
    mapType: string | null;
    tier: string | null;
    price: string;
    minimum: string;
    area: MultiPolygon | null;
  }>`
    select provider, dataset, map_type as "mapType", tier, micro_per_km2::text as price, min_area_m2::text as minimum, area
    from credit_price_rules
    where (valid_from is null or valid_from <= ${at}) and (valid_until is null or valid_until > ${at})
    order by id`.execute(db);
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
