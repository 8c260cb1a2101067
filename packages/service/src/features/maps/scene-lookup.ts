import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { Db } from "../../platform/context.ts";

/** What is needed of the imagery service. */
export interface SceneLookup {
  /**
   * The scene when its pixels are in the store, else null.
   *
   * @param db the transaction to read in, so that a request that has one needs no second connection
   */
  stored(sceneId: string, db?: Db): Promise<StoredScene | null>;
}
