/**
 * Waits, or returns at once when the signal aborts; never rejects. The promise of `node:timers` would make an error with
 * its stack at each abort.
 */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = (): void => resolve();
  const timer = setTimeout(wake, ms);
  signal?.addEventListener("abort", wake, { once: true });
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener("abort", wake);
}
