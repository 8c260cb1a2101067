import type { StubbornClient } from "./stubborn-client.ts";

/** The scenes and maps that all works use, made before the first kill. */
export interface World {
  /** A stored scene whose area is paid for. */
  readonly sceneId: string;
  /** A stored scene whose area is paid for piece by piece. */
  readonly soldSceneId: string;
  /** A map of the first scene. */
  readonly mapId: string;
  readonly zoom: number;
  /** Scenes of the simulator, oldest first. */
  readonly simulatedIds: readonly string[];
}

/** One piece of the load. */
export interface Work {
  readonly name: string;
  /** Does it once. `key` is different for every call of a run, and the same for every run of a seed. */
  run(turn: Turn): Promise<void>;
}

export interface Turn {
  readonly client: StubbornClient;
  readonly world: World;
  readonly key: string;
  readonly random: () => number;
}
