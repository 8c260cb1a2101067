import type { Clock } from "@swath/base/clock";
import { creditsToMicro, microToCredits, type MicroCredits } from "@swath/kernel/credits/micro";
import { evaluateRule, type Finding } from "@swath/kernel/monitors/evaluate-rule";
import { measureOf, type MonitorRule } from "@swath/kernel/monitors/rule";
import type { StatisticsResult } from "@swath/contract/features/maps/statistics-contract";
import type { MapTypes } from "@swath/maps/registry";
import type { Db, Trx } from "../../platform/context.ts";
import { recordEvents, type NewEvent } from "../../platform/events/record-event.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { earlierValues, lockEnded, type EndedRow } from "./ended-store.ts";
import { isPassing, nextTryAt, skipReasonOf } from "./failure.ts";
import { measuredValues, type AreaValue } from "./measured-values.ts";
import type { MonitorRow } from "./monitor-store.ts";
import * as store from "./scene-store.ts";
import { skipScene } from "./skip-scene.ts";

export interface SettleDeps {
  readonly clock: Clock;
  readonly db: Db;
  readonly mapTypes: Pick<MapTypes, "find">;
}

/** Earlier scenes that are looked through for values of each area. */
const EARLIER_SCENES = 200;
/** Scenes of one monitor that are measured at once. */
export const RUNNING_TOGETHER = 4;
/** Areas that an event names. */
const NAMED_AREAS = 50;

/**
 * Ends a scene whose pipeline has ended: the charge replaces the reservation, and the result with its events is
 * written, in one transaction.
 */
export async function settleScene(deps: SettleDeps, key: store.SceneKey): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const found = await lockEnded(trx, key);
    if (found === null) return;
    const { ended, monitor } = found;
    const chargedMicro = chargeOf(ended);
    await store.settleMonth(trx, { ...ended, chargedMicro });
    if (ended.result !== null) await keepResult(deps, trx, { monitor, ended, result: ended.result, chargedMicro });
    else await keepFailure(deps, trx, { monitor, ended, chargedMicro });
    await store.wakeWaiting(trx, key, { at: deps.clock.now(), limit: RUNNING_TOGETHER });
  });
}

/** Of a pipeline without a trace nobody knows the charge: the reservation counts, which it cannot exceed. */
function chargeOf({ pipelineStatus, reservedMicro, result }: EndedRow): MicroCredits {
  if (pipelineStatus === "FAILED" || pipelineStatus === "CANCELLED") return 0n;
  if (result === null) return BigInt(reservedMicro);
  return creditsToMicro(result.payment?.chargedCredits ?? 0);
}

async function keepFailure(
  { clock }: SettleDeps,
  trx: Trx,
  { chargedMicro, ended, monitor }: Omit<Measured, "result">,
): Promise<void> {
  const at = clock.now();
  const { errorCode, errorMessage, pipelineStatus, tries } = ended;
  const message = errorMessage ?? "the result is gone";
  const mayRepeat = pipelineStatus === "FAILED" && errorCode !== null && isPassing(errorCode);
  const dueAt = mayRepeat ? nextTryAt(tries, at) : null;
  if (dueAt !== null) {
    await store.postpone(trx, ended, { dueAt, message });
    return;
  }
  await skipScene(trx, monitor, ended, {
    skipReason: skipReasonOf(errorCode ?? ""),
    message: pipelineStatus === "CANCELLED" ? "the pipeline was cancelled" : message,
    chargedMicro,
    at,
  });
}

interface Measured {
  readonly monitor: MonitorRow;
  readonly ended: EndedRow;
  readonly result: StatisticsResult;
  readonly chargedMicro: MicroCredits;
}

interface AreaFinding extends Finding {
  readonly area: string;
}

async function keepResult(deps: SettleDeps, trx: Trx, measured: Measured): Promise<void> {
  const { chargedMicro, ended, monitor, result } = measured;
  const rule = JSON.parse(monitor.rule) as MonitorRule;
  const measure = measureOf(rule);
  const mapType = deps.mapTypes.find(measure.mapType)?.id ?? measure.mapType;
  const values = measuredValues(result.rows, { ...measure, mapType }, monitor.min_valid_share);
  const shared = { chargedMicro, values, at: deps.clock.now() };
  const [first] = result.rows;
  if (first === undefined || values.every(({ value }) => value === null)) {
    const reason = reasonWithoutValues(result, mapType);
    await skipScene(trx, monitor, ended, { ...reason, ...shared });
    return;
  }
  const acquiredAt = new Date(`${first.datetime.replace(" ", "T")}Z`);
  const findings = await findingsOf(trx, monitor, rule, values, acquiredAt);
  await store.endScene(trx, ended, {
    status: "DONE",
    skipReason: null,
    message: null,
    acquiredAt,
    ruleNumber: monitor.rule_number,
    alertAreas: findings.map(({ area }) => area),
    ...shared,
  });
  await recordEvents(trx, eventsOf(measured, values, findings, first.datetime));
}

function reasonWithoutValues(
  { failed, rows }: StatisticsResult,
  mapType: string,
): { readonly skipReason: store.SkipReason; readonly message: string } {
  const fault = failed.find((one) => one.mapType === mapType) ?? failed[0];
  if (fault !== undefined) return { skipReason: "FAILED", message: fault.errorMessage };
  const own = rows.filter((row) => row.mapType === mapType);
  const least = Math.max(0, ...own.map(({ validShare }) => validShare));
  if (own.some(({ count }) => count > 0) && least === 1) {
    return { skipReason: "FAILED", message: "the map has no such layer or statistic" };
  }
  return { skipReason: "CLOUD", message: `at most ${Math.round(100 * least)} % of an area has pixels that count` };
}

async function findingsOf(
  trx: Trx,
  monitor: MonitorRow,
  rule: MonitorRule,
  values: readonly AreaValue[],
  acquiredAt: Date,
): Promise<readonly AreaFinding[]> {
  const earlier = rule.kind === "change" ? await earlierValues(trx, monitor, acquiredAt, EARLIER_SCENES) : [];
  const series = new Map<string, (number | null)[]>();
  for (const { area, value } of earlier.flat()) {
    const known = series.get(area);
    if (known === undefined) series.set(area, [value]);
    else known.push(value);
  }
  return values.flatMap(({ area, value }) => {
    const finding = evaluateRule(rule, value, series.get(area) ?? []);
    return finding === null ? [] : [{ area, ...finding }];
  });
}

function eventsOf(
  { chargedMicro, ended, monitor }: Measured,
  values: readonly AreaValue[],
  findings: readonly AreaFinding[],
  datetime: string,
): readonly NewEvent[] {
  const shared = { subject: `monitor:${monitor.id}`, audience: { userId: monitor.owner_id } };
  const about = { monitorId: monitor.id, name: monitor.name, sceneId: ended.sceneId, datetime };
  const chargedCredits = microToCredits(chargedMicro);
  const result = { ...about, pipelineId: ended.pipelineId, chargedCredits, values: values.slice(0, NAMED_AREAS) };
  const events: NewEvent[] = [
    { type: "monitor.result", ...shared, data: { ...result, areaCount: values.length, alertCount: findings.length } },
  ];
  if (findings.length > 0) {
    const named = findings.slice(0, NAMED_AREAS);
    events.push({ type: "monitor.alert", ...shared, data: { ...about, findings: named, alertCount: findings.length } });
  }
  return events;
}
