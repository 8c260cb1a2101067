import { sleep } from "@swath/base/concurrency/sleep";
import type { Log } from "@swath/base/log/log";
import type { Db } from "../platform/context.ts";
import { extendLeases } from "../platform/queue/claim-store.ts";
import type { PipelineSignals } from "../platform/queue/pipeline-signals.ts";

/** Why the signal of a running job aborts. */
export class LostPipelineError extends Error {
  override readonly name = "LostPipelineError";
}

/** Silence after which a worker is taken for dead: long enough for a busy machine, well below a minute. */
export const LEASE_MS = 20_000;
/** Four chances to prolong a lease before it ends. */
const HEARTBEATS_PER_LEASE = 4;

interface Held {
  readonly control: AbortController;
  /** Monotonic time at which the lease was last known to be held. */
  heldAtMs: number;
  /** Whether the end of the run is being written: its announcement says nothing new. */
  isEnding: boolean;
}

/** The pipelines that a worker holds: prolongs their leases, and aborts the run of a pipeline that is lost. */
export class Leases implements AsyncDisposable {
  readonly #deps: LeasesDeps;
  readonly #held = new Map<string, Held>();
  readonly #ended = new AbortController();
  readonly #offFinished: () => void;
  readonly #beating: Promise<void>;

  constructor(deps: LeasesDeps) {
    this.#deps = deps;
    // Somebody ended a pipeline that runs here: a cancellation need not wait for the next heartbeat.
    this.#offFinished = deps.signals.onFinished((id) => {
      if (this.#held.get(id)?.isEnding === false) void this.#extend([id]);
    });
    this.#beating = this.#beat();
  }

  /** The ids of the pipelines held. */
  get ids(): readonly string[] {
    return [...this.#held.keys()];
  }

  hold(id: string, control: AbortController): void {
    this.#held.set(id, { control, heldAtMs: performance.now(), isEnding: false });
  }

  /** The run is about to write its end. */
  end(id: string): void {
    const held = this.#held.get(id);
    if (held !== undefined) held.isEnding = true;
  }

  drop(id: string): void {
    this.#held.delete(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    this.#offFinished();
    await this.#beating;
  }

  async #beat(): Promise<void> {
    const beatMs = this.#deps.leaseMs / HEARTBEATS_PER_LEASE;
    while (!this.#ended.signal.aborted) {
      await sleep(beatMs, this.#ended.signal);
      // A lease taken since the last beat has most of its time left: short work never needs a heartbeat.
      const beforeMs = performance.now() - beatMs / 2;
      const ids = [...this.#held].filter(([, { heldAtMs }]) => heldAtMs <= beforeMs).map(([id]) => id);
      if (!this.#ended.signal.aborted && ids.length > 0) await this.#extend(ids);
    }
  }

  async #extend(ids: readonly string[]): Promise<void> {
    const { db, leaseMs, log, worker } = this.#deps;
    const askedAtMs = performance.now();
    try {
      const still = new Set(await extendLeases(db, worker, ids, leaseMs));
      for (const id of ids) {
        const held = this.#held.get(id);
        if (held === undefined) continue;
        if (still.has(id)) held.heldAtMs = askedAtMs;
        else if (!held.isEnding) held.control.abort(new LostPipelineError("cancelled or taken over"));
      }
    } catch (error) {
      log.warn({ err: error }, "leases could not be prolonged");
      for (const { control, heldAtMs } of this.#held.values()) {
        // Another worker may have it by now.
        if (performance.now() - heldAtMs > leaseMs) control.abort(new LostPipelineError("the lease has ended"));
      }
    }
  }
}

export interface LeasesDeps {
  readonly db: Db;
  readonly signals: PipelineSignals;
  readonly log: Log;
  readonly worker: string;
  readonly leaseMs: number;
}
