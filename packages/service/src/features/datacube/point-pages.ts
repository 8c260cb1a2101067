import type { Datapoint } from "@swath/contract/features/datacube/points-contract";
import { formatInstant } from "@swath/kernel/time/instant";
import type { Db } from "../../platform/context.ts";
import { writePointCursor, type PointCursor } from "./point-cursor.ts";
import type { PointsQuery } from "./points-query.ts";
import {
  readAggregates,
  readPoints,
  type AggregatedPoint,
  type PointPosition,
  type StoredPoint,
} from "./points-store.ts";
import { formatMoment } from "./request-instant.ts";
import type { SeriesRow } from "./series-store.ts";

export interface PointPage {
  readonly results: readonly Datapoint[];
  /** Null on the last page. */
  readonly cursor: string | null;
}

interface PageOptions {
  readonly after: PointCursor | null;
  readonly limit: number;
  readonly withProvenance: boolean;
}

/** The datapoints after a place. Series are read one after the other, so that each is read along its index. */
export async function readPage(
  db: Db,
  { asOf, parts, aggregate }: PointsQuery,
  { after, limit, withProvenance }: PageOptions,
  signal: AbortSignal,
): Promise<PointPage> {
  const results: Datapoint[] = [];
  let last: { readonly seriesId: number; readonly position: PointPosition } | null = null;
  for (const { series, condition } of parts) {
    const { seriesId } = series;
    if (after !== null && seriesId < after.seriesId) continue;
    signal.throwIfAborted();
    const position = after?.seriesId === seriesId ? after.position : null;
    // One more tells whether there is another page.
    const wanted = limit - results.length + 1;
    const found =
      aggregate === null
        ? await readPoints(db, condition, { position, limit: wanted, withProvenance })
        : await readAggregates(db, condition, aggregate, { position, limit: wanted });
    const isMore = found.length === wanted;
    for (const point of isMore ? found.slice(0, -1) : found) {
      results.push("version" in point ? datapointOf(series, point) : aggregateOf(series, point));
      last = { seriesId, position: "version" in point ? point : { ...point, version: "" } };
    }
    if (isMore && last !== null) return { results, cursor: writePointCursor({ asOf, ...last }) };
  }
  return { results, cursor: null };
}

function datapointOf({ project, algorithm, source, unit }: SeriesRow, point: StoredPoint): Datapoint {
  const { aoiId, version, start, end, firstSeen, value, confidence, cloudCover, sceneId, mapId, provenance } = point;
  return {
    aoiId,
    project,
    algorithm,
    source,
    version,
    startDatetime: formatInstant(start.getTime()),
    endDatetime: formatInstant(end.getTime()),
    firstSeen: formatMoment(firstSeen),
    value,
    unit,
    confidence,
    cloudCover,
    sceneId,
    mapId,
    ...(provenance === null ? {} : { provenance: JSON.parse(provenance) as Record<string, unknown> }),
  };
}

function aggregateOf({ project, algorithm, source, unit }: SeriesRow, point: AggregatedPoint): Datapoint {
  const { aoiId, start, end, firstSeen, value, count } = point;
  return {
    aoiId,
    project,
    algorithm,
    source,
    version: null,
    startDatetime: formatInstant(start.getTime()),
    endDatetime: formatInstant(end.getTime()),
    firstSeen: formatMoment(firstSeen),
    value,
    unit,
    confidence: null,
    cloudCover: null,
    sceneId: null,
    mapId: null,
    count,
  };
}
