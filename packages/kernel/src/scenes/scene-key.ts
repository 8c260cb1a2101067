import type { Scene } from "./scene.ts";
import { parseInstant } from "../time/instant.ts";

/** Place of a scene in the order of every search: newest first, then by identifier. */
export interface SceneKey {
  /** Time of the whole second in `Scene.datetime`, which sources order by. */
  readonly acquiredAtMs: number;
  readonly sceneId: string;
}

/** The place of a scene in the order of searches. */
export function keyOf(scene: Scene): SceneKey {
  return { acquiredAtMs: parseInstant(scene.datetime) ?? Number.NaN, sceneId: scene.sceneId };
}

/** Negative when `a` comes before `b`: newest first, then by identifier. */
export function compareKeys(a: SceneKey, b: SceneKey): number {
  if (a.acquiredAtMs !== b.acquiredAtMs) return b.acquiredAtMs - a.acquiredAtMs;
  return a.sceneId < b.sceneId ? -1 : a.sceneId > b.sceneId ? 1 : 0;
}
