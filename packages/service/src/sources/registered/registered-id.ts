import { hash } from "node:crypto";
import { parseSceneId, sceneId } from "@swath/kernel/scenes/scene-id";

/** A dataset by its identifiers. */
export interface ItemTarget {
  readonly provider: string;
  readonly dataset: string;
  /** Key of the group or user whose item it is. */
  readonly owner: string;
  /** Of an item that is there. */
  readonly sceneId?: string;
}

const DIGEST_CHARACTERS = 16;
const LONG_CHARACTERS = 32;

/**
 * The scene identifier of an item. Groups that register items of one identifier have a scene each: no group learns of
 * the items of others, or takes their identifiers. Identifiers that leave no room become a digest.
 */
export function registeredSceneId({ provider, dataset, owner, sceneId: known }: ItemTarget, itemId: string): string {
  if (known !== undefined) return known;
  const digest = hash("sha256", `registered item\n${owner}\n${itemId}`, "hex");
  try {
    return sceneId(provider, dataset, `${itemId}_${digest.slice(0, DIGEST_CHARACTERS)}`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return sceneId(provider, dataset, digest.slice(0, LONG_CHARACTERS));
  }
}

/** The scene that a request names by its scene identifier, or by the identifier of an item of the owner. */
export function namedSceneId(target: ItemTarget, name: string): string {
  const parts = parseSceneId(name);
  const isScene = parts !== null && parts.provider === target.provider && parts.dataset === target.dataset;
  return isScene ? name : registeredSceneId(target, name);
}
