import { LRUCache } from "lru-cache";
import type { Db } from "../../platform/context.ts";
import type { HiddenFeatures, SavedMaps } from "../../platform/saved-maps.ts";
import type { FrameOutcome } from "./frame-outcome.ts";
import { readFrames } from "./frame-store.ts";
import { hiddenFeatureIds } from "./hidden-features.ts";
import { readableAnalysis } from "./readable-analysis.ts";
import { readerOf } from "./rights.ts";
import type { AnalysisDocument } from "./saved-document.ts";
import * as store from "./store.ts";

/** Of all kept lists; a list has 10,000 at most. */
const KEPT_FEATURES = 200_000;

export function createSavedMaps({ db }: { readonly db: Db }): SavedMaps {
  const kept = new LRUCache<string, HiddenFeatures & { readonly version: number }>({
    maxSize: KEPT_FEATURES,
    sizeCalculation: ({ featureIds }) => featureIds.size + 1,
  });
  return {
    async hidden(analysisId) {
      const known = kept.get(analysisId);
      const row = await store.readHidden(db, analysisId, known?.version ?? null);
      if (row === null) return null;
      if (row.hiddenFeatures === null && known !== undefined) return known;
      const list = JSON.parse(row.hiddenFeatures ?? "[]") as AnalysisDocument["hiddenFeatures"];
      const hidden = {
        version: row.version,
        tag: `${analysisId} ${row.version}`,
        featureIds: hiddenFeatureIds(list),
      };
      kept.set(analysisId, hidden);
      return hidden;
    },

    async ofAnalysis(caller, analysisId) {
      const row = await readableAnalysis(db, analysisId, readerOf(caller));
      const { description, polygon } = JSON.parse(row.document) as AnalysisDocument;
      const frames = await readFrames(db, [analysisId]);
      return {
        name: polygon?.properties?.name ?? null,
        description,
        mapIds: frames.flatMap(({ outcome }) => mapIdsOf(JSON.parse(outcome) as FrameOutcome)),
      };
    },
  };
}

function mapIdsOf({ innerPolygonsResults, results }: FrameOutcome): readonly string[] {
  return [results, ...Object.values(innerPolygonsResults)]
    .flatMap((byType) => Object.values(byType).flat())
    .map(({ mapId }) => mapId);
}
