/** From the start of a run to the first write of its progress, and between two writes, ms: most runs end before it. */
const PAUSE_MS = 250;

/** Progress of a run that is written now and then: the latest replaces the one that waits. */
export interface SpacedProgress {
  /** @returns whether the run still held its pipeline at the latest write; rejects when that one failed */
  put(json: string): Promise<boolean>;
  /** Ends the wait of the progress that waits, for a write that takes it along; null when there is none. */
  take(): string | null;
}

export function spacedProgress(write: (json: string) => Promise<boolean>, pauseMs = PAUSE_MS): SpacedProgress {
  let writtenMs = performance.now();
  let waiting: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let latest = Promise.resolve(true);

  function take(): string | null {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    return waiting;
  }

  function writeWaiting(): void {
    const json = take();
    waiting = null;
    if (json === null) return;
    writtenMs = performance.now();
    latest = write(json);
    // The next progress reports it.
    latest.catch(() => undefined);
  }

  return {
    async put(json) {
      waiting = json;
      const leftMs = writtenMs + pauseMs - performance.now();
      if (leftMs <= 0) writeWaiting();
      else timer ??= setTimeout(writeWaiting, leftMs).unref();
      const told = latest;
      latest = latest.catch(() => true);
      return await told;
    },
    take,
  };
}
