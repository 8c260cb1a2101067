/**
 * Waits until somebody sees the page, or `stop` aborts. The signal of the answer aborts when the page is hidden, or with
 * `stop`; `end` stops watching.
 */
export async function waitWhileHidden(
  stop: AbortSignal,
): Promise<{ readonly signal: AbortSignal; readonly end: () => void }> {
  if (document.hidden && !stop.aborted) {
    const watching = new AbortController();
    await new Promise<void>((resolve) => {
      const options = { signal: watching.signal };
      document.addEventListener("visibilitychange", () => document.hidden || resolve(), options);
      stop.addEventListener("abort", () => resolve(), options);
    });
    watching.abort();
  }
  const hiding = new AbortController();
  const onChange = (): void => {
    if (document.hidden) hiding.abort();
  };
  document.addEventListener("visibilitychange", onChange);
  return {
    signal: AbortSignal.any([stop, hiding.signal]),
    end: () => document.removeEventListener("visibilitychange", onChange),
  };
}
