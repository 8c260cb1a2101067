import type { AnalysisFrame } from "@swath/contract/features/analyses/analysis";
import type { FailedMap, ReleaseResult, SucceededMap } from "@swath/contract/features/maps/release-contract";
import { parentSceneId } from "@swath/kernel/scenes/scene-id";

/** A map of a frame. */
export interface FrameMap {
  readonly mapId: string;
  readonly maxZoom: number;
  readonly tiles: SucceededMap["tiles"];
}

/** A map type without a map, and the reason. */
interface MissingMap {
  readonly mapType: string;
  /** Absent for the whole area. */
  readonly innerPolygonId?: string;
  readonly errorCode: string;
  readonly errorMessage: string;
}

type MapsByType = Readonly<Record<string, readonly FrameMap[]>>;

/** Maps of a frame and how they were made. */
export interface FrameOutcome extends Omit<AnalysisFrame, "id" | "onlyIngested" | "scene"> {
  readonly results: MapsByType;
  readonly innerPolygonsResults: Readonly<Record<string, MapsByType>>;
  readonly failedActions: MissingMap[];
  readonly finishedActions: string[];
  readonly skippedActions: MissingMap[];
}

/** Maps of all scenes of a run for one place. */
export interface MadeMaps {
  /** Null for the area of the analysis. */
  readonly innerPolygonId: string | null;
  readonly release: Pick<ReleaseResult, "failed" | "maps">;
}

export const EMPTY_OUTCOME: FrameOutcome = {
  results: {},
  innerPolygonsResults: {},
  actionMeta: {},
  failedActions: [],
  finishedActions: [],
  skippedActions: [],
};

/** Faults of the scene or the place, not of the work: the same request can never succeed. */
const IMPOSSIBLE: ReadonlySet<string> = new Set([
  "EXTENT-HAS-NO-INTERSECTION",
  "GSD-TOO-COARSE",
  "UNSUPPORTED-IMAGERY",
  "ZERO-TILES-AVAILABLE",
]);

/**
 * A frame after a release: map types of the release replace the earlier ones of the same name and place.
 *
 * @param meta how the maps were made
 */
export function addedOutcome(
  before: FrameOutcome,
  sceneId: string,
  { innerPolygonId, release }: MadeMaps,
  meta: Readonly<Record<string, unknown>>,
): FrameOutcome {
  const maps = mapsOfScene(release.maps, sceneId);
  const missing = release.failed
    .filter((one) => one.sceneId === sceneId && maps[one.mapType] === undefined)
    .map((one) => missingMap(one, innerPolygonId));
  const types = new Set([...Object.keys(maps), ...missing.map(({ mapType }) => mapType)]);
  const replaced = (earlier: MapsByType = {}): MapsByType => ({ ...without(earlier, types), ...maps });
  const isOther = (one: MissingMap): boolean =>
    (one.innerPolygonId ?? null) !== innerPolygonId || !types.has(one.mapType);
  const results = innerPolygonId === null ? replaced(before.results) : before.results;
  return {
    results,
    innerPolygonsResults:
      innerPolygonId === null
        ? before.innerPolygonsResults
        : { ...before.innerPolygonsResults, [innerPolygonId]: replaced(before.innerPolygonsResults[innerPolygonId]) },
    actionMeta: { ...before.actionMeta, ...Object.fromEntries([...types].map((mapType) => [mapType, meta])) },
    finishedActions: Object.keys(results),
    failedActions: [
      ...before.failedActions.filter(isOther),
      ...missing.filter(({ errorCode }) => !IMPOSSIBLE.has(errorCode)),
    ],
    skippedActions: [
      ...before.skippedActions.filter(isOther),
      ...missing.filter(({ errorCode }) => IMPOSSIBLE.has(errorCode)),
    ],
  };
}

function mapsOfScene(maps: readonly SucceededMap[], sceneId: string): MapsByType {
  // Pixels that were cut to the area have an ID below the ID of their scene.
  const own = maps.filter((map) => map.sceneId === sceneId || parentSceneId(map.sceneId) === sceneId);
  return Object.fromEntries(
    Map.groupBy(own, ({ mapType }) => mapType)
      .entries()
      .map(([mapType, list]) => [mapType, list.map(({ mapId, maxZoom, tiles }) => ({ mapId, maxZoom, tiles }))]),
  );
}

function missingMap({ mapType, errorCode, errorMessage }: FailedMap, innerPolygonId: string | null): MissingMap {
  return { mapType, ...(innerPolygonId === null ? {} : { innerPolygonId }), errorCode, errorMessage };
}

function without(results: MapsByType, names: ReadonlySet<string>): MapsByType {
  return Object.fromEntries(Object.entries(results).filter(([name]) => !names.has(name)));
}
