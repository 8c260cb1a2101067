/** A share counts as present this long after its latest job, ms. */
const PRESENT_MS = 3_000;

/** Shares with a job within the last seconds. */
export class PresentShares {
  /** The time of the latest job of each, the earliest first. */
  readonly #latestMs = new Map<string, number>();

  /** @param nowMs of a monotonic clock */
  note(share: string, nowMs: number): void {
    this.#latestMs.delete(share);
    this.#latestMs.set(share, nowMs);
    this.#forget(nowMs);
  }

  areSeveral(nowMs: number): boolean {
    this.#forget(nowMs);
    return this.#latestMs.size > 1;
  }

  #forget(nowMs: number): void {
    for (const [share, latestMs] of this.#latestMs) {
      if (nowMs - latestMs < PRESENT_MS) return;
      this.#latestMs.delete(share);
    }
  }
}
