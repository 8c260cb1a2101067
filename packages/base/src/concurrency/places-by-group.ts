/** Claims work of a group and runs it. */
export interface ClaimedWork<Claim> {
  /** At most `free` claims of a group. */
  claim(group: string, free: number): Promise<readonly Claim[]>;
  /** Never rejects. */
  run(claim: Claim): Promise<void>;
}

/** Work under way. Each group has separate places, so that the work of one group holds up no other. */
export interface PlacesByGroup extends AsyncDisposable {
  /** Aborts at the disposal, which waits for the work under way. */
  readonly signal: AbortSignal;
  /** Starts work in the free places of each group. @returns the ends of the started work */
  start<Claim>(
    groups: readonly string[],
    work: ClaimedWork<Claim>,
    signal: AbortSignal,
  ): Promise<readonly Promise<void>[]>;
}

export interface PlacesByGroupOptions {
  /** Places of each group. */
  readonly perGroup: number;
  /** Called when a place has become free. */
  readonly onFree: () => void;
}

export function createPlacesByGroup({ onFree, perGroup }: PlacesByGroupOptions): PlacesByGroup {
  const stopping = new AbortController();
  const running = new Map<string, Set<Promise<void>>>();
  return {
    signal: stopping.signal,
    async start(groups, work, signal) {
      const started: Promise<void>[] = [];
      for (const group of groups) {
        if (signal.aborted || stopping.signal.aborted) break;
        const own = running.get(group) ?? new Set();
        running.set(group, own);
        const free = perGroup - own.size;
        if (free <= 0) continue;
        for (const claim of await work.claim(group, free)) {
          const one = work.run(claim).finally(() => {
            own.delete(one);
            onFree();
          });
          own.add(one);
          started.push(one);
        }
      }
      return started;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error("the service stops"));
      await Promise.all([...running.values()].flatMap((own) => [...own]));
    },
  };
}
