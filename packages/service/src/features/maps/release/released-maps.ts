import { sql } from "kysely";
import { decodeJwt } from "jose";
import type { Db, Trx } from "../../../platform/context.ts";
import { MAP_ID_LIFETIME_S, type MapClaims } from "../signed-map-id.ts";

/** The content of a map ID of a release. */
export interface ReleasedMap extends Omit<MapClaims, "analysisId" | "exp" | "linkId"> {
  readonly releasedAt: Date;
}

/** Remembers that a user has released maps; the same map again is their newest. */
export async function insertReleased(trx: Trx, userId: string, signedMapIds: readonly string[]): Promise<void> {
  const mapIds = signedMapIds.map((id) => String(decodeJwt(id)["mapId"]));
  // In the order of the key: releases that end together wait for each other, and never in a circle.
  await sql`
    insert into released_maps (user_id, scene_id, map_id)
    select u.id, m.scene_id, m.map_id from maps m join users u on u.id = ${userId}
    where m.map_id = any(${mapIds}::text[])
    order by m.scene_id, m.map_id
    on conflict (user_id, scene_id, map_id) do update set released_at = now()`.execute(trx);
}

/** The newest maps of a scene, or of a part of it, that a user has released within the life of a map ID. */
export async function selectReleased(
  db: Db,
  userId: string,
  sceneId: string,
  most: number,
): Promise<readonly ReleasedMap[]> {
  const { rows } = await sql<ReleasedMap>`
    with newest as (
      select map_id, released_at from released_maps
      where user_id = ${userId}
        and (scene_id = ${sceneId} or scene_id in (select scene_id from scenes where parent_id = ${sceneId}))
        and released_at > now() - make_interval(secs => ${MAP_ID_LIFETIME_S})
      order by released_at desc, map_id
      limit ${most}
    )
    select m.map_id as "mapId", m.map_type as "mapType", m.geometry_id as "geometryId", m.version, m.tiles,
      n.released_at as "releasedAt"
    from newest n join maps m on m.map_id = n.map_id
    order by n.released_at desc, m.map_id`.execute(db);
  return rows;
}
