import type { ReleaseResult } from "@swath/contract/features/maps/release-contract";
import type { PipelineJob, Trx } from "../../../platform/context.ts";
import { recordEvents, type NewEvent } from "../../../platform/events/record-event.ts";
import { insertReleased } from "./released-maps.ts";

/** Maps that one event names: a signed id has some 500 characters. */
const MAPS_PER_EVENT = 10;

/**
 * Records the maps of a release for the caller, as events for their group too, in the transaction that ends the release.
 */
export async function recordReleased(
  trx: Trx,
  { caller, pipelineId }: Pick<PipelineJob, "caller" | "pipelineId">,
  { maps }: Pick<ReleaseResult, "maps">,
): Promise<void> {
  const { userId, groupId } = caller;
  if (userId === "" && groupId === "") return;
  if (userId !== "" && maps.length > 0) {
    await insertReleased(
      trx,
      userId,
      maps.map(({ mapId }) => mapId),
    );
  }
  const named = maps.map(({ mapId, mapType, sceneId }) => ({ mapId, mapType, sceneId }));
  const events = Array.from({ length: Math.ceil(named.length / MAPS_PER_EVENT) }, (_, at): NewEvent => {
    const part = named.slice(at * MAPS_PER_EVENT, (at + 1) * MAPS_PER_EVENT);
    return {
      type: "map.released",
      subject: `pipeline:${pipelineId}`,
      audience: { userId, groupId },
      data: { pipelineId, maps: part },
    };
  });
  await recordEvents(trx, events);
}
