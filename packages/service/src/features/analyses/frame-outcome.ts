import type { AnalysisFrame } from "@swath/contract/features/analyses/analysis";
import type { FailedMap, ReleaseResult, SucceededMap } from "@swath/contract/features/maps/release-contract";
import { parentSceneId } from "@swath/kernel/scenes/scene-id";

/** Maps of a frame and how they were made. */
export type FrameOutcome = Omit<AnalysisFrame, "id" | "onlyIngested" | "scene">;

/** A map of a frame. */
interface FrameMap {
  readonly mapId: string;
  readonly maxZoom: number;
  readonly tiles: SucceededMap["tiles"];
}

/** A map type without a map, and the reason. */
interface MissingMap {
  readonly mapType: string;
  readonly errorCode: string;
  readonly errorMessage: string;
}

/** Maps that one run made for the area of an analysis, and for each of its inner polygons. */
export interface MadeMaps {
  readonly area: ReleaseResult;
  /** By ID of the inner polygon. */
  readonly inner: ReadonlyMap<string, ReleaseResult>;
}

export const EMPTY_OUTCOME: FrameOutcome = {
  results: {},
  innerPolygonsResults: {},
  actionMeta: {},
  failedActions: [],
  finishedActions: [],
  skippedActions: [],
};

/** Faults of the scene, not of the work: the same request can never succeed. */
const IMPOSSIBLE: ReadonlySet<string> = new Set(["UNSUPPORTED-IMAGERY", "GSD-TOO-COARSE", "ZERO-TILES-AVAILABLE"]);

/**
 * A frame after a run: map types of the run replace the earlier ones of the same name.
 *
 * @param made of all scenes of the run
 * @param meta how the maps were made, the same for all map types of the run
 */
export function addedOutcome(
  before: FrameOutcome,
  sceneId: string,
  { area, inner }: MadeMaps,
  meta: Readonly<Record<string, unknown>>,
): FrameOutcome {
  const results = mapsByType(area.maps, sceneId);
  const failed = area.failed.filter((one) => one.sceneId === sceneId && results[one.mapType] === undefined);
  const touched = new Set([...Object.keys(results), ...failed.map(({ mapType }) => mapType)]);
  const stays = ({ mapType }: { readonly mapType: string }): boolean => !touched.has(mapType);
  const finished = { ...without(before.results, touched), ...results };
  return {
    results: finished,
    innerPolygonsResults: innerResults(before, sceneId, inner, touched),
    actionMeta: { ...before.actionMeta, ...Object.fromEntries([...touched].map((mapType) => [mapType, meta])) },
    finishedActions: Object.keys(finished),
    failedActions: [
      ...missing(before.failedActions).filter(stays),
      ...failed.filter((one) => !isImpossible(one)).map(reasonOf),
    ],
    skippedActions: [...missing(before.skippedActions).filter(stays), ...failed.filter(isImpossible).map(reasonOf)],
  };
}

function mapsByType(maps: readonly SucceededMap[], sceneId: string): Record<string, readonly FrameMap[]> {
  // Pixels that were cut to the area have an ID below the ID of their scene.
  const own = maps.filter((map) => map.sceneId === sceneId || parentSceneId(map.sceneId) === sceneId);
  return Object.fromEntries(
    Map.groupBy(own, ({ mapType }) => mapType)
      .entries()
      .map(([mapType, list]) => [mapType, list.map(({ mapId, maxZoom, tiles }) => ({ mapId, maxZoom, tiles }))]),
  );
}

function innerResults(
  { innerPolygonsResults }: FrameOutcome,
  sceneId: string,
  inner: ReadonlyMap<string, ReleaseResult>,
  touched: ReadonlySet<string>,
): Record<string, unknown> {
  const after: Record<string, unknown> = { ...innerPolygonsResults };
  for (const [id, { maps }] of inner) {
    const known = (after[id] ?? {}) as Readonly<Record<string, unknown>>;
    after[id] = { ...without(known, touched), ...mapsByType(maps, sceneId) };
  }
  return after;
}

function without(results: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(results).filter(([name]) => !names.has(name)));
}

/** Entries that this module has written. */
function missing(entries: readonly unknown[]): readonly MissingMap[] {
  return entries as readonly MissingMap[];
}

function isImpossible({ errorCode }: FailedMap): boolean {
  return IMPOSSIBLE.has(errorCode);
}

function reasonOf({ mapType, errorCode, errorMessage }: FailedMap): MissingMap {
  return { mapType, errorCode, errorMessage };
}
