import { monitorEventLoopDelay } from "node:perf_hooks";
import { single, type MetricFamily } from "./exposition.ts";

/** Delays are of the time since the former look, which was so long ago at least: several scrapers see the same. */
const LOOK_EVERY_MS = 5_000;
const RESOLUTION_MS = 20;
const QUANTILES = [50, 99, 100] as const;

interface Delays {
  readonly atMs: number;
  readonly byQuantile: ReadonlyMap<string, number>;
}

/** Delays of the event loop, memory and processor time of this process. */
export class ProcessMetrics implements Disposable {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #delays: Delays | null = null;

  constructor() {
    this.#histogram.enable();
  }

  families(): readonly MetricFamily[] {
    const { system, user } = process.cpuUsage();
    return [
      {
        name: "swath_event_loop_delay_seconds",
        help: "Delay of timers beyond their time since the former look at it: median, 99th percentile, most.",
        type: "gauge",
        samples: [...this.#look()].map(([quantile, value]) => ({ labels: { quantile }, value })),
      },
      single("gauge", "process_resident_memory_bytes", "Memory of the process.", process.memoryUsage.rss()),
      single("counter", "process_cpu_seconds_total", "Processor time of the process.", (system + user) / 1e6),
      single(
        "gauge",
        "process_start_time_seconds",
        "Start of the process, seconds since 1970.",
        Math.round(performance.timeOrigin) / 1000,
      ),
    ];
  }

  [Symbol.dispose](): void {
    this.#histogram.disable();
  }

  #look(): ReadonlyMap<string, number> {
    const nowMs = performance.now();
    if (this.#delays !== null && nowMs - this.#delays.atMs < LOOK_EVERY_MS) return this.#delays.byQuantile;
    const histogram = this.#histogram;
    const seconds = (percent: number): number =>
      histogram.count === 0 ? 0 : Math.max(0, histogram.percentile(percent) / 1e9 - RESOLUTION_MS / 1000);
    const byQuantile = new Map(QUANTILES.map((percent) => [String(percent / 100), seconds(percent)]));
    histogram.reset();
    this.#delays = { atMs: nowMs, byQuantile };
    return byQuantile;
  }
}
