/** Waits for work, but not longer than the time given. Whether the work has ended; its failure in time is thrown. */
export async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeoutMs, false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
