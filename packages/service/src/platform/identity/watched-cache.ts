import { LRUCache } from "lru-cache";
import type { CacheReading } from "../metrics/cache-meters.ts";
import type { RightsChanges } from "./rights-changes.ts";

/** Subjects whose values are kept in memory. */
const MOST_VALUES = 10_000;
/** Weight of all values: some 200 MB of permissions. */
const MOST_WEIGHT = 2_000_000;

/** Values of the database by subject of rights. */
export interface WatchedCache<Value> {
  /** At most a second old. Null for an unknown subject. */
  read(subject: string): Promise<Value | null>;
  /** From a query that begins after the call; later calls of `read` rest on it too. */
  readFresh(subject: string): Promise<Value | null>;
  /**
   * The values of subjects that are known, at most a second old.
   *
   * @param loadAll reads those that are not in memory, with one query that begins after the call
   */
  readAll(subjects: readonly string[], loadAll: LoadAll<Value>): Promise<ReadonlyMap<string, Value>>;
  readonly reading: () => CacheReading;
}

type LoadAll<Value> = (subjects: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/** A query under way. */
interface Load<Value> {
  readonly value: Promise<Value | null>;
  /** Whether the subject has changed since the query began. */
  isStale: boolean;
}

interface State<Value> {
  readonly known: LRUCache<string, { readonly value: Value }>;
  readonly loads: Map<string, Load<Value>>;
  hits: number;
  misses: number;
}

/**
 * Keeps values until their subject changes. While changes may be missed, each call is a query.
 *
 * @param load reads a value with a query that begins after the call
 * @param weightOf a value: its number of permissions
 */
export function createWatchedCache<Value>(
  changes: RightsChanges,
  load: (subject: string) => Promise<Value | null>,
  weightOf: (value: Value) => number,
): WatchedCache<Value> {
  const known = new LRUCache<string, { readonly value: Value }>({
    max: MOST_VALUES,
    maxSize: MOST_WEIGHT,
    sizeCalculation: ({ value }) => 1 + weightOf(value),
  });
  const state: State<Value> = { known, loads: new Map(), hits: 0, misses: 0 };
  changes.onChange((subject) => (subject === null ? forgetAll(state) : forget(state, subject)));
  return {
    async read(subject) {
      if (!changes.isCurrent()) return load(subject);
      const found = known.get(subject);
      if (found !== undefined) {
        state.hits += 1;
        return found.value;
      }
      state.misses += 1;
      return (state.loads.get(subject) ?? begin(state, subject, load)).value;
    },
    readAll: async (subjects, loadAll) =>
      await (changes.isCurrent() ? readKnown(state, subjects, loadAll) : loadAll(subjects)),
    reading: () => ({ entries: known.size, hits: state.hits, misses: state.misses }),
    readFresh: (subject) => (changes.isCurrent() ? begin(state, subject, load).value : load(subject)),
  };
}

async function readKnown<Value>(
  state: State<Value>,
  subjects: readonly string[],
  loadAll: LoadAll<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>();
  const missing: string[] = [];
  for (const subject of subjects) {
    const found = state.known.get(subject);
    if (found === undefined) missing.push(subject);
    else values.set(subject, found.value);
  }
  state.hits += values.size;
  state.misses += missing.length;
  if (missing.length === 0) return values;
  const loaded = loadAll(missing);
  const load = async (subject: string): Promise<Value | null> => (await loaded).get(subject) ?? null;
  for (const subject of missing) begin(state, subject, load);
  for (const [subject, value] of await loaded) values.set(subject, value);
  return values;
}

function begin<Value>(
  { known, loads }: State<Value>,
  subject: string,
  load: (subject: string) => Promise<Value | null>,
): Load<Value> {
  const earlier = loads.get(subject);
  if (earlier !== undefined) earlier.isStale = true;
  const begun: Load<Value> = { value: load(subject), isStale: false };
  loads.set(subject, begun);
  const end = (value: Value | null): void => {
    if (loads.get(subject) === begun) loads.delete(subject);
    if (value !== null && !begun.isStale) known.set(subject, { value });
  };
  begun.value.then(end, () => end(null));
  return begun;
}

function forget<Value>({ known, loads }: State<Value>, subject: string): void {
  known.delete(subject);
  const load = loads.get(subject);
  if (load === undefined) return;
  load.isStale = true;
  loads.delete(subject);
}

function forgetAll<Value>({ known, loads }: State<Value>): void {
  known.clear();
  for (const load of loads.values()) load.isStale = true;
  loads.clear();
}
