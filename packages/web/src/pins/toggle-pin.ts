import type { Console } from "../console.ts";
import { timeMs } from "../format/dates.ts";
import { MAX_PINS } from "../parse-state.ts";
import { withoutPin, withPin } from "./pin.ts";

/** Pins the date of the selected scene, or unpins it; no date beyond the most. */
export function togglePin({ state, search, update }: Pick<Console, "search" | "state" | "update">): void {
  const { pins, selectedSceneId } = state.value;
  if (selectedSceneId === null) return;
  if (pins.some(({ sceneId }) => sceneId === selectedSceneId)) {
    return update({ pins: withoutPin(pins, selectedSceneId) });
  }
  const scene = search.found.value.find(({ sceneId }) => sceneId === selectedSceneId);
  if (scene === undefined || pins.length >= MAX_PINS) return;
  const day = new Date(timeMs(scene.datetime)).toISOString().slice(0, 10);
  update({ pins: withPin(pins, { sceneId: selectedSceneId, day }) });
}
