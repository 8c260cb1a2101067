import { sql, type Kysely } from "kysely";

/**
 * Pipelines and uploads belong to the first group of their user. Earlier rows name the paying group, whose other
 * members must not read them. Users who are gone keep theirs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const home = sql`
    select u.id as user_id, coalesce(
      (select m.group_id from group_members m where m.user_id = u.id order by m.position limit 1), '') as group_id
    from users u`;
  await sql`
    update pipelines p
    set group_id = h.group_id,
        caller = (p.caller::jsonb || jsonb_build_object('groupId', h.group_id, 'accountingGroupId', p.group_id))::json
    from (${home}) h
    where h.user_id = p.user_id and h.group_id <> p.group_id
  `.execute(db);
  await sql`
    update uploads o set group_id = h.group_id
    from (${home}) h
    where h.user_id = o.user_id and h.group_id <> o.group_id
  `.execute(db);
}
