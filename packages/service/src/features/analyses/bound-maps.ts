import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapsService } from "../maps/service.ts";
import type { FrameMap, FrameOutcome } from "./frame-outcome.ts";

/** Signs IDs of maps for one analysis. */
export type BindMap = MapsService["bindMap"];

interface Identified {
  readonly mapId: string;
}

/** Maps whose IDs say of which analysis they are: features that the analysis hides stay hidden. */
export async function boundMaps<M extends Identified>(
  bind: BindMap,
  maps: readonly M[],
  analysisId: string,
): Promise<M[]> {
  const bound: M[] = [];
  for (const map of maps) bound.push({ ...map, mapId: await boundId(bind, map.mapId, analysisId) });
  return bound;
}

/** A frame of another analysis as a frame of this one. */
export async function boundOutcome(bind: BindMap, outcome: FrameOutcome, analysisId: string): Promise<FrameOutcome> {
  const inner: [string, FrameOutcome["results"]][] = [];
  for (const [id, results] of Object.entries(outcome.innerPolygonsResults)) {
    inner.push([id, await boundResults(bind, results, analysisId)]);
  }
  return {
    ...outcome,
    results: await boundResults(bind, outcome.results, analysisId),
    innerPolygonsResults: Object.fromEntries(inner),
  };
}

async function boundResults(
  bind: BindMap,
  results: FrameOutcome["results"],
  analysisId: string,
): Promise<FrameOutcome["results"]> {
  const bound: [string, FrameMap[]][] = [];
  for (const [mapType, maps] of Object.entries(results)) bound.push([mapType, await boundMaps(bind, maps, analysisId)]);
  return Object.fromEntries(bound);
}

/** An ID that has expired stays as it is. */
async function boundId(bind: BindMap, mapId: string, analysisId: string): Promise<string> {
  try {
    return await bind(mapId, analysisId);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "INVALID-MAP-ID") return mapId;
    throw error;
  }
}
