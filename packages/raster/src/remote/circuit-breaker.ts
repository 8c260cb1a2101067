import type { Clock } from "@swath/base/clock";

export interface BreakerOptions {
  readonly clock: Clock;
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open before one request may try again. */
  readonly openMs: number;
}

/** Whether a request may proceed, or must wait for a number of milliseconds. */
export type Admission = { readonly admitted: true } | { readonly admitted: false; readonly retryInMs: number };

/**
 * A circuit breaker for a failing host. Closed, it admits every request. After a number of consecutive failures it opens
 * and admits none for a time. Then it admits one probe, whose outcome closes it or opens it again.
 */
export class CircuitBreaker {
  readonly #options: BreakerOptions;
  #failures = 0;
  #openedAtMs: number | null = null;
  #probing = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get state(): "closed" | "open" | "half-open" {
    if (this.#openedAtMs === null) return "closed";
    return this.#nowMs() - this.#openedAtMs >= this.#options.openMs ? "half-open" : "open";
  }

  /** Every admitted request must end in exactly one of `succeeded`, `failed` and `abandoned`. */
  admit(): Admission {
    if (this.#openedAtMs === null) return { admitted: true };
    const waitedMs = this.#nowMs() - this.#openedAtMs;
    if (waitedMs < this.#options.openMs) return { admitted: false, retryInMs: this.#options.openMs - waitedMs };
    if (this.#probing) return { admitted: false, retryInMs: 1000 };
    this.#probing = true;
    return { admitted: true };
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openedAtMs = null;
    this.#probing = false;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#openedAtMs !== null || this.#failures >= this.#options.failures) this.#openedAtMs = this.#nowMs();
    this.#probing = false;
  }

  /** The request ended without saying anything about the host: its caller went away. */
  abandoned(): void {
    this.#probing = false;
  }

  #nowMs(): number {
    return this.#options.clock.now().getTime();
  }
}
