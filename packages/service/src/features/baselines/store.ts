import type { Ecef, StateVector } from "@swath/kernel/orbits/state-vector";
import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";

/** One vector as it is stored: time, position, velocity. */
type Row = readonly [timeMs: number, ...components: readonly number[]];

/** State vectors of those scenes that have some, in order of time. */
export async function readStateVectors(
  db: Db,
  sceneIds: readonly string[],
): Promise<readonly (readonly [sceneId: string, vectors: readonly StateVector[]])[]> {
  if (sceneIds.length === 0) return [];
  const { rows } = await sql<{ scene_id: string; vectors: readonly Row[] }>`
    select s.scene_id, o.vectors
    from scenes s
    join scene_orbits o on o.scene_key = s.scene_key
    where s.scene_id = any(${sceneIds}::text[])
  `.execute(db);
  return rows.map(({ scene_id: sceneId, vectors }) => [sceneId, vectors.map(fromRow)]);
}

/** Stores the vectors of a known scene in place of older ones. Nothing happens for an unknown scene. */
export async function writeStateVectors(db: Trx, sceneId: string, vectors: readonly StateVector[]): Promise<void> {
  if (vectors.length === 0) return;
  const rows = vectors.map((one): Row => [one.timeMs, ...one.positionM, ...one.velocityMs]);
  await sql`
    insert into scene_orbits (scene_key, vectors)
    select scene_key, ${JSON.stringify(rows)}::jsonb from scenes where scene_id = ${sceneId}
    on conflict on constraint scene_orbits_pkey do update set vectors = excluded.vectors
  `.execute(db);
}

function fromRow([timeMs, ...components]: Row): StateVector {
  const ecef = (first: number): Ecef => [
    components[first] ?? Number.NaN,
    components[first + 1] ?? Number.NaN,
    components[first + 2] ?? Number.NaN,
  ];
  return { timeMs, positionM: ecef(0), velocityMs: ecef(3) };
}
