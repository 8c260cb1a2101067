/** Resolves after this number of milliseconds. @throws the reason of the signal when it aborts first */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // Node 20 has no `Promise.withResolvers`.
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
