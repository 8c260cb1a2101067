import { writeFileSync } from "node:fs";

/** When a machine runs out of memory, a system that knows such an order ends this process before the service. */
export function yieldMemoryFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // There is no such file on other systems.
  }
}
