import type { Db, Trx } from "../../../platform/context.ts";
import type { MapClaims } from "../signed-map-id.ts";

/** The map of a link: the content of its map ID besides expiry and link. */
type LinkedMap = Omit<MapClaims, "exp" | "linkId">;

export interface LinkRow {
  readonly id: string;
  readonly name: string | null;
  readonly claims: LinkedMap;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function hasLink(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom("map_links").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/** Makes requests that count the links of a user wait for each other until the transaction ends. */
export async function countLinks(trx: Trx, ownerId: string, now: Date): Promise<number> {
  await trx.selectFrom("users").select("id").where("id", "=", ownerId).forNoKeyUpdate().execute();
  const { links } = await trx
    .selectFrom("map_links")
    .select((eb) => eb.fn.countAll<number>().as("links"))
    .where("owner_id", "=", ownerId)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return links;
}

export async function insertLink(trx: Trx, ownerId: string, row: LinkRow): Promise<void> {
  await trx
    .insertInto("map_links")
    .values({
      id: row.id,
      owner_id: ownerId,
      name: row.name,
      claims: JSON.stringify(row.claims),
      created_at: row.createdAt,
      expires_at: row.expiresAt,
    })
    .execute();
}

/** Links that work, newest first. */
export async function selectLinks(db: Db, ownerId: string, now: Date, limit: number): Promise<LinkRow[]> {
  const rows = await db
    .selectFrom("map_links")
    .select(["id", "name", "claims", "created_at as createdAt", "expires_at as expiresAt"])
    .where("owner_id", "=", ownerId)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, claims: row.claims as LinkedMap }));
}

/** Deletes a link of the user; false when the user has none of that ID. */
export async function deleteLink(db: Db, ownerId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("map_links")
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteExpiredLinks(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("map_links").where("expires_at", "<=", now).execute();
}
