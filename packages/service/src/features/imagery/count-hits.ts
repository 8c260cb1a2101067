import { MAX_SCENES } from "@swath/contract/kit/schemas/scene";
import type { SearchCounts } from "@swath/contract/features/imagery/search-counts";
import { countScenes, type CountedScene } from "@swath/kernel/scenes/scene-counts";
import type { Db } from "../../platform/context.ts";
import { readCountedScenes, type CountedSceneRow } from "./counted-scenes.ts";
import type { Hit } from "./hit.ts";
import { requestedName, type RequestedNames } from "./requested-names.ts";

/** More would read more documents than a page has. */
export const MAX_COUNTED = MAX_SCENES;

/**
 * Counts hits by filter, at most `MAX_COUNTED`, the newest first. Datasets have the names of the request.
 *
 * @param hits one more than are counted where the search has more
 */
export async function countHits(db: Db, hits: readonly Hit[], names: RequestedNames): Promise<SearchCounts> {
  const counted = hits.slice(0, MAX_COUNTED);
  const tableKeys = counted.flatMap(({ origin }) => (origin.kind === "table" ? [origin.sceneKey] : []));
  const stored = tableKeys.length === 0 ? [] : await readCountedScenes(db, tableKeys);
  const fromSources = counted.flatMap(({ origin }): readonly CountedScene[] =>
    origin.kind === "source" ? [origin.scene] : [],
  );
  const scenes = [...stored.map(toCountedScene), ...fromSources];
  return {
    ...countScenes(scenes.map((scene) => ({ ...scene, ...requestedName(names, scene) }))),
    complete: counted.length === hits.length,
  };
}

function toCountedScene(row: CountedSceneRow): CountedScene {
  const { provider, dataset, cloud_cover: cloudCover, off_nadir: offNadir, gsd } = row;
  return {
    provider,
    dataset,
    ...(cloudCover === null ? {} : { cloudCover }),
    ...(offNadir === null ? {} : { offNadir }),
    bands: gsd === null ? [] : [{ gsd }],
  };
}
