import type { Clock } from "@swath/base/clock";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { isGranted } from "@swath/kernel/permissions/permission";
import { formatInstant } from "@swath/kernel/time/instant";
import type { Caller, Db } from "../../platform/context.ts";
import { callersOfUsers } from "../../platform/identity/callers-of-users.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { Catalog } from "../../providers/catalog.ts";
import { heldPermissions } from "../../providers/held-permissions.ts";
import type { ImageryService } from "../imagery/service.ts";
import type { StandingQueriesService } from "../standing-queries/service.ts";
import { readCriteria } from "../standing-queries/stored-criteria.ts";
import { isOver, lookPeriod, type LookPeriod } from "./look-period.ts";
import type { ClaimedLook, LookEnd } from "./look-store.ts";
import { lookedDatasets, type LookDeps } from "./looked-datasets.ts";
import { lockMonitor } from "./monitor-store.ts";
import { readWork, type WorkRow } from "./scene-store.ts";
import { searchPages } from "./search-pages.ts";
import { stopMonitor } from "./stop-monitor.ts";
import { watchedExtents } from "./watched-extents.ts";

export interface LookOnceDeps extends LookDeps {
  readonly catalog: Pick<Catalog, "findDataset" | "findProvider">;
  readonly clock: Clock;
  readonly db: Db;
  readonly imagery: Pick<ImageryService, "search">;
  readonly standing: Pick<StandingQueriesService, "changeForMonitor">;
  /** After this time a look goes on behind the looks that are due. */
  readonly turnMs: number;
}

/** Areas of a look that were searched, for a look that fails. */
export interface LookProgress {
  position: number;
  target: Date | null;
}

const MINUTE_MS = 60_000;

type Conditions = ReturnType<typeof readCriteria>["conditions"];

/**
 * Asks a provider for the new scenes of a monitor: the search makes them known, and standing queries match them. The
 * rights of the owner count.
 *
 * @returns the state afterwards; null when the monitor is gone or stops
 * @throws {ServiceError} of a search; SERVICE-UNAVAILABLE when a catalogue has failed
 */
export async function lookOnce(
  deps: LookOnceDeps,
  look: ClaimedLook,
  progress: LookProgress,
  signal: AbortSignal,
): Promise<LookEnd | null> {
  const work = await readWork(deps.db, look.monitor_id);
  if (work === null || !work.enabled) return null;
  const criteria = readCriteria(work.criteria);
  const datasets = lookedDatasets(deps, criteria.conditions).get(look.provider) ?? [];
  const now = deps.clock.now();
  const rest = { last_look_at: look.last_look_at, failures: 0, failed_at: null, failure: null, at: now };
  const period = lookPeriod(criteria, look, work.look_overlap_days, now);
  if (period === null || datasets.length === 0) {
    const next = period === null ? "never" : "interval";
    return { ...rest, looked_until: now, target: null, position: 0, next };
  }
  const caller = await allowedCaller(deps, work, datasets);
  if (caller === null) return null;
  progress.target = period.target;
  const isDone = await searchAreas(deps, { work, conditions: { ...criteria.conditions, datasets }, period }, caller, {
    progress,
    signal,
  });
  if (!isDone) return { ...rest, looked_until: look.looked_until, ...progress, next: now };
  const isBehind = now.getTime() - period.target.getTime() > work.look_every_minutes * MINUTE_MS;
  const isLast = isOver(criteria, period.target, work.look_overlap_days);
  const next = isLast ? "never" : isBehind ? now : "interval";
  return { ...rest, last_look_at: now, looked_until: period.target, target: null, position: 0, next };
}

interface Search {
  readonly work: WorkRow;
  readonly conditions: Conditions;
  readonly period: LookPeriod;
}

/** @returns whether all areas were searched within the turn; the next turn goes on with the others */
async function searchAreas(
  { imagery, turnMs }: LookOnceDeps,
  { conditions, period, work }: Search,
  caller: Caller,
  { progress, signal }: { readonly progress: LookProgress; readonly signal: AbortSignal },
): Promise<boolean> {
  const { filter: _, ...search } = conditions;
  const startDatetime = formatInstant(period.from.getTime());
  // Searches know seconds.
  const endDatetime = formatInstant(Math.ceil(period.to.getTime() / 1_000) * 1_000);
  const extents = watchedExtents(JSON.parse(work.areas) as GeoJson);
  const endMs = performance.now() + turnMs;
  for (const extent of extents.slice(progress.position)) {
    const request = { ...search, extent, startDatetime, endDatetime };
    const pages = searchPages(imagery.search, request, caller, signal);
    while ((await pages.next()).done !== true) signal.throwIfAborted();
    progress.position += 1;
    if (performance.now() >= endMs) break;
  }
  return progress.position >= extents.length;
}

/** The owner with the rights of now; a monitor whose owner is blocked or lacks a right stops. */
async function allowedCaller(
  deps: LookOnceDeps,
  work: WorkRow,
  datasets: Conditions["datasets"],
): Promise<Caller | null> {
  const held = await callersOfUsers(deps.db, [work.owner_id], (granted) => heldPermissions(deps.catalog, granted));
  const caller = held.get(work.owner_id);
  const required = [
    "imagery.monitors",
    "imagery.availability",
    ...datasets.map(({ dataset, provider }) => `imagery.images.${provider}.${dataset}`),
  ];
  const missing = caller === undefined ? null : required.find((one) => !isGranted(caller.permissions, one));
  if (caller !== undefined && missing === undefined) return caller;
  const reason = caller === undefined ? "the owner is blocked" : `the owner lacks ${missing}`;
  await inTransaction(deps.db, async (trx) => {
    const monitor = await lockMonitor(trx, work.owner_id, work.id);
    if (monitor?.enabled === true) await stopMonitor(deps.standing, trx, monitor, { at: deps.clock.now(), reason });
  });
  return null;
}

/** The state after a failure: the look goes on where it failed. */
export function failedLook(
  look: ClaimedLook,
  progress: LookProgress,
  error: unknown,
  { at, next }: { readonly at: Date; readonly next: Date },
): LookEnd {
  const { failures, last_look_at, looked_until } = look;
  // Faults inside the service are nothing for owners.
  const failure = error instanceof ServiceError ? error.message.slice(0, 500) : "the service failed";
  const reached = reachedBy(progress);
  return { last_look_at, looked_until, ...reached, failures: failures + 1, failed_at: at, failure, at, next };
}

/** The state of a look that did not end. Without a searched area the next look has a period up to its own time. */
export function reachedBy({ position, target }: LookProgress): Pick<LookEnd, "position" | "target"> {
  return { position, target: position > 0 ? target : null };
}
