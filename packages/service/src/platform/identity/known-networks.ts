import { sql } from "kysely";
import type { Db } from "../context.ts";
import { networkOf } from "./network-of.ts";

const REMEMBERED_DAYS = 90;
/** Networks per user; the oldest goes first. */
const MAX_NETWORKS = 20;

/** Remembers that the user, unless removed meanwhile, signed in from the network of the address. */
export async function rememberNetwork(db: Db, userId: string, address: string, at: Date): Promise<void> {
  const network = networkOf(address);
  await sql`
    with others as (
      delete from login_networks where user_id = ${userId} and network in (
        select network from login_networks where user_id = ${userId} and network <> ${network}
        order by seen_at desc offset ${MAX_NETWORKS - 1}
      )
    )
    insert into login_networks (user_id, network, seen_at)
    select id, ${network}, ${at}::timestamptz from users where id = ${userId}
    on conflict (user_id, network) do update set seen_at = excluded.seen_at`.execute(db);
}

/** Whether the user of the e-mail address signed in from that network within the last 90 days. */
export async function isKnownNetwork(db: Db, email: string, address: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from login_networks n join users u on u.id = n.user_id
    where u.email = ${email} and n.network = ${networkOf(address)}
      and n.seen_at > ${now}::timestamptz - make_interval(days => ${REMEMBERED_DAYS})`.execute(db);
  return rows.length > 0;
}
