import { OVER } from "./over.ts";
import { sleep } from "./sleep.ts";

/** Waits for work, but not longer than the time given. Whether the work has ended; its failure is thrown. */
export async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const ended = new AbortController();
  let inTime = false;
  const watched = work.then(
    () => {
      inTime = true;
    },
    (error: unknown) => {
      inTime = true;
      throw error;
    },
  );
  watched.catch(() => {});
  try {
    await Promise.race([watched.finally(() => ended.abort(OVER)), sleep(timeoutMs, ended.signal)]);
    if (ended.signal.aborted) await watched;
  } finally {
    ended.abort(OVER);
  }
  return inTime;
}
