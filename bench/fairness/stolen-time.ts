import { readFileSync } from "node:fs";

/** Linux counts the time of processors in hundredths of a second. */
const TICK_MS = 10;
/** Field of `cpu` in `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal. */
const STEAL = 8;

/**
 * Milliseconds that other guests of the host have taken from the processors of this machine since it started, in steps
 * of 10 ms; 0 where the system does not count them.
 */
export function stolenMs(): number {
  try {
    const [all = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
    return Number(all.split(/\s+/)[STEAL] ?? 0) * TICK_MS;
  } catch {
    return 0;
  }
}
