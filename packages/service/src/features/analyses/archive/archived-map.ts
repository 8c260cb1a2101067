import type { FrameOutcome } from "../frame-outcome.ts";
import type { FrameRow } from "../frame-store.ts";

/** A map of an analysis and its place in it. */
export interface ArchivedMap {
  readonly mapId: string;
  readonly mapType: string;
  readonly sceneId: string;
  /** Null for the whole area. */
  readonly innerPolygonId: string | null;
}

/** Maps by frame: maps of the area before maps of inner polygons. */
export function archivedMaps(frames: readonly FrameRow[]): readonly ArchivedMap[] {
  return frames.flatMap(({ outcome, sceneId }) => {
    const { innerPolygonsResults, results } = JSON.parse(outcome) as FrameOutcome;
    const inner = Object.entries(innerPolygonsResults).flatMap(([id, byType]) => mapsOf(byType, sceneId, id));
    return [...mapsOf(results, sceneId, null), ...inner];
  });
}

function mapsOf(byType: FrameOutcome["results"], sceneId: string, innerPolygonId: string | null): ArchivedMap[] {
  return Object.entries(byType).flatMap(([mapType, maps]) =>
    maps.map(({ mapId }) => ({ mapId, mapType, sceneId, innerPolygonId })),
  );
}
