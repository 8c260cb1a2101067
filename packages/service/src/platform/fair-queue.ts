/** Jobs that wait. Shares take turns; the jobs of one share keep their order. */
export class FairQueue<Job extends { readonly share: string }> {
  /** In the order of the turns. */
  readonly #waiting = new Map<string, Job[]>();
  #size = 0;
  /** The share that took the latest turn. */
  #latest: string | null = null;

  get size(): number {
    return this.#size;
  }

  /** Jobs of a share that wait. */
  sizeOf(share: string): number {
    return this.#waiting.get(share)?.length ?? 0;
  }

  add(job: Job): void {
    const jobs = this.#waiting.get(job.share);
    if (jobs === undefined) this.#waiting.set(job.share, [job]);
    else jobs.push(job);
    this.#size += 1;
  }

  remove(job: Job): void {
    const jobs = this.#waiting.get(job.share);
    const at = jobs?.indexOf(job) ?? -1;
    if (jobs === undefined || at < 0) return;
    jobs.splice(at, 1);
    this.#size -= 1;
    if (jobs.length === 0) this.#waiting.delete(job.share);
  }

  /** Takes a job of the share that has the fewest running; of several the one whose turn it is. */
  take(running: (share: string) => number, mostRunning: number): Job | null {
    let best: string | null = null;
    for (const share of this.#waiting.keys()) {
      const least = best === null ? mostRunning : running(best);
      if (running(share) < least || (best === this.#latest && running(share) === least)) best = share;
    }
    const jobs = best === null ? [] : (this.#waiting.get(best) ?? []);
    const job = jobs.shift();
    if (best === null || job === undefined) return null;
    this.#size -= 1;
    this.#latest = best;
    this.#waiting.delete(best);
    if (jobs.length > 0) this.#waiting.set(best, jobs);
    return job;
  }

  /** Takes the latest job of the share with the most, if that has more than `count`. */
  takeLatestOfLargest(count: number): Job | null {
    let largest: Job[] = [];
    for (const jobs of this.#waiting.values()) if (jobs.length > largest.length) largest = jobs;
    const job = largest.length > count ? largest.at(-1) : undefined;
    if (job === undefined) return null;
    this.remove(job);
    return job;
  }

  /** Takes all jobs. */
  clear(): readonly Job[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }
}
