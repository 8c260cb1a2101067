import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { Viewer } from "../imagery/visibility.ts";
import type { Db } from "../../platform/context.ts";

/** The part of the imagery service that maps need. Its own methods see every scene. */
export interface SceneLookup extends SeenScenes {
  /** Scenes as a caller sees them. */
  seenBy(viewer: Viewer): SeenScenes;
  /** A scene with pixels as it was at a revision, whoever may see it; null when there is none. */
  storedRevision(sceneId: string, revision: number): Promise<StoredScene | null>;
}

export interface SeenScenes {
  /** The scene when its pixels are in the store, else null. */
  stored(sceneId: string, db?: Db): Promise<StoredScene | null>;
  /**
   * The scene when the service knows it, with or without pixels, else null; no catalogue is asked.
   *
   * @param db the transaction to read in, so that a request that has one needs no second connection
   */
  known(sceneId: string, db?: Db): Promise<Scene | null>;
  /** The scene when the service or the catalogue that it comes from knows it, else null; the service knows it then. */
  catalogueScene(sceneId: string, signal?: AbortSignal): Promise<Scene | null>;
}
