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

/** A worker and the pipelines that run in it. */
interface WorkerState {
  readonly options: Required<Pick<WorkerOptions, "leaseMs" | "maxAttempts">> & WorkerOptions;
  /** Owner of its leases. */
  readonly id: string;
  readonly running: Map<string, Running>;
  readonly stopping: AbortController;
  readonly ended: AbortController;
  /** Aborts when there may be a pipeline to claim. */
  wake: AbortController;
}

export function startWorker(options: WorkerOptions): Worker {
  const state: WorkerState = {
    options: { ...options, maxAttempts: options.maxAttempts ?? 4, leaseMs: options.leaseMs ?? LEASE_MS },
    id: randomUUID(),
    running: new Map(),
    stopping: new AbortController(),
    ended: new AbortController(),
    wake: new AbortController(),
  };
  const offWork = options.signals.onWork(() => state.wake.abort());
  const offFinished = options.signals.onFinished((id) => {
    // A cancellation of a pipeline that runs here need not wait for the next heartbeat.
    if (state.running.has(id)) void heartbeat(state);
  });
  const claims = claimUntilStopped(state);
  const beats = beatUntilEnded(state);
  return {
    async stop(graceMs) {
      state.stopping.abort();
      await claims;
      await endRunning(state, graceMs);
      state.ended.abort();
      offWork();
      offFinished();
      await beats;
    },
  };
}

async function claimUntilStopped(state: WorkerState): Promise<void> {
  while (!state.stopping.signal.aborted) {
    state.wake = new AbortController();
    try {
      if (await claimOne(state)) continue;
    } catch (error) {
      state.options.log.error({ err: error }, "no pipeline could be claimed");
    }
    await sleep(POLL_MS, AbortSignal.any([state.wake.signal, state.stopping.signal]));
  }
}

/** Claims a pipeline and starts its run; whether there was one and a place for it. */
async function claimOne(state: WorkerState): Promise<boolean> {
  const { options, id: worker, running } = state;
  const { db, handlers, log, maxAttempts } = options;
  const kinds = openKinds(state);
  if (running.size >= options.concurrency || kinds.length === 0) return false;
  const claimed = await claimPipeline(db, worker, kinds, options.leaseMs);
  if (claimed === null) return false;
  const control = new AbortController();
  if (state.stopping.signal.aborted) control.abort(new ShutdownError("the service stops"));
  const entry: Running = { kind: claimed.kind, control, done: Promise.resolve(), heldAtMs: performance.now() };
  running.set(claimed.id, entry);
  entry.done = runPipeline(claimed, worker, handlers, control, { db, log, maxAttempts }).finally(() => {
    running.delete(claimed.id);
    state.wake.abort();
  });
  return true;
}

/** Kinds that may run once more. */
function openKinds({ options, running }: WorkerState): string[] {
  const counts = new Map<string, number>();
  for (const { kind } of running.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...options.handlers.keys()].filter(
    (kind) => (counts.get(kind) ?? 0) < (options.kindLimits?.get(kind) ?? options.concurrency),
  );
}

async function beatUntilEnded(state: WorkerState): Promise<void> {
  while (!state.ended.signal.aborted) {
    await sleep(state.options.leaseMs / HEARTBEATS_PER_LEASE, state.ended.signal);
    if (!state.ended.signal.aborted) await heartbeat(state);
  }
}

/** Prolongs the leases of running pipelines and aborts runs without one. */
async function heartbeat({ options, id: worker, running }: WorkerState): Promise<void> {
  const { db, leaseMs, log } = options;
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
}

/** Lets running pipelines end for a while, then aborts them. */
async function endRunning({ options, running }: WorkerState, graceMs: number): Promise<void> {
  const all = (): Promise<unknown> => Promise.all([...running.values()].map(({ done }) => done));
  await within(all(), graceMs);
  for (const { control } of running.values()) control.abort(new ShutdownError("the service stops"));
  await within(all(), ABORT_PATIENCE_MS);
  if (running.size > 0) options.log.warn({ pipelines: [...running.keys()] }, "pipelines did not stop in time");
}
