import { baselineMatrix, type BaselineScene } from "@swath/kernel/orbits/baseline-matrix";
import type { OrbitSource } from "@swath/kernel/orbits/orbit-source";
import type { StateVector } from "@swath/kernel/orbits/state-vector";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { Static } from "typebox";
import type { Caller, Db, Trx } from "../../platform/context.ts";
import type { Catalog } from "../../providers/catalog.ts";
import type { ImageryService } from "../imagery/service.ts";
import type { BaselinesAnswer } from "@swath/contract/features/baselines/contract";
import * as store from "./store.ts";

export interface BaselineService {
  /**
   * @param sceneIds no two alike
   * @throws {ServiceError} NON-EXISTING-SCENE naming the first that is not known
   */
  perpendicularBaselines(
    sceneIds: readonly string[],
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Static<typeof BaselinesAnswer>>;
  /** Keeps the orbit of a scene that is registered in the same transaction, or was before. */
  keepStateVectors(trx: Trx, sceneId: string, vectors: readonly StateVector[]): Promise<void>;
}

export interface BaselineServiceDeps {
  readonly db: Db;
  readonly imagery: Pick<ImageryService, "seenBy">;
  readonly catalog: Pick<Catalog, "findDataset">;
  /** Orbits of scenes that the store has none of; null when there is no such source. */
  readonly source: Pick<OrbitSource, "stateVectors"> | null;
}

/** Sources that are asked about scenes at once. */
const CONCURRENT_LOOKUPS = 8;

export function createBaselineService({ db, imagery, catalog, source }: BaselineServiceDeps): BaselineService {
  async function sceneOf(sceneId: string, caller: Caller, signal: AbortSignal): Promise<Scene> {
    signal.throwIfAborted();
    return await imagery.seenBy(caller).sceneInfo({ sceneId });
  }

  const isComplexRadar = ({ provider, dataset }: Scene): boolean =>
    catalog.findDataset(provider, dataset)?.dataset.type === "sar-slc";

  return {
    async perpendicularBaselines(sceneIds, caller, signal) {
      const scenes = await inTurns(sceneIds, CONCURRENT_LOOKUPS, (sceneId) => sceneOf(sceneId, caller, signal));
      const complex = scenes.filter(isComplexRadar).map(({ sceneId }) => sceneId);
      const orbits = new Map<string, readonly StateVector[]>(await store.readStateVectors(db, complex));
      for (const sceneId of complex) {
        const vectors = orbits.has(sceneId) ? null : ((await source?.stateVectors(sceneId)) ?? null);
        if (vectors !== null) orbits.set(sceneId, vectors);
      }
      const matrix = baselineMatrix(
        scenes.map((scene): BaselineScene | null =>
          isComplexRadar(scene)
            ? {
                track: trackOf(scene, catalog),
                footprint: scene.footprint,
                stateVectors: orbits.get(scene.sceneId) ?? null,
              }
            : null,
        ),
      );
      return {
        indexes: Object.fromEntries(sceneIds.map((sceneId, index) => [sceneId, index])),
        perpendicular_baselines: matrix,
      };
    },

    keepStateVectors: (trx, sceneId, vectors) => store.writeStateVectors(trx, sceneId, vectors),
  };
}

/** The property that both scenes of a pair must share; null when the scene lacks a part of it. */
function trackOf(scene: Scene, { findDataset }: Pick<Catalog, "findDataset">): string | null {
  const { relativeOrbitNumberStart: orbit, orbitPass, lookSide } = scene;
  const family = findDataset(scene.provider, scene.dataset)?.dataset.changeGroup;
  if (family === undefined || orbit === undefined || orbitPass === undefined || lookSide === undefined) return null;
  return `${family} ${orbit} ${orbitPass} ${lookSide}`;
}

/** Maps with at most so many under way; answers in the order of the items. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  }
  return results;
}
