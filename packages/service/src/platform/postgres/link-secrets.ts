import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db, Trx } from "../context.ts";

/** A secret that signs map IDs and addresses, kept in the database so that all processes share it. */
export interface LinkSecret {
  readonly id: number;
  readonly secret: Uint8Array;
  /** Signs from this moment on until the next one does; verifies at once. */
  readonly signsFrom: Date;
}

/** The secret that everything else of the service is derived from has this id; it is never replaced. */
export const FIRST_SECRET = 1;

/** Map IDs are valid for a year after their secret was replaced. */
const VERIFIES_DAYS = 366;

/** Makes the first secret unless there is one. */
export async function ensureLinkSecret(db: Db): Promise<void> {
  await sql`
    insert into map_signing_keys (id, secret) values (${FIRST_SECRET}, ${randomBytes(32)})
    on conflict (id) do nothing`.execute(db);
}

/** Newest first: the secrets that sign now or later, and those whose links may still be valid. */
export async function readLinkSecrets(db: Db): Promise<readonly LinkSecret[]> {
  const { rows } = await sql<{ id: number; secret: Buffer; signs_from: Date }>`
    select id, secret, signs_from from (
      select id, secret, signs_from, lead(signs_from) over (order by id) as signs_until from map_signing_keys
    ) k
    where id = ${FIRST_SECRET} or signs_until is null or signs_until > now() - make_interval(days => ${VERIFIES_DAYS})
    order by id desc`.execute(db);
  return rows.map(({ id, secret, signs_from: signsFrom }) => ({ id, secret: new Uint8Array(secret), signsFrom }));
}

/** Adds a secret that signs from that moment on. Its number. */
export async function addLinkSecret(trx: Trx, signsFrom: Date): Promise<number> {
  await sql`lock table map_signing_keys in share row exclusive mode`.execute(trx);
  const { rows } = await sql<{ id: number }>`
    insert into map_signing_keys (id, secret, signs_from)
    select coalesce(max(id), ${FIRST_SECRET}) + 1, ${randomBytes(32)}, ${signsFrom} from map_signing_keys
    returning id`.execute(trx);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("no secret was added");
  return id;
}
