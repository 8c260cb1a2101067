const PAUSE_MS = 3_000;

/** Resolves when the browser says that the network is back, after a pause, or when the signal aborts. */
export async function whenOnline(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, PAUSE_MS);
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}
