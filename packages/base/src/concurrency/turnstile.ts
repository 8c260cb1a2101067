/**
 * Lets callers pass in their order, few of them in one turn of the event loop: the work that follows them leaves turns to
 * others.
 *
 * @returns waits for the turn of its caller; one that comes alone passes at once
 */
export function createTurnstile(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let passed = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(nextTurn);
  }
  function nextTurn(): void {
    isScheduled = false;
    const next = waiting.splice(0, perTurn);
    passed = next.length;
    if (passed > 0) schedule();
    for (const pass of next) pass();
  }

  return async () => {
    schedule();
    if (passed < perTurn) {
      passed += 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await promise;
  };
}
