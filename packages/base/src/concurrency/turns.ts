/** Lets work that needs the same thing run one after the other, in the order it asked; other work is not held up. */
export interface Turns {
  /** Runs the work when it is its turn for every one of the keys. */
  take<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result>;
}

/** Turns within this process; nothing is kept of keys that nobody waits for. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    async take(keys, work) {
      const { promise: done, resolve: finish } = Promise.withResolvers<void>();
      // All keys are joined at once, so that no two pieces of work can wait for each other.
      const before = new Set<Promise<void>>();
      for (const key of new Set(keys)) {
        const earlier = last.get(key);
        if (earlier !== undefined) before.add(earlier);
        last.set(key, done);
      }
      try {
        await Promise.all(before);
        return await work();
      } finally {
        finish();
        for (const key of keys) if (last.get(key) === done) last.delete(key);
      }
    },
  };
}
