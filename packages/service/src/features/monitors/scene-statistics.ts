import { randomUUID } from "node:crypto";
import type { StatisticsRequest } from "@swath/contract/features/maps/statistics-contract";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { measureOf, type MonitorRule } from "@swath/kernel/monitors/rule";
import type { Caller, RequestContext } from "../../platform/context.ts";
import type { WorkRow } from "./scene-store.ts";

type Measured = Pick<WorkRow, "areas" | "map_types" | "project" | "rule">;

/** The statistics of a scene of a monitor. */
export function statisticsRequest(work: Measured, sceneId: string): StatisticsRequest {
  const { percentile } = measureOf(JSON.parse(work.rule) as MonitorRule);
  return {
    areas: JSON.parse(work.areas) as GeoJson,
    mapTypes: JSON.parse(work.map_types) as string[],
    sceneIds: [sceneId],
    allocate: true,
    ...(percentile === undefined ? {} : { percentiles: [percentile] }),
    ...(work.project === null ? {} : { project: work.project }),
  };
}

/** Statistics that nobody waits for. */
export function statisticsContext(caller: Caller, baseUrl: string, signal: AbortSignal): RequestContext {
  return { caller, baseUrl, signal, requestId: randomUUID(), beginWait: () => null };
}
