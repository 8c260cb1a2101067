import { sql, type RawBuilder } from "kysely";
import type { Db } from "../context.ts";

/** Statements of which all but the first two are wrong; the check finds each. */

export async function rightRow(db: Db, name: string | null): Promise<unknown> {
  const condition = name === null ? sql`` : sql`where name = ${name}`;
  return await sql<{ id: string; created_at: Date }>`select id, created_at from groups ${condition}`.execute(db);
}

export async function rightQuery(db: Db, id: string): Promise<unknown> {
  return await db.selectFrom("groups").select(["id", "license_expires_at"]).where("id", "=", id).execute();
}

export async function unknownColumn(db: Db): Promise<unknown> {
  return await sql<{ id: string }>`select identifier as id from groups`.execute(db);
}

export async function wrongType(db: Db): Promise<unknown> {
  return await sql<{ count: string }>`select count(*) as count from groups`.execute(db);
}

export async function wrongNames(db: Db): Promise<unknown> {
  return await sql<{ groupId: string }>`select id from groups`.execute(db);
}

export async function missingNull(db: Db): Promise<unknown> {
  return await sql<{ license_expires_at: Date }>`select license_expires_at from groups`.execute(db);
}

export async function rareBranch(db: Db, byName: boolean): Promise<unknown> {
  return await sql`select 1 from groups order by ${byName ? sql`name` : sql`title`}`.execute(db);
}

export function unused(id: string): RawBuilder<unknown> {
  return sql`id = ${id}`;
}
