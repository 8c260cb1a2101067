import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

export interface SceneRightsRow {
  readonly owner: string | null;
  readonly audience: string | null;
  /** Whether the scene was uploaded or registered. */
  readonly uploaded: boolean;
}

/** The rights of a scene, locked until the transaction ends; null when there is no such scene. */
export async function lockSceneRights(trx: Trx, sceneId: string): Promise<SceneRightsRow | null> {
  const { rows } = await sql<SceneRightsRow>`
    select owner, audience, (content_hash is not null or registered) and parent_id is null as uploaded
    from scenes where scene_id = ${sceneId} for update
  `.execute(trx);
  return rows[0] ?? null;
}

/** Gives a scene, and the scenes that are cut from it, an owner and an audience. */
export async function updateSceneRights(
  trx: Trx,
  sceneId: string,
  { owner, audience }: Pick<SceneRightsRow, "owner" | "audience">,
): Promise<void> {
  await sql`
    update scenes set owner = ${owner}, audience = ${audience} where scene_id = ${sceneId} or parent_id = ${sceneId}
  `.execute(trx);
}

/** The organisation of a group, null for a group that stands alone; undefined without such a group. */
export async function readOrganization(trx: Trx, groupId: string): Promise<string | null | undefined> {
  const { rows } = await sql<{ organization_id: string | null }>`
    select organization_id from groups where id = ${groupId}
  `.execute(trx);
  return rows[0]?.organization_id;
}

/** Whether a group has paid for area of a scene. */
export async function holdsArea(db: Db, groupId: string, sceneId: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from credit_coverage where group_id = ${groupId} and scene_key = ${sceneId} and area_cm2 > 0
    ) as held
  `.execute(db);
  return rows[0]?.held === true;
}

/** Whether a scene belongs to the owner. */
export async function ownsScene(db: Db, owner: string, sceneId: string): Promise<boolean> {
  const { rows } = await sql<{ owns: boolean }>`
    select exists (select from scenes where scene_id = ${sceneId} and owner = ${owner}) as owns
  `.execute(db);
  return rows[0]?.owns ?? false;
}
