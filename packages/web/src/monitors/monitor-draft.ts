import type { Client } from "@swath/client";
import type { ConsoleState } from "../console-state.ts";
import type { AreaGeometry } from "../find/area-rings.ts";
import type { Monitor } from "./monitor.ts";
import { EMPTY_RULE, ruleDraftOf, type RuleDraft } from "./rule-draft.ts";
import { limitsOf, withLimits, type SceneLimits } from "./scene-filter.ts";

/** Values of the form of a monitor. */
export interface MonitorDraft {
  readonly name: string;
  readonly mapTypes: readonly string[];
  readonly limits: SceneLimits;
  readonly creditsPerMonth: number;
  readonly minValidShare: number;
  readonly project: string;
  readonly rule: RuleDraft;
}

export function monitorDraftOf(monitor: Monitor | null, mostCloud: number | null): MonitorDraft {
  if (monitor === null) {
    const limits = { mostCloud, mostOffNadirDeg: null };
    return { name: "", mapTypes: [], limits, creditsPerMonth: 50, minValidShare: 0.5, project: "", rule: EMPTY_RULE };
  }
  const { name, mapTypes, filter, creditsPerMonth, minValidShare, project = "", rule } = monitor;
  const limits = limitsOf(filter);
  return { name, mapTypes, limits, creditsPerMonth, minValidShare, project, rule: ruleDraftOf(rule) };
}

interface Settings extends Omit<MonitorDraft, "rule"> {
  readonly rule: Monitor["rule"];
}

/** Returns the ID of the monitor. */
export async function createMonitor(
  calls: Client,
  draft: Settings & { readonly areas: AreaGeometry; readonly datasets: ConsoleState["datasets"] },
): Promise<string> {
  const { name, areas, datasets, mapTypes, limits, creditsPerMonth, minValidShare, project, rule } = draft;
  const filter = withLimits(undefined, limits);
  const { id } = await calls.call("/monitor/create", {
    name,
    areas,
    datasets: [...datasets],
    mapTypes,
    creditsPerMonth,
    minValidShare,
    rule,
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...(project === "" ? {} : { project }),
  });
  return id;
}

/** An unchanged rule is not sent: under another rule the earlier values do not count. */
export async function updateMonitor(
  calls: Client,
  monitor: Monitor,
  { name, limits, creditsPerMonth, minValidShare, rule }: Settings,
): Promise<void> {
  await calls.call("/monitor/update", {
    monitorId: monitor.id,
    name,
    creditsPerMonth,
    minValidShare,
    filter: withLimits(monitor.filter, limits),
    ...(JSON.stringify(rule) === JSON.stringify(monitor.rule) ? {} : { rule }),
  });
}
