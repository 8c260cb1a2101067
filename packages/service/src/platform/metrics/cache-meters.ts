import type { MetricFamily } from "./exposition.ts";

/** A cache at present, and its use since the start of the process. */
export interface CacheReading {
  readonly entries: number;
  readonly hits: number;
  readonly misses: number;
  /** Absent for a cache that is bounded by entries. */
  readonly bytes?: number;
}

/** The caches of a process, by name. */
export interface CacheMeters {
  add(name: string, read: () => CacheReading): void;
  families(): readonly MetricFamily[];
}

export function createCacheMeters(): CacheMeters {
  const caches = new Map<string, () => CacheReading>();
  return {
    add: (name, read) => void caches.set(name, read),
    families() {
      const readings = [...caches].map(([cache, read]) => ({ labels: { cache }, reading: read() }));
      const of = (value: (reading: CacheReading) => number | undefined): MetricFamily["samples"] =>
        readings.flatMap(({ labels, reading }) => {
          const found = value(reading);
          return found === undefined ? [] : [{ labels, value: found }];
        });
      return [
        {
          name: "swath_cache_entries",
          help: "Entries of caches.",
          type: "gauge",
          samples: of(({ entries }) => entries),
        },
        { name: "swath_cache_bytes", help: "Bytes of caches.", type: "gauge", samples: of(({ bytes }) => bytes) },
        {
          name: "swath_cache_hits_total",
          help: "Answers from caches.",
          type: "counter",
          samples: of(({ hits }) => hits),
        },
        {
          name: "swath_cache_misses_total",
          help: "Questions that caches did not answer.",
          type: "counter",
          samples: of(({ misses }) => misses),
        },
      ];
    },
  };
}
