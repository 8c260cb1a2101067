import { microToCredits, type MicroCredits } from "@swath/kernel/credits/micro";
import type { Trx } from "../../platform/context.ts";
import { recordEvent } from "../../platform/events/record-event.ts";
import type { MonitorRow } from "./monitor-store.ts";
import * as store from "./scene-store.ts";

/** Why a scene of a monitor has no result, and its cost. */
export interface Skip {
  readonly skipReason: store.SkipReason;
  readonly message: string;
  readonly chargedMicro: MicroCredits;
  /** Areas without a value, when the scene was measured. */
  readonly values?: store.SceneEnd["values"];
  readonly at: Date;
}

/** Ends a locked scene without a result, and tells the owner of the monitor. */
export async function skipScene(
  trx: Trx,
  monitor: Pick<MonitorRow, "id" | "name" | "owner_id">,
  scene: store.ClaimedScene,
  { at, chargedMicro, message, skipReason, values = [] }: Skip,
): Promise<void> {
  const end = { ...store.NOT_MEASURED, values, skipReason, message, chargedMicro, at };
  await store.endScene(trx, scene, { status: "SKIPPED", ...end });
  await recordEvent(trx, {
    type: "monitor.skipped",
    subject: `monitor:${monitor.id}`,
    audience: { userId: monitor.owner_id },
    data: {
      monitorId: monitor.id,
      name: monitor.name,
      sceneId: scene.sceneId,
      skipReason,
      message: message.slice(0, 1_000),
      chargedCredits: microToCredits(chargedMicro),
    },
  });
}
