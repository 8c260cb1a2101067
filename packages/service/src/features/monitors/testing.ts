import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import type { StatisticsRow } from "@swath/contract/features/maps/statistics-contract";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { createMapTypes } from "@swath/maps/registry";
import { sql } from "kysely";
import type { Caller, PipelineJob } from "../../platform/context.ts";
import { newPipelineId } from "../../platform/queue/pipeline-id.ts";
import { createPipelineService } from "../../platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "../../platform/queue/pipeline-signals.ts";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { storeOnly, type SourceBindings } from "../../sources/bindings.ts";
import { requireOwnProject } from "../datacube/project-rights.ts";
import { standingBench, type StandingBench } from "../standing-queries/testing.ts";
import { createLookPoller, LOOK_LIMITS, type LookPoller, type LookPollerDeps } from "./look-poller.ts";
import { createMonitors, type MonitorsDeps, type MonitorsService } from "./service.ts";

/** Monitors with a real database and queue. Prices and the ends of pipelines are the test's to decide. */
export interface MonitorBench extends AsyncDisposable {
  readonly standing: StandingBench;
  readonly monitors: MonitorsService;
  /** Looks of another process. */
  anotherPoller(members?: Partial<LookPollerDeps>): LookPoller;
  /** Does the looks that are due, by the poller of the bench unless given. */
  look(poller?: LookPoller): Promise<void>;
  /** Credits that a scene costs, by its ID. */
  price: (sceneId: string, signal: AbortSignal) => Promise<number>;
  /** Moves the clock. */
  pass(ms: number): void;
  /** Ends pipelines that have not ended, in the order of their creation; how many. */
  end(how: (sceneId: string) => PipelineEnd): Promise<number>;
}

export type PipelineEnd =
  | { readonly kind: "resolved"; readonly chargedCredits: number; readonly rows: readonly StatisticsRow[] }
  | { readonly kind: "failed"; readonly errorCode: string };

/** A run of a pipeline that nobody watches. */
export function jobOf(caller: Caller): PipelineJob {
  return {
    pipelineId: newPipelineId(),
    attempt: 1,
    failures: 0,
    caller,
    baseUrl: "http://127.0.0.1",
    signal: new AbortController().signal,
    report: () => Promise.resolve(),
    savePartial: () => Promise.resolve(),
  };
}

export const MONITOR_RIGHTS = ["imagery", "store.ingested", "mapsvc", "algorithms", "credits"];

/** @param sources the store alone unless given */
export async function monitorBench(sources: SourceBindings = storeOnly): Promise<MonitorBench> {
  let nowMs = Date.UTC(2026, 5, 2);
  const clock = { ...systemClock, now: () => new Date(nowMs) };
  const standing = await standingBench(clock, sources);
  const { db } = standing;
  const never = new AbortController().signal;
  const signals = openPipelineSignals(standing.databaseUrl, silentLog);
  const queue = createPipelineService({ db, signals, retentionDays: 30 });
  const statistics: MonitorsDeps["maps"]["statistics"] = {
    async prepare(request, { signal }) {
      const micro = creditsToMicro(await bench.price(request.sceneIds?.[0] ?? "", signal));
      const asked = { groupId: "", at: clock.now(), providers: [], datasets: [], mapTypes: [], coverage: [] };
      const state = { tier: "standard", rules: [], coverage: new Map() };
      const basis = { groupId: "", scenes: [], asked, state, signal };
      const quote = { micro, areaKm2: 1, provider: null, dataset: null, expectedCost: undefined, basis };
      return { kept: request, quote };
    },
    run: () => Promise.reject(new Error("the test ends pipelines")),
  };
  const deps: MonitorsDeps = {
    ...LOOK_LIMITS,
    catalog: createCatalog(providers),
    clock,
    datacube: { requireOwnProject: async (caller, project) => void (await requireOwnProject(db, caller, project)) },
    db,
    imagery: standing.imagery,
    log: silentLog,
    mapTypes: createMapTypes([]),
    maps: { statistics },
    onFree: () => {},
    queue,
    random: () => 0.5,
    sources,
    standing: standing.standing,
  };
  const monitors = createMonitors(deps);
  const bench: MonitorBench = {
    standing,
    monitors,
    anotherPoller: (members = {}) => createLookPoller({ ...deps, ...members }),
    async look(poller) {
      await Promise.all(await (poller?.startDue(never) ?? monitors.look(never)));
    },
    price: () => Promise.resolve(1),
    pass: (ms) => void (nowMs += ms),
    async end(how) {
      const { rows } = await sql<{ id: string; sceneId: string }>`
        select id, request -> 'sceneIds' ->> 0 as "sceneId" from pipelines
        where finished_at is null order by created_at`.execute(db);
      for (const { id, sceneId } of rows) {
        const end = how(sceneId);
        const result =
          end.kind === "failed"
            ? null
            : JSON.stringify({ rows: end.rows, failed: [], payment: { chargedCredits: end.chargedCredits } });
        await sql`
          update pipelines set status = ${end.kind === "failed" ? "FAILED" : "RESOLVED"}, result = ${result}::json,
            error_code = ${end.kind === "failed" ? end.errorCode : null}, error_message = 'ended by the test',
            finished_at = now()
          where id = ${id}`.execute(db);
      }
      return rows.length;
    },
    async [Symbol.asyncDispose]() {
      await monitors[Symbol.asyncDispose]();
      await signals[Symbol.asyncDispose]();
      await standing[Symbol.asyncDispose]();
    },
  };
  return bench;
}

/** Figures of NDVI of the only area. */
export function ndviRow(
  sceneId: string,
  day: number,
  mean: number | null,
  more: Partial<StatisticsRow> = {},
): StatisticsRow {
  return {
    area: "0",
    sceneId,
    datetime: `2026-06-${String(day).padStart(2, "0")} 00:00:00`,
    mapType: "ndvi",
    layer: "ndvi",
    count: mean === null ? 0 : 100,
    validShare: mean === null ? 0 : 1,
    clearShare: null,
    mean,
    std: null,
    min: null,
    max: null,
    percentiles: null,
    histogram: null,
    classes: null,
    objects: null,
    ...more,
  };
}
