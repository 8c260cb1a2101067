import { randomUUID } from "node:crypto";
import { sleep } from "@swath/base/concurrency/sleep";
import { within } from "@swath/base/concurrency/within";
import type { StorageNeed, StorageWatch } from "../platform/storage/storage-watch.ts";
import type { Db, PipelineHandlers } from "../platform/context.ts";
import type { StoreFaultKind } from "@swath/base/blobs/store-fault";
import type { Log } from "@swath/base/log/log";
import { claimPipelines, type ClaimedPipeline } from "../platform/queue/claim-store.ts";
import type { PipelineSignals } from "../platform/queue/pipeline-signals.ts";
import { Leases, LEASE_MS } from "./leases.ts";
import { claimedRecord, createEnds, type EndRuns } from "./run-record.ts";
import { MAX_ATTEMPTS, runPipeline, ShutdownError } from "./run-pipeline.ts";
import { runAlone, type AloneStart } from "./run-alone.ts";
import { persistentRecord } from "./persistent-record.ts";
import { Shares } from "./shares.ts";
import type { SpareTime } from "./spare-time.ts";

export interface WorkerOptions {
  readonly db: Db;
  readonly signals: PipelineSignals;
  /** The lane whose pipelines the worker runs. */
  readonly lane: string;
  readonly handlers: PipelineHandlers;
  readonly log: Log;
  /** Pipelines run at once. */
  readonly concurrency: number;
  /** Pipelines of one share run at once; as many as of all unless given. */
  readonly runningPerCaller?: number;
  /** Pipelines of one share run at once by all workers of the lane; any number unless given. */
  readonly runningInAll?: number;
  /** Pipelines of one kind run at once, where less than `concurrency`: heavy kinds must not starve others. */
  readonly kindLimits?: ReadonlyMap<string, number>;
  /** Unexpected failures after which a pipeline is FAILED. Default 4. */
  readonly maxAttempts?: number;
  /** A worker that says nothing for so long is taken for dead. Default 20 s. */
  readonly leaseMs?: number;
  /** Keeps pipelines from starting while storage takes no writes; absent: nothing does. */
  readonly storage?: Pick<StorageWatch, "mayStart" | "note">;
  /** Writes of the pipelines of the lane; files unless given. */
  readonly storageNeed?: StorageNeed;
  /** Holds the start of pipelines back; absent: nothing does. */
  readonly spareTime?: Pick<SpareTime, "wait">;
  /** Starts a process for a pipeline that may have caused the deaths of others; absent: such pipelines run here. */
  readonly startAlone?: AloneStart;
}

/** Claims and runs pipelines until it is stopped. */
export interface Worker {
  /**
   * Stops claiming, lets running pipelines end for `graceMs`, then aborts them; what has not ended is given back
   * for another worker, without counting as a failure.
   */
  stop(graceMs: number): Promise<void>;
}

/** Retries and ended leases make no noise, and a signal may be lost: look at least this often. */
export const POLL_MS = 1_000;
/** How long an aborted run may take to notice. */
const ABORT_PATIENCE_MS = 5_000;
/** Pipelines that one statement claims: several short ones cost little more than one. */
const CLAIMED_TOGETHER = 10;
/** Deaths of a process among whose pipelines this one was, after which it runs in a separate process. */
const DEATHS_AMONG_OTHERS = 2;

interface Running {
  readonly pipeline: ClaimedPipeline;
  readonly control: AbortController;
  readonly done: Promise<void>;
}

export function startWorker(options: WorkerOptions): Worker {
  return new LaneWorker(options);
}

class LaneWorker implements Worker {
  readonly #options: WorkerOptions;
  readonly #id = randomUUID();
  readonly #leaseMs: number;
  readonly #maxAttempts: number;
  readonly #leases: Leases;
  readonly #end: EndRuns;
  readonly #running = new Map<string, Running>();
  readonly #shares = new Shares();
  readonly #stopping = new AbortController();
  readonly #offWork: () => void;
  readonly #claiming: Promise<void>;
  #wake = new AbortController();

