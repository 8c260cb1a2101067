import { sql } from "kysely";
import type { Trx } from "../../platform/context.ts";

export interface LockedGroup {
  readonly name: string;
  readonly organization_id: string | null;
  readonly permissions: readonly string[];
}

/** Until the transaction ends nobody joins the group, pays through it or adds credit to it. */
export async function lockGroup(trx: Trx, groupId: string): Promise<LockedGroup | null> {
  const row = await trx
    .selectFrom("groups")
    .select(["name", "organization_id", "permissions"])
    .where("id", "=", groupId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Users and money of a group. */
export interface GroupContent {
  readonly members: number;
  /** Users for whom the group pays. */
  readonly paying: number;
  /** Orders and releases for which credit is held. */
  readonly held: number;
  /** Micro-credits. */
  readonly remaining_micro: string;
}

export async function readContent(trx: Trx, groupId: string): Promise<GroupContent> {
  const { rows } = await sql<GroupContent>`
    select
      (select count(*) from group_members where group_id = ${groupId})::int as members,
      (select count(*) from users where accounting = ${groupId} or tasking_accounting = ${groupId})::int as paying,
      (select count(*) from credit_holds where group_id = ${groupId} and state = 'held')::int as held,
      coalesce((select remaining_micro from credit_groups where group_id = ${groupId}), 0)::text as remaining_micro`.execute(
    trx,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("a select without a condition has a row");
  return row;
}

export async function removeGroup(trx: Trx, groupId: string): Promise<void> {
  await trx.deleteFrom("groups").where("id", "=", groupId).execute();
}

/** Until the transaction ends no group joins the organisation. */
export async function lockOrganization(trx: Trx, organizationId: string): Promise<{ readonly name: string } | null> {
  const row = await trx
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", organizationId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function countGroups(trx: Trx, organizationId: string): Promise<number> {
  const { groups } = await trx
    .selectFrom("groups")
    .select((eb) => eb.fn.countAll<number>().as("groups"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return groups;
}

export async function removeOrganization(trx: Trx, organizationId: string): Promise<void> {
  await trx.deleteFrom("organizations").where("id", "=", organizationId).execute();
}
