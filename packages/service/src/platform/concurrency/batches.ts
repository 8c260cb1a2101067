export interface BatchOptions<Item, Result> {
  /** Items with the same key never share a batch. */
  readonly keyOf: (item: Item) => string;
  /** Does the work of all items; the results are in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly maxItems: number;
  /** Batches that run at a time. What arrives meanwhile makes up the next one. */
  readonly maxRunning: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Work that costs less together: an item runs at once when nothing else does, and with others under load. */
export function createBatches<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { keyOf, run, maxItems, maxRunning } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  function nextBatch(): readonly Waiting<Item, Result>[] {
    const keys = new Set<string>();
    const batch: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    for (const one of waiting) {
      const key = keyOf(one.item);
      const isIn = batch.length < maxItems && !keys.has(key);
      keys.add(key);
      (isIn ? batch : left).push(one);
    }
    waiting = left;
    return batch;
  }

  async function work(): Promise<void> {
    running += 1;
    try {
      for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
        try {
          const results = await run(batch.map(({ item }) => item));
          for (const [index, { resolve, reject }] of batch.entries()) {
            const result = results[index];
            if (result === undefined) reject(new Error("a batch answered too few of its items"));
            else resolve(result);
          }
        } catch (error) {
          for (const { reject } of batch) reject(error);
        }
      }
    } finally {
      running -= 1;
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < maxRunning) void work();
    });
}
