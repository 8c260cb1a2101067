import type { Monitor } from "@swath/contract/features/monitors/contract";
import { microToCredits } from "@swath/kernel/credits/micro";
import { readCriteria } from "../standing-queries/stored-criteria.ts";
import type { MonitoredScene } from "@swath/contract/features/monitors/contract";
import { lookedDatasets, type LookDeps } from "./looked-datasets.ts";
import type { LookRow } from "./look-store.ts";
import type { LatestRow } from "./ended-store.ts";
import type { ShownRow } from "./monitor-store.ts";

/** A monitor as operations answer it. */
export function shownMonitor(deps: LookDeps, row: ShownRow, looks: readonly LookRow[], month: string): Monitor {
  const { conditions } = readCriteria(row.criteria);
  const looked = lookedDatasets(deps, conditions);
  return {
    id: row.id,
    name: row.name,
    ...conditions,
    mapTypes: JSON.parse(row.map_types) as Monitor["mapTypes"],
    creditsPerMonth: microToCredits(BigInt(row.budget_micro)),
    rule: JSON.parse(row.rule) as Monitor["rule"],
    minValidShare: row.min_valid_share,
    ...(row.project === null ? {} : { project: row.project }),
    schedule: { everyMinutes: row.look_every_minutes, overlapDays: row.look_overlap_days },
    looks: looks.filter(({ monitor_id, provider }) => monitor_id === row.id && looked.has(provider)).map(shownLook),
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

function shownLook(row: LookRow): Monitor["looks"][number] {
  return {
    provider: row.provider,
    nextLookAt: row.due_at?.toISOString() ?? null,
    lastLookAt: row.last_look_at?.toISOString() ?? null,
    failures: row.failures,
    failedAt: row.failed_at?.toISOString() ?? null,
    failure: row.failure,
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
