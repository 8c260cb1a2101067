/** A preferred thread is waited for only while it has fewer jobs in line than this, and those are of the same share. */
const AFFINITY_DEPTH = 2;

/** A job as far as the choice of its thread goes. */
interface ChosenFor {
  readonly share: string;
  /** Index of the thread that has what the job needs in memory. */
  readonly preferred: number;
}

interface Thread {
  readonly worker: object | null;
  readonly running: ReadonlyMap<number, { readonly share: string }>;
}

export interface ThreadLimits {
  readonly jobsPerThread: number;
  /** Threads that one share may have at once. */
  readonly threadsOfShare: number;
}

/**
 * The thread that a job starts in now; null while it waits.
 *
 * @param inLine jobs of each thread: those that run, and those before this one that prefer it
 */
export function threadFor<Any extends Thread>(
  threads: readonly Any[],
  { share, preferred }: ChosenFor,
  inLine: readonly number[],
  { jobsPerThread, threadsOfShare }: ThreadLimits,
): Any | null {
  const isOfShare = ({ running }: Thread): boolean => running.values().some((job) => job.share === share);
  const isAtMost = threads.filter(isOfShare).length >= threadsOfShare;
  const isFree = ({ running }: Thread): boolean => running.size < jobsPerThread;
  const isOpen = (thread: Thread): boolean => isFree(thread) && (!isAtMost || isOfShare(thread));
  const home = threads[preferred];
  if (home === undefined)
    throw new RangeError(`there are ${threads.length} threads, got the preferred one ${preferred}`);
  // A thread takes some 0.4 s to start.
  if (home.worker === null) {
    const started = threads.find((thread) => thread.worker !== null && isOpen(thread));
    if (started !== undefined) return started;
  }
  if (isOpen(home)) return home;
  const isSoonFree = home.running.values().every((job) => job.share === share);
  if (!isFree(home) && isSoonFree && inLine[preferred]! < AFFINITY_DEPTH * jobsPerThread) return null;
  return threads.find(isOpen) ?? null;
}
