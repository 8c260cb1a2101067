import { sql } from "kysely";
import type { Db, Trx } from "../context.ts";
import type { ClaimedGroups } from "./claimed-groups.ts";

/** A group of a user, or to be. */
interface Group {
  readonly id: string;
  readonly name: string;
}

/**
 * Takes the claims of a token for the memberships of a user: false when the memberships follow a newer token, or one
 * of the same second.
 */
export async function takeClaims(trx: Trx, userId: string, issuedAt: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update users set external_claims_at = ${issuedAt}
    where id = ${userId} and (external_claims_at is null or external_claims_at < ${issuedAt})
    returning id`.execute(trx);
  return rows.length > 0;
}

/** The groups that exist under the names and belong to the organisation. */
export async function findClaimedGroups(db: Db, { names, organization }: ClaimedGroups): Promise<readonly Group[]> {
  const { rows } = await sql<Group>`
    select g.id, g.name from groups g
    join unnest(${[...names]}::text[]) with ordinality as n (name, at) on n.name = g.name
    where ${organization}::text is null
      or g.organization_id = (select id from organizations where name = ${organization})
    order by n.at`.execute(db);
  return rows;
}

/** Names that no group has. */
export async function findMissingGroups(db: Db, names: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select n.name from unnest(${[...names]}::text[]) as n (name)
    where n.name is not null and not exists (select 1 from groups g where g.name = n.name)`.execute(db);
  return rows.map(({ name }) => name);
}

/** Names of groups, some for a message. */
export async function listGroupNames(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from groups order by name limit 1000`.execute(db);
  return rows.map(({ name }) => name);
}

/** Groups of the user before and after. */
export interface MembershipChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Makes the user a member of the groups and of no other managed group; memberships that are not managed stay. New ones
 * come after those that stay.
 *
 * @param managed names of the groups that tokens decide about; null for all groups
 * @returns null when nothing has changed
 */
export async function setMemberships(
  trx: Trx,
  userId: string,
  groups: readonly Group[],
  managed: readonly string[] | null,
): Promise<MembershipChange | null> {
  const { rows: held } = await sql<Group>`
    select g.id, g.name from group_members m join groups g on g.id = m.group_id
    where m.user_id = ${userId} order by m.position, g.id`.execute(trx);
  const wanted = new Set(groups.map(({ id }) => id));
  const known = new Set(held.map(({ id }) => id));
  const left = held.filter(({ id, name }) => !wanted.has(id) && (managed === null || managed.includes(name)));
  const joined = groups.filter(({ id }) => !known.has(id));
  if (left.length === 0 && joined.length === 0) return null;
  const leftIds = left.map(({ id }) => id);
  await sql`delete from group_members where user_id = ${userId} and group_id = any(${leftIds}::text[])`.execute(trx);
  await sql`
    insert into group_members (user_id, group_id, position)
    select ${userId}, n.id, n.at + coalesce((select max(position) from group_members where user_id = ${userId}), -1)
    from unnest(${joined.map(({ id }) => id)}::text[]) with ordinality as n (id, at)`.execute(trx);
  const stay = held.filter(({ id }) => !leftIds.includes(id));
  return { before: held.map(({ name }) => name), after: [...stay, ...joined].map(({ name }) => name) };
}
