import { sleep } from "./sleep.ts";

/** Reason of an end that is no error: without one each abort makes an error with its stack, in 45 µs. */
const ENDED = "the work has ended";

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
    await Promise.race([watched.finally(() => ended.abort(ENDED)), sleep(timeoutMs, ended.signal)]);
    if (ended.signal.aborted) await watched;
  } finally {
    ended.abort(ENDED);
  }
  return inTime;
}
