import { ServiceError } from "@swath/kernel/errors/service-error";
import { currentShare } from "@swath/base/concurrency/current-share";
import { FairQueue } from "@swath/base/concurrency/fair-queue";

export interface FairSlotsOptions {
  /** Pieces of work at a time. */
  readonly slots: number;
  /** Pieces of one share at a time. */
  readonly slotsOfShare: number;
  /** Pieces of one share that wait; more are refused. */
  readonly maxWaitingOfShare: number;
}

interface Waiting {
  readonly share: string;
  readonly begin: () => void;
}

const RETRY_AFTER_S = 2;

/** Bounds work that runs at the same time. Shares take turns, so that one with much work does not stop the others. */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  readonly #waiting = new FairQueue<Waiting>();
  readonly #running = new Map<string, number>();
  #free: number;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
    this.#free = options.slots;
  }

  /**
   * Runs work of the current share when a slot is free.
   *
   * @throws {ServiceError} TOO-MANY-REQUESTS when too much work of the share waits
   * @throws the signal's reason when it aborts before the work begins
   */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const share = currentShare();
    await this.#enter(share, signal);
    try {
      return await work();
    } finally {
      this.#free += 1;
      const left = this.#runningOf(share) - 1;
      if (left === 0) this.#running.delete(share);
      else this.#running.set(share, left);
      this.#beginNext();
    }
  }

  async #enter(share: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { maxWaitingOfShare } = this.#options;
    if (this.#waiting.sizeOf(share) >= maxWaitingOfShare) {
      const message = `${maxWaitingOfShare} requests of the caller wait for their turn, expected fewer`;
      throw new ServiceError("TOO-MANY-REQUESTS", message, { retryAfterS: RETRY_AFTER_S });
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { share, begin: resolve };
    const abort = (): void => {
      this.#waiting.remove(waiting);
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    this.#waiting.add(waiting);
    this.#beginNext();
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  #beginNext(): void {
    while (this.#free > 0) {
      const next = this.#waiting.take((share) => this.#runningOf(share), this.#options.slotsOfShare);
      if (next === null) return;
      this.#free -= 1;
      this.#running.set(next.share, this.#runningOf(next.share) + 1);
      next.begin();
    }
  }

  #runningOf(share: string): number {
    return this.#running.get(share) ?? 0;
  }
}
