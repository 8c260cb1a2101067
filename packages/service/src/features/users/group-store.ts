import { sql } from "kysely";
import type { Insertable, RawBuilder, Updateable } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import type { GroupsTable } from "../../platform/postgres/tables/identity.ts";
import type { OrganizationsTable } from "../../platform/postgres/tables/organizations.ts";
import type { Reach } from "./reach.ts";

/** A group in a list: without permissions, which may be thousands. */
export interface ListedGroupRow {
  readonly id: string;
  readonly name: string;
  readonly organization_id: string | null;
  readonly tier: string;
  readonly license_starts_at: Date | null;
  readonly license_expires_at: Date | null;
  readonly members: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface GroupRow extends ListedGroupRow {
  readonly permissions: readonly string[];
}

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly groups: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The tier is kept with the credit it prices, in the group's account. */
const groupColumns = sql`
  g.id, g.name, g.organization_id, g.license_starts_at, g.license_expires_at, g.created_at,
  g.updated_at, coalesce(c.tier, 'standard') as tier,
  (select count(*) from group_members m where m.group_id = g.id) as members`;

export async function insertGroup(trx: Trx, row: Insertable<GroupsTable>): Promise<void> {
  await trx.insertInto("groups").values(row).execute();
}

export async function updateGroup(trx: Trx, groupId: string, set: Updateable<GroupsTable>): Promise<void> {
  await trx.updateTable("groups").set(set).where("id", "=", groupId).execute();
}

/** Opens the group's account where it has none. */
export async function setTier(trx: Trx, groupId: string, tier: string): Promise<void> {
  await sql`
    insert into credit_groups (group_id, tier) values (${groupId}, ${tier})
    on conflict (group_id) do update set tier = excluded.tier`.execute(trx);
}

export async function findGroup(
  db: Db | Trx,
  key: { readonly id: string } | { readonly name: string },
): Promise<GroupRow | null> {
  const condition = "id" in key ? sql`g.id = ${key.id}` : sql`g.name = ${key.name}`;
  const { rows } = await sql<GroupRow>`
    select ${groupColumns}, g.permissions from groups g left join credit_groups c on c.group_id = g.id
    where ${condition}`.execute(db);
  return rows[0] ?? null;
}

export interface GroupRights {
  readonly id: string;
  readonly organization_id: string | null;
  readonly permissions: readonly string[];
}

/** Those of the groups that exist, locked so that they do not gain permissions before the transaction ends. */
export async function lockGroups(trx: Trx, groupIds: readonly string[]): Promise<readonly GroupRights[]> {
  if (groupIds.length === 0) return [];
  return trx
    .selectFrom("groups")
    .select(["id", "organization_id", "permissions"])
    .where("id", "in", groupIds)
    .orderBy("id")
    .forShare()
    .execute();
}

export interface GroupFilter {
  readonly reach: Reach;
  readonly organizationId: string | null;
  readonly after: string | null;
  readonly limit: number;
}

/** By name. */
export async function listGroups(db: Db, filter: GroupFilter): Promise<readonly ListedGroupRow[]> {
  const { reach, organizationId, after } = filter;
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (reach.kind === "organization") conditions.push(sql`g.organization_id = ${reach.organizationId}`);
  if (reach.kind === "groups") conditions.push(sql`g.id = any (${[...reach.groupIds]}::text[])`);
  if (organizationId !== null) conditions.push(sql`g.organization_id = ${organizationId}`);
  if (after !== null) conditions.push(sql`g.name > (select name from groups where id = ${after})`);
  const { rows } = await sql<ListedGroupRow>`
    select ${groupColumns} from groups g left join credit_groups c on c.group_id = g.id
    where ${sql.join(conditions, sql` and `)}
    order by g.name limit ${filter.limit}`.execute(db);
  return rows;
}

export async function insertOrganization(trx: Trx, row: Insertable<OrganizationsTable>): Promise<void> {
  await trx.insertInto("organizations").values(row).execute();
}

export async function findOrganization(
  db: Db | Trx,
  key: { readonly id: string } | { readonly name: string },
): Promise<OrganizationRow | null> {
  const condition = "id" in key ? sql`o.id = ${key.id}` : sql`o.name = ${key.name}`;
  const { rows } = await sql<OrganizationRow>`
    select o.*, (select count(*) from groups g where g.organization_id = o.id) as groups
    from organizations o where ${condition}`.execute(db);
  return rows[0] ?? null;
}

/** By name. */
export async function listOrganizations(
  db: Db,
  filter: { readonly after: string | null; readonly limit: number },
): Promise<readonly OrganizationRow[]> {
  const { rows } = await sql<OrganizationRow>`
    select o.*, (select count(*) from groups g where g.organization_id = o.id) as groups
    from organizations o
    where ${filter.after}::text is null or o.name > (select name from organizations where id = ${filter.after})
    order by o.name limit ${filter.limit}`.execute(db);
  return rows;
}
