import { MAX_QUERY_AREAS } from "@swath/contract/features/standing-queries/contract";
import type { SearchRequest } from "@swath/contract/features/imagery/contract";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { canonicalMultiPolygon } from "@swath/kernel/geometry/canonical";
import { encodeFootprint } from "@swath/kernel/geometry/footprint-codec";
import type { Bounds, GeoJson } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import { positionCount } from "@swath/kernel/query/query-reader";
import type { SearchPlan } from "../imagery/search-plan.ts";

/** An area of a standing query. */
export interface WatchedArea {
  readonly featureId: string;
  /** Encoded by the kernel's footprint codec. */
  readonly area: Uint8Array;
  /** Unwrapped. */
  readonly bounds: Bounds;
}

/** Areas of a query, and the conditions that they share. */
export interface WatchPlan extends Pick<SearchPlan, "datasets" | "from" | "threshold" | "to"> {
  readonly areas: readonly WatchedArea[];
}

/** Positions of all areas of a query. */
const MAX_POSITIONS = 50_000;

/** Each feature becomes the extent of a search, with the rules of searches. @throws {ServiceError} as a search */
export async function watchPlan(
  planSearch: (request: SearchRequest, signal: AbortSignal) => Promise<SearchPlan>,
  areas: GeoJson,
  conditions: Omit<SearchRequest, "extent">,
  signal: AbortSignal,
): Promise<WatchPlan> {
  const extents = requestedExtents(areas);
  const watched: WatchedArea[] = [];
  let first: SearchPlan | null = null;
  const share = loopShare();
  for (const { id, extent } of extents) {
    if (isUsedUp(share)) await giveWay(share, signal);
    const plan = await planSearch({ ...conditions, extent }, signal);
    first ??= plan;
    const area = canonicalMultiPolygon(plan.extent);
    watched.push({ featureId: id, area: encodeFootprint(area), bounds: mbr(area) });
  }
  if (first === null) throw invalid("has no feature, expected at least one");
  const { datasets, from, threshold, to } = first;
  return { areas: watched, datasets, from, threshold, to };
}

/** @throws {ServiceError} VALIDATION-ERROR for too many features or positions, and for features without geometry */
function requestedExtents(areas: GeoJson): readonly { readonly id: string; readonly extent: GeoJson }[] {
  const features: readonly GeoJson[] = areas.type === "FeatureCollection" ? areas.features : [areas];
  if (features.length > MAX_QUERY_AREAS) {
    throw invalid(`has ${features.length} features, expected at most ${MAX_QUERY_AREAS}`);
  }
  const extents = features.map((feature, index) => {
    const extent = feature.type === "Feature" ? feature.geometry : feature;
    if (extent === null) throw invalid(`has a feature without geometry at ${index}, expected an area`);
    const id = feature.type === "Feature" ? feature.id : undefined;
    return { id: String(id ?? index).slice(0, 128), extent };
  });
  const positions = extents.reduce((sum, { extent }) => sum + positionCount(extent), 0);
  if (positions > MAX_POSITIONS) throw invalid(`has ${positions} positions, expected at most ${MAX_POSITIONS}`);
  return extents;
}

function invalid(message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", `/areas ${message}`, { details: [{ path: "/areas", message }] });
}
