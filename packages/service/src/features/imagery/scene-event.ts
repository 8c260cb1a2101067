import type { Scene } from "@swath/kernel/scenes/scene";
import type { Trx } from "../../platform/context.ts";
import { recordEvent, type EventAudience } from "../../platform/events/record-event.ts";
import type { AudienceKey, SceneRights } from "./visibility.ts";

/** Records that a scene was ingested, for its owner and the organisation that it is shared with. */
export async function recordIngested(trx: Trx, scene: Scene, { owner, audience }: SceneRights): Promise<void> {
  // Scenes without an owner are scenes of catalogues.
  if (owner === null) return;
  const { sceneId, provider, dataset, datetime, areaKm2 } = scene;
  await recordEvent(trx, {
    type: "scene.ingested",
    subject: `scene:${sceneId}`,
    audience: { ...audienceOf(owner), ...(audience === null ? {} : audienceOf(audience)) },
    data: { sceneId, provider, dataset, datetime, areaKm2 },
  });
}

function audienceOf(key: AudienceKey): EventAudience {
  const [kind] = key.split(":", 1);
  const id = key.slice(key.indexOf(":") + 1);
  if (kind === "organization") return { organizationId: id };
  return kind === "group" ? { groupId: id } : { userId: id };
}
