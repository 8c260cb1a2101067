import type { Clock } from "@swath/base/clock";
import { CircuitBreaker } from "./circuit-breaker.ts";

export interface HostBreakersOptions {
  readonly clock: Clock;
  /** Failures in a row that open a host's breaker. */
  readonly failures?: number;
  readonly openMs?: number;
}

/** Hosts that state is kept of; the allow-lists keep it small, wildcards aside. */
const MAX_HOSTS = 1000;

/** Breakers by host, for all clients that share it: a host that is down is down whoever asks. */
export class HostBreakers {
  readonly #options: Required<HostBreakersOptions>;
  readonly #hosts = new Map<string, CircuitBreaker>();

  constructor(options: HostBreakersOptions) {
    this.#options = { failures: 8, openMs: 30_000, ...options };
  }

  of({ host }: URL): CircuitBreaker {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    if (this.#hosts.size >= MAX_HOSTS) this.#hosts.clear();
    const breaker = new CircuitBreaker(this.#options);
    this.#hosts.set(host, breaker);
    return breaker;
  }
}
