import { randomUUID } from "node:crypto";
import { within } from "@swath/base/concurrency/within";
import type { Log } from "@swath/base/log/log";
import type { Db, PipelineHandlers } from "../platform/context.ts";
import type { NewPipeline } from "../platform/queue/accept-store.ts";
import { shareOf } from "../platform/queue/lane.ts";
import type { RecentEnds } from "../platform/queue/recent-ends.ts";
import type { PipelineSignals } from "../platform/queue/pipeline-signals.ts";
import { Leases, LEASE_MS, LostPipelineError } from "./leases.ts";
import { persistentRecord } from "./persistent-record.ts";
import {
  claimedRecord,
  createEnds,
  createFirstRuns,
  FirstRunRecord,
  type EndRuns,
  type StoreFirstRun,
} from "./run-record.ts";
import { MAX_ATTEMPTS, runPipeline, ShutdownError } from "./run-pipeline.ts";
import { Places } from "./places.ts";

export interface AtOnceOptions {
  readonly db: Db;
  readonly signals: PipelineSignals;
  readonly handlers: PipelineHandlers;
  /** Takes the ends that this process has stored. */
  readonly recent?: RecentEnds;
  readonly log: Log;
  /** Pipelines that run at once. */
  readonly concurrency: number;
  /** Pipelines of one share that run at once. */
  readonly runningPerCaller: number;
  /** Time for which initiate waits for a place, and then for the end of the run. Default 100 ms each. */
  readonly waitMs?: number;
  readonly maxAttempts?: number;
  readonly leaseMs?: number;
}

const WAIT_MS = 100;
const ABORT_PATIENCE_MS = 5_000;

/** Runs quick pipelines in the process that accepts them. */
export class AtOnceRuns {
  readonly #options: AtOnceOptions;
  readonly #id = randomUUID();
  readonly #leaseMs: number;
  readonly #leases: Leases;
  readonly #end: EndRuns;
  readonly #store: StoreFirstRun;
  readonly #places: Places;
  readonly #running = new Map<string, { readonly control: AbortController; readonly done: Promise<unknown> }>();
  #isStopping = false;

  constructor(options: AtOnceOptions) {
    const { concurrency, db, leaseMs = LEASE_MS, log, runningPerCaller, signals } = options;
    this.#options = options;
    this.#places = new Places(concurrency, runningPerCaller);
    this.#leaseMs = leaseMs;
    this.#leases = new Leases({ db, signals, log, worker: this.#id, leaseMs });
    this.#end = createEnds(db);
    this.#store = createFirstRuns(db);
  }

  /**
   * Runs the pipeline and answers when it has ended, or after the wait when its row says that it runs. The row is
   * written once when the run ends in time.
   *
   * @returns false when there is no place for it, and nothing was done
   * @throws the failure to store the pipeline
   */
  async tryRun(pipeline: NewPipeline): Promise<boolean> {
    const { db, handlers, log, maxAttempts = MAX_ATTEMPTS, recent = null, waitMs = WAIT_MS } = this.#options;
    const { id, kind } = pipeline;
    const share = shareOf(pipeline.caller);
    const handler = handlers.get(kind);
    if (this.#isStopping || handler === undefined || !(await this.#places.take(share, waitMs))) return false;
    const control = new AbortController();
    const run = { id, attempt: 1, worker: this.#id };
    const claimed = persistentRecord(claimedRecord(db, run, this.#end), control.signal);
    const record = new FirstRunRecord({ db, recent, store: this.#store }, pipeline, claimed);
    const onEnding = (): void => this.#leases.end(id);
    const start = async (): Promise<Error | null> => {
      if (handler.needsRow?.(pipeline.request) === true) await record.keep(this.#id, this.#leaseMs);
      return await runPipeline({ ...pipeline, share, attempt: 1, failures: 0 }, record, control, {
        handlers,
        log,
        maxAttempts,
        onEnding,
      });
    };
    this.#leases.hold(id, control);
    const done = start().finally(() => {
      this.#running.delete(id);
      this.#places.leave(share);
      this.#leases.drop(id);
    });
    this.#running.set(id, { control, done });
    try {
      if (!(await within(done, waitMs))) await record.keep(this.#id, this.#leaseMs);
    } catch (error) {
      // Without its row the pipeline is not accepted, and must not have effects.
      control.abort(new LostPipelineError("not accepted"));
      throw error;
    }
    if (record.isStored) return true;
    throw (await done) ?? new Error(`pipeline ${id} ended without a row`);
  }

  /** Lets running pipelines end for `graceMs`, then gives them back for the queue. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    const all = (): Promise<unknown> => Promise.allSettled([...this.#running.values()].map(({ done }) => done));
    await within(all(), graceMs);
    for (const { control } of this.#running.values()) control.abort(new ShutdownError("the service stops"));
    await within(all(), ABORT_PATIENCE_MS);
    await this.#leases[Symbol.asyncDispose]();
  }
}
