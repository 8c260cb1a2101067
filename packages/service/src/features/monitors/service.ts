import { randomUUID } from "node:crypto";
import type { Static } from "typebox";
import {
  DEFAULT_SCHEDULE,
  LATEST_SCENES,
  MAX_MONITORS,
  MONITORS_PAGE,
  type DetailedMonitor,
  type Monitor,
  type monitorsContract,
} from "@swath/contract/features/monitors/contract";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { isAdministrator } from "@swath/kernel/permissions/administrator";
import { formatInstant } from "@swath/kernel/time/instant";
import type { Caller, RequestContext, Trx } from "../../platform/context.ts";
import { numberCursor } from "../../platform/number-cursor.ts";
import { pageOf } from "../../platform/page-of.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { DatacubeService } from "../datacube/service.ts";
import { requireMapTypes } from "../maps/require-map-types.ts";
import type { StandingQueriesService } from "../standing-queries/service.ts";
import { createBackfill, createBackfillDryRun, type BackfillDeps } from "./backfill.ts";
import { latestScenes } from "./ended-store.ts";
import { forgetScenes } from "./forget-scenes.ts";
import { createLookPoller, type LookPollerDeps } from "./look-poller.ts";
import { insertLooks, pauseLooks, readLooks, rescheduleLooks, resumeLooks } from "./look-store.ts";
import { measureScenes, type MeasureDeps } from "./measure-scenes.ts";
import { monthOf } from "./month-of.ts";
import * as store from "./monitor-store.ts";
import { requireNamedAreas, requireRule } from "./required-settings.ts";
import { shownMonitor, shownScene } from "./shown-monitor.ts";
import { unknownMonitor } from "./unknown-monitor.ts";

type Contract = typeof monitorsContract;
type CreateRequest = Static<Contract["create"]["request"]>;
type UpdateRequest = Static<Contract["update"]["request"]>;
type Schedule = NonNullable<CreateRequest["schedule"]>;
type Page = Static<Contract["list"]["response"]>;

/** Areas that are measured with each new scene. A monitor of another user does not exist: NON-EXISTENT-MONITOR. */
export interface MonitorsService extends AsyncDisposable {
  /** @throws {ServiceError} VALIDATION-ERROR; CONFLICT beyond the limits of a user; of a search; DATA-NOT-AVAILABLE */
  create(caller: Caller, request: CreateRequest, context: Pick<RequestContext, "baseUrl" | "signal">): Promise<Monitor>;
  /** @throws {ServiceError} NON-EXISTENT-MONITOR, VALIDATION-ERROR */
  update(caller: Caller, request: UpdateRequest): Promise<Monitor>;
  /** @throws {ServiceError} INVALID-CURSOR */
  list(caller: Caller, cursor: string | undefined): Promise<Page>;
  /** Administrators read all monitors. @throws {ServiceError} NON-EXISTENT-MONITOR */
  get(caller: Caller, monitorId: string): Promise<DetailedMonitor>;
  /** @throws {ServiceError} NON-EXISTENT-MONITOR */
  pause(caller: Caller, monitorId: string, paused: boolean): Promise<Monitor>;
  /** @throws {ServiceError} NON-EXISTENT-MONITOR */
  delete(caller: Caller, monitorId: string): Promise<Record<string, never>>;
  /** Past scenes with their price. */
  readonly backfillDryRun: ReturnType<typeof createBackfillDryRun>;
  readonly backfill: ReturnType<typeof createBackfill>;
  /** Takes new scenes, starts those that are due and ends those that are measured. */
  measure(signal: AbortSignal): Promise<void>;
  /** Removes old scenes and the spending of old months. */
  forget(signal: AbortSignal): Promise<void>;
  /** Starts the looks for new scenes that are due. @returns their ends */
  look(signal: AbortSignal): Promise<readonly Promise<void>[]>;
}

export interface MonitorsDeps extends BackfillDeps, LookPollerDeps, MeasureDeps {
  readonly catalog: LookPollerDeps["catalog"];
  readonly datacube: Pick<DatacubeService, "requireOwnProject">;
  readonly standing: Pick<
    StandingQueriesService,
    "changeForMonitor" | "createForMonitor" | "deleteForMonitor" | "plan" | "takeForMonitors"
  >;
}

const pages = numberCursor("monitor:1:");

export function createMonitors(deps: MonitorsDeps): MonitorsService {
  const { clock, db, standing } = deps;
  const looks = createLookPoller(deps);
  return {
    create: (caller, request, context) => createMonitor(deps, caller, request, context),
    update: (caller, request) => updateMonitor(deps, caller, request),
    async list({ userId }, cursor) {
      const before = cursor === undefined ? null : pages.decode(cursor);
      const month = monthOf(clock.now());
      const rows = await store.listMonitors(db, { ownerId: userId, before, limit: MONITORS_PAGE + 1, month });
      const found = await readLooks(
        db,
        rows.map(({ id }) => id),
      );
      const toItem = (row: (typeof rows)[number]): Monitor => shownMonitor(deps, row, found, month);
      return pageOf(rows, MONITORS_PAGE, toItem, ({ serial }) => pages.encode(serial));
    },
    async get({ permissions, userId }, id) {
      const month = monthOf(clock.now());
      const row = await store.readMonitor(db, { id, month, ownerId: isAdministrator(permissions) ? null : userId });
      if (row === null) throw unknownMonitor(id);
      const scenes = await latestScenes(db, id, LATEST_SCENES);
      const shownRow = shownMonitor(deps, row, await readLooks(db, [id]), month);
      return { ...shownRow, areas: JSON.parse(row.areas), scenes: scenes.map(shownScene) };
    },
    pause: ({ userId }, id, paused) =>
      inTransaction(db, async (trx) => {
        const at = clock.now();
        const { query_id } = await locked(trx, userId, id);
        await store.updateMonitor(trx, { id, enabled: !paused, stop_reason: null, updated_at: at });
        await standing.changeForMonitor(trx, userId, { id: query_id, enabled: !paused });
        if (paused) await pauseLooks(trx, id);
        else {
          await store.awaken(trx, id, at);
          await resumeLooks(trx, id, at);
        }
        return await shown(deps, trx, { ownerId: userId, id, at });
      }),
    async delete({ userId }, id) {
      await inTransaction(db, async (trx) => {
        const { query_id } = await locked(trx, userId, id);
        // Takes the monitor with it.
        await standing.deleteForMonitor(trx, userId, query_id);
      });
      return {};
    },
    backfillDryRun: createBackfillDryRun(deps),
    backfill: createBackfill(deps),
    measure: (signal) => measureScenes(deps, signal),
    forget: (signal) => forgetScenes(deps, signal),
    look: (signal) => looks.startDue(signal),
    [Symbol.asyncDispose]: () => looks[Symbol.asyncDispose](),
  };
}

