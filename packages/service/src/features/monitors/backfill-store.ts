import { sql } from "kysely";
import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { Db, Trx } from "../../platform/context.ts";
import type { PricedScene } from "./backfill-plan.ts";
import type { ShownRow } from "./monitor-store.ts";
import type { PastScene } from "./past-scenes.ts";

/** The given scenes that the monitor has already. */
export async function knownScenes(
  db: Db,
  monitorId: string,
  scenes: readonly PastScene[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ sceneId: string }>`
    select scene_id as "sceneId" from monitor_scenes
    where monitor_id = ${monitorId} and scene_id = any(${scenes.map(({ sceneId }) => sceneId)}::text[])`.execute(db);
  return new Set(rows.map(({ sceneId }) => sceneId));
}

/** Scenes of a backfill wait to be measured, in the given order; how many the monitor did not have. */
export async function insertPastScenes(
  trx: Trx,
  monitorId: string,
  scenes: readonly PricedScene[],
  at: Date,
): Promise<number> {
  const { rows } = await sql`
    insert into monitor_scenes (monitor_id, scene_id, due_at, matched_at, accepted_micro)
    select ${monitorId}, g.scene_id, ${at}::timestamptz, ${at}::timestamptz, g.micro
    from unnest(${scenes.map(({ sceneId }) => sceneId)}::text[], ${scenes.map(({ micro }) => String(micro))}::bigint[])
      with ordinality as g (scene_id, micro, place)
    order by g.place
    on conflict do nothing
    returning scene_id`.execute(trx);
  return rows.length;
}

/** Rest of the budget of the month of the row. */
export function leftOf({ budget_micro, reserved_micro, spent_micro }: ShownRow): MicroCredits {
  return BigInt(Math.max(0, budget_micro - reserved_micro - spent_micro));
}
