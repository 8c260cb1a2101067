import type { Monitor } from "@swath/contract/features/monitors/contract";
import { microToCredits } from "@swath/kernel/credits/micro";
import { readCriteria } from "../standing-queries/stored-criteria.ts";
import type { MonitoredScene } from "@swath/contract/features/monitors/contract";
import type { LatestRow } from "./ended-store.ts";
import type { ShownRow } from "./monitor-store.ts";

/** A monitor as operations answer it. */
export function shownMonitor(row: ShownRow, month: string): Monitor {
  return {
    id: row.id,
    name: row.name,
    ...readCriteria(row.criteria).conditions,
    mapTypes: JSON.parse(row.map_types) as Monitor["mapTypes"],
    creditsPerMonth: microToCredits(BigInt(row.budget_micro)),
    rule: JSON.parse(row.rule) as Monitor["rule"],
    minValidShare: row.min_valid_share,
    ...(row.project === null ? {} : { project: row.project }),
    enabled: row.enabled,
    stopReason: row.stop_reason,
    areaCount: row.area_count,
    month,
    spentCredits: microToCredits(BigInt(row.spent_micro)),
    reservedCredits: microToCredits(BigInt(row.reserved_micro)),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function shownScene(row: LatestRow): MonitoredScene {
  return {
    sceneId: row.scene_id,
    status: row.status,
    skipReason: row.skip_reason as MonitoredScene["skipReason"],
    message: row.message,
    pipelineId: row.pipeline_id,
    chargedCredits: microToCredits(BigInt(row.charged_micro)),
    values: [...row.area_values],
    alertAreas: [...row.alert_areas],
    matchedAt: row.matched_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