async function createMonitor(
  deps: MonitorsDeps,
  owner: Caller,
  request: CreateRequest,
  { baseUrl, signal }: Pick<RequestContext, "baseUrl" | "signal">,
): Promise<Monitor> {
  const { clock, datacube, db, mapTypes: known, standing } = deps;
  const { areas, creditsPerMonth, mapTypes, minValidShare = 0, name, project, rule, schedule, ...given } = request;
  const at = clock.now();
  // Scenes of the past become known by anybody's search. Only a backfill pays for them, at a price that was seen.
  const conditions = { ...given, startDatetime: given.startDatetime ?? formatInstant(at.getTime()) };
  requireNamedAreas(areas);
  requireMapTypes(known, mapTypes, (index) => `/mapTypes/${index}`);
  requireRule(rule, mapTypes);
  if (project !== undefined) await datacube.requireOwnProject(owner, project);
  const plan = await standing.plan(areas, conditions, signal);
  const id = randomUUID();
  return await inTransaction(db, async (trx) => {
    // Locks the owner: monitors of one user are created one after the other.
    const query = { owner, name, enabled: true, geojson: areas, conditions, plan };
    const queryId = await standing.createForMonitor(trx, query);
    const count = await store.countMonitors(trx, owner.userId);
    if (count >= MAX_MONITORS) {
      throw new ServiceError("CONFLICT", `you have ${count} monitors, expected fewer than ${MAX_MONITORS}`);
    }
    await store.insertMonitor(trx, {
      id,
      owner_id: owner.userId,
      query_id: queryId,
      name,
      map_types: JSON.stringify(mapTypes),
      budget_micro: Number(creditsToMicro(creditsPerMonth)),
      rule: JSON.stringify(rule),
      min_valid_share: minValidShare,
      project: project ?? null,
      base_url: baseUrl,
      ...lookSettings(schedule ?? DEFAULT_SCHEDULE),
      created_at: at,
      updated_at: at,
    });
    await insertLooks(trx, id, [...new Set(plan.datasets.map(({ provider }) => provider.id))], at);
    return await shown(deps, trx, { ownerId: owner.userId, id, at });
  });
}

async function updateMonitor(
  deps: MonitorsDeps,
  { userId }: Caller,
  { creditsPerMonth, filter, minValidShare, monitorId, name, rule, schedule }: UpdateRequest,
): Promise<Monitor> {
  const { clock, db, standing } = deps;
  return await inTransaction(db, async (trx) => {
    const at = clock.now();
    const row = await locked(trx, userId, monitorId);
    if (rule !== undefined) requireRule(rule, JSON.parse(row.map_types) as string[]);
    await store.updateMonitor(trx, {
      id: monitorId,
      updated_at: at,
      ...(name === undefined ? {} : { name }),
      ...(creditsPerMonth === undefined ? {} : { budget_micro: Number(creditsToMicro(creditsPerMonth)) }),
      ...(minValidShare === undefined ? {} : { min_valid_share: minValidShare }),
      ...(rule === undefined ? {} : { rule: JSON.stringify(rule), rule_number: row.rule_number + 1 }),
      ...(schedule === undefined ? {} : lookSettings(schedule)),
    });
    if (schedule !== undefined) await rescheduleLooks(trx, monitorId);
    await standing.changeForMonitor(trx, userId, {
      id: row.query_id,
      ...(name === undefined ? {} : { name }),
      ...(filter === undefined ? {} : { filter }),
    });
    return await shown(deps, trx, { ownerId: userId, id: monitorId, at });
  });
}

function lookSettings({ everyMinutes, overlapDays }: Schedule) {
  return {
    look_every_minutes: everyMinutes,
    look_overlap_days: overlapDays ?? DEFAULT_SCHEDULE.overlapDays,
  } as const;
}

async function shown(
  deps: MonitorsDeps,
  trx: Trx,
  { at, id, ownerId }: { readonly ownerId: string; readonly id: string; readonly at: Date },
): Promise<Monitor> {
  const month = monthOf(at);
  const row = await store.readMonitor(trx, { id, month, ownerId });
  if (row === null) throw unknownMonitor(id);
  return shownMonitor(deps, row, await readLooks(trx, [id]), month);
}

async function locked(trx: Trx, ownerId: string, id: string): Promise<store.MonitorRow> {
  const row = await store.lockMonitor(trx, ownerId, id);
  if (row === null) throw unknownMonitor(id);
  return row;
}