  constructor(options: WorkerOptions) {
    const { db, lane, leaseMs = LEASE_MS, log, maxAttempts = MAX_ATTEMPTS, signals } = options;
    this.#options = options;
    this.#leaseMs = leaseMs;
    this.#maxAttempts = maxAttempts;
    this.#leases = new Leases({ db, signals, log, worker: this.#id, leaseMs });
    this.#end = createEnds(db);
    this.#offWork = signals.onWork((named) => {
      if (named === null || named === lane) this.#wake.abort();
    });
    this.#claiming = this.#claim();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#claiming;
    const all = (): Promise<unknown> => Promise.all([...this.#running.values()].map(({ done }) => done));
    await within(all(), graceMs);
    for (const { control } of this.#running.values()) control.abort(new ShutdownError("the service stops"));
    await within(all(), ABORT_PATIENCE_MS);
    if (this.#running.size > 0) {
      this.#options.log.warn({ pipelines: [...this.#running.keys()] }, "pipelines did not stop in time");
    }
    this.#offWork();
    await this.#leases[Symbol.asyncDispose]();
  }

  async #claim(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController();
      try {
        if (await this.#claimSome()) continue;
      } catch (error) {
        this.#options.log.error({ err: error }, "no pipeline could be claimed");
      }
      await sleep(POLL_MS, AbortSignal.any([this.#wake.signal, this.#stopping.signal]));
    }
  }

  async #claimSome(): Promise<boolean> {
    const { concurrency, db, lane, runningInAll = null, runningPerCaller = concurrency, spareTime } = this.#options;
    const places = this.#freePlaces();
    const limit = Math.min(concurrency - this.#running.size, spareTime === undefined ? CLAIMED_TOGETHER : 1);
    if (limit <= 0 || places.size === 0) return false;
    if ((await this.#options.storage?.mayStart(this.#options.storageNeed ?? "files")) === false) return false;
    await spareTime?.wait(this.#stopping.signal);
    if (this.#stopping.signal.aborted) return false;
    const claimed = await claimPipelines(db, {
      worker: this.#id,
      lane,
      places,
      running: this.#shares.counts,
      runningPerCaller,
      runningInAll,
      limit,
      leaseMs: this.#leaseMs,
    });
    for (const pipeline of claimed) this.#start(pipeline);
    return claimed.length > 0;
  }

  /** Free places of each kind that has some. */
  #freePlaces(): ReadonlyMap<string, number> {
    const { concurrency, handlers, kindLimits } = this.#options;
    const running = [...this.#running.values()];
    const free = [...handlers.keys()].map((kind): [string, number] => {
      const count = running.filter(({ pipeline }) => pipeline.kind === kind).length;
      return [kind, (kindLimits?.get(kind) ?? concurrency) - count];
    });
    return new Map(free.filter(([, places]) => places > 0));
  }

  #start(pipeline: ClaimedPipeline): void {
    const control = new AbortController();
    if (this.#stopping.signal.aborted) control.abort(new ShutdownError("the service stops"));
    this.#shares.add(pipeline.share);
    this.#leases.hold(pipeline.id, control);
    const done = this.#run(pipeline, control).finally(() => {
      this.#running.delete(pipeline.id);
      this.#shares.remove(pipeline.share);
      this.#leases.drop(pipeline.id);
      this.#wake.abort();
    });
    this.#running.set(pipeline.id, { pipeline, control, done });
  }

  async #run(pipeline: ClaimedPipeline, control: AbortController): Promise<void> {
    const { db, handlers, log, startAlone, storage } = this.#options;
    const run = { id: pipeline.id, attempt: pipeline.attempt, worker: this.#id };
    const record = persistentRecord(claimedRecord(db, run, this.#end), control.signal);
    const maxAttempts = this.#maxAttempts;
    if (pipeline.deaths >= DEATHS_AMONG_OTHERS && startAlone !== undefined) {
      await runAlone({ pipeline, run, record, control, startAlone, maxAttempts, log });
      return;
    }
    const onEnding = (): void => this.#leases.end(pipeline.id);
    const onStoreFault = (fault: StoreFaultKind): void => storage?.note(fault);
    await runPipeline(pipeline, record, control, { handlers, log, maxAttempts, onEnding, onStoreFault });
  }
}
