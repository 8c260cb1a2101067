import { randomUUID } from "node:crypto";
import { sleep } from "@swath/base/concurrency/sleep";
import { within } from "@swath/base/concurrency/within";
import type { Db, PipelineHandlers } from "../platform/context.ts";
import type { Log } from "@swath/base/log/log";
import type { PipelineSignals } from "../platform/queue/pipeline-signals.ts";
import { claimPipeline, extendLeases } from "../platform/queue/pipeline-store.ts";
import { LostPipelineError, runPipeline, ShutdownError } from "./run-pipeline.ts";

export interface WorkerOptions {
  readonly db: Db;
  readonly signals: PipelineSignals;
  readonly handlers: PipelineHandlers;
  readonly log: Log;
  /** Pipelines run at once. */
  readonly concurrency: number;
  /** Pipelines of one kind run at once, where less than `concurrency`: heavy kinds must not starve quick ones. */
  readonly kindLimits?: ReadonlyMap<string, number>;
  /** Unexpected failures after which a pipeline is FAILED. Default 4. */
  readonly maxAttempts?: number;
  /** A worker that says nothing for so long is taken for dead. Default 20 s. */
  readonly leaseMs?: number;
}

/** Claims and runs pipelines until it is stopped. */
export interface Worker {
  /**
   * Stops claiming, lets running pipelines end for `graceMs`, then aborts them; what has not ended is given back
   * for another worker, without counting as a failure.
   */
  stop(graceMs: number): Promise<void>;
}

/** Silence after which a worker is taken for dead: long enough for a busy machine, well below a minute. */
export const LEASE_MS = 20_000;
/** Four chances to prolong a lease before it ends. */
const HEARTBEATS_PER_LEASE = 4;
/** Retries and ended leases make no noise, and a signal may be lost: look at least this often. */
export const POLL_MS = 1_000;
/** How long an aborted run may take to notice. */
const ABORT_PATIENCE_MS = 5_000;

interface Running {
  readonly kind: string;
  readonly control: AbortController;
  done: Promise<void>;
  /** Monotonic time at which the lease was last known to be held. */
  heldAtMs: number;
}

export function startWorker(options: WorkerOptions): Worker {
  const { db, signals, handlers, log, concurrency, maxAttempts = 4, leaseMs = LEASE_MS } = options;
  const worker = randomUUID();
  const running = new Map<string, Running>();
  const stopping = new AbortController();
  const ended = new AbortController();
  let wake = new AbortController();
  const wakeUp = (): void => wake.abort();

  const openKinds = (): string[] => {
    const counts = new Map<string, number>();
    for (const { kind } of running.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return [...handlers.keys()].filter(
      (kind) => (counts.get(kind) ?? 0) < (options.kindLimits?.get(kind) ?? concurrency),
    );
  };

  const claimOne = async (): Promise<boolean> => {
    const kinds = openKinds();
    if (running.size >= concurrency || kinds.length === 0) return false;
    const claimed = await claimPipeline(db, worker, kinds, leaseMs);
    if (claimed === null) return false;
    const control = new AbortController();
    if (stopping.signal.aborted) control.abort(new ShutdownError("the service stops"));
    const entry: Running = { kind: claimed.kind, control, done: Promise.resolve(), heldAtMs: performance.now() };
    running.set(claimed.id, entry);
    entry.done = runPipeline(claimed, worker, handlers, control, { db, log, maxAttempts }).finally(() => {
      running.delete(claimed.id);
      wakeUp();
    });
    return true;
  };

  const claiming = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      try {
        if (await claimOne()) continue;
      } catch (error) {
        log.error({ err: error }, "no pipeline could be claimed");
      }
      await sleep(POLL_MS, AbortSignal.any([wake.signal, stopping.signal]));
    }
  };

  const heartbeat = async (): Promise<void> => {
    const askedAtMs = performance.now();
    const ids = [...running.keys()];
    if (ids.length === 0) return;
    try {
      const held = new Set(await extendLeases(db, worker, ids, leaseMs));
      for (const id of ids) {
        const entry = running.get(id);
        if (entry === undefined) continue;
        if (held.has(id)) entry.heldAtMs = askedAtMs;
        else entry.control.abort(new LostPipelineError("cancelled or taken over"));
      }
    } catch (error) {
      log.warn({ err: error }, "leases could not be prolonged");
      for (const { control, heldAtMs } of running.values()) {
        // Another worker may have it by now.
        if (performance.now() - heldAtMs > leaseMs) control.abort(new LostPipelineError("the lease has ended"));
      }
    }
  };

  const beating = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await sleep(leaseMs / HEARTBEATS_PER_LEASE, ended.signal);
      if (!ended.signal.aborted) await heartbeat();
    }
  };

  const offWork = signals.onWork(wakeUp);
  const offFinished = signals.onFinished((id) => {
    // Somebody ended a pipeline that runs here: a cancellation need not wait for the next heartbeat.
    if (running.has(id)) void heartbeat();
  });
  const claims = claiming();
  const beats = beating();

  return {
    async stop(graceMs) {
      stopping.abort();
      await claims;
      const all = (): Promise<unknown> => Promise.all([...running.values()].map(({ done }) => done));
      await within(all(), graceMs);
      for (const { control } of running.values()) control.abort(new ShutdownError("the service stops"));
      await within(all(), ABORT_PATIENCE_MS);
      if (running.size > 0) log.warn({ pipelines: [...running.keys()] }, "pipelines did not stop in time");
      ended.abort();
      offWork();
      offFinished();
      await beats;
    },
  };
}
