/** Jobs of a share, those before `at` passed. */
interface Line<Job> {
  readonly jobs: readonly Job[];
  at: number;
  running: number;
}

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

  /** @returns whether the job was waiting */
  remove(job: Job): boolean {
    const jobs = this.#waiting.get(job.share);
    const at = jobs?.indexOf(job) ?? -1;
    if (jobs === undefined || at < 0) return false;
    jobs.splice(at, 1);
    this.#size -= 1;
    if (jobs.length === 0) this.#waiting.delete(job.share);
    return true;
  }

  /**
   * All jobs in the order in which they are due, as if each job before began: next comes the share with the fewest
   * running. The job that was yielded may begin meanwhile.
   */
  *inTurn(running: (share: string) => number): Generator<Job, void> {
    const shares = [...this.#waiting.keys()];
    if (this.#latest !== null && this.#waiting.has(this.#latest)) {
      shares.splice(shares.indexOf(this.#latest), 1);
      shares.push(this.#latest);
    }
    const lines: readonly Line<Job>[] = shares.map((share) => ({
      jobs: this.#waiting.get(share) ?? [],
      at: 0,
      running: running(share),
    }));
    for (let line = leastRunning(lines); line !== null; line = leastRunning(lines)) {
      const job = line.jobs[line.at];
      if (job !== undefined) yield job;
      if (line.jobs[line.at] === job) line.at += 1;
      line.running += 1;
    }
  }

  /** Takes a job; the latest turn is the turn of its share. */
  begin(job: Job): void {
    const { share } = job;
    const jobs = this.#waiting.get(share);
    this.remove(job);
    this.#latest = share;
    this.#waiting.delete(share);
    if (jobs !== undefined && jobs.length > 0) this.#waiting.set(share, jobs);
  }

  /** Takes a job of the share that has the fewest running; of several the one whose turn it is. */
  take(running: (share: string) => number, mostRunning: number): Job | null {
    const { value: job } = this.inTurn(running).next();
    if (job === undefined || running(job.share) >= mostRunning) return null;
    this.begin(job);
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

/** Of the lines with jobs left, the first of those with the fewest running. */
function leastRunning<Job>(lines: readonly Line<Job>[]): Line<Job> | null {
  let least: Line<Job> | null = null;
  for (const line of lines) {
    if (line.at < line.jobs.length && (least === null || line.running < least.running)) least = line;
  }
  return least;
}
