export interface BatchOptions<Item, Result> {
  /** Items with the same key never share a batch; any may when absent. */
  readonly keyOf?: (item: Item) => string;
  /** Processes all items and returns the results in their order. After a failure each item is tried separately. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly maxItems: number;
  /** Most concurrent batches. Items that arrive meanwhile form the next one. */
  readonly maxRunning: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Work that costs less together: an item runs at once when nothing else does, and with others that come with it or under load. */
export function createBatches<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { keyOf, run, maxItems, maxRunning } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isStarting = false;

  function nextBatch(): readonly Waiting<Item, Result>[] {
    const keys = new Set<string>();
    const batch: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    for (const one of waiting) {
      const key = keyOf?.(one.item) ?? null;
      const isIn = batch.length < maxItems && (key === null || !keys.has(key));
      if (key !== null) keys.add(key);
      (isIn ? batch : left).push(one);
    }
    waiting = left;
    return batch;
  }

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error("a batch answered too few of its items"));
        else resolve(result);
      }
    } catch (error) {
      // One that fails must not fail the others, and tells its own fault.
      if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map((one) => runBatch([one])));
    }
  }

  async function work(): Promise<void> {
    running += 1;
    try {
      for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) await runBatch(batch);
    } finally {
      running -= 1;
    }
  }

  function start(): void {
    isStarting = false;
    if (waiting.length > 0 && running < maxRunning) void work();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isStarting || running >= maxRunning) return;
      isStarting = true;
      // Items caused by one answer arrive in the same turn of the event loop and belong together.
      setImmediate(start);
    });
}
