import type { Clock } from "@swath/base/clock";
import { LRUCache } from "lru-cache";

interface RecheckOptions {
  /** A value is at most this old. */
  readonly everyMs: number;
  /** Values in memory. */
  readonly max: number;
}

/** Values by key, each read once in a while, however many requests ask. */
interface Rechecked<Value> {
  read(key: string): Promise<Value>;
  /** After a change by this process. */
  forget(key: string): void;
}

interface Reading<Value> {
  readonly value: Promise<Value>;
  readonly readAtMs: number;
}

/** @param load reads the value; a failure is no value, and the next request reads again */
export function createRechecked<Value>(
  clock: Clock,
  { everyMs, max }: RecheckOptions,
  load: (key: string) => Promise<Value>,
): Rechecked<Value> {
  const readings = new LRUCache<string, Reading<Value>>({ max });
  return {
    async read(key) {
      const nowMs = clock.now().getTime();
      const known = readings.get(key);
      if (known !== undefined && nowMs - known.readAtMs < everyMs) return await known.value;
      const reading = { value: load(key), readAtMs: nowMs };
      readings.set(key, reading);
      try {
        return await reading.value;
      } catch (error) {
        if (readings.get(key) === reading) readings.delete(key);
        throw error;
      }
    },
    forget: (key) => void readings.delete(key),
  };
}
