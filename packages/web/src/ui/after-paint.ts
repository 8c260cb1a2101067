/**
 * Runs work once the browser has painted the page as it is now, so that the answer to a click does not wait for it. Of
 * work that waits, the latest replaces the others.
 */
export function afterPaint(): (work: () => void) => void {
  let waiting: (() => void) | null = null;
  return (work) => {
    const isScheduled = waiting !== null;
    waiting = work;
    if (isScheduled) return;
    requestAnimationFrame(() =>
      setTimeout(() => {
        const latest = waiting;
        waiting = null;
        latest?.();
      }),
    );
  };
}
