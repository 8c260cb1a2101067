import { spawnSync } from "node:child_process";
import { platform } from "node:os";

/** How Linux schedules a thread. */
export interface Scheduled {
  readonly name: string;
  readonly priority: number;
  readonly policy: number;
}

/** Policies of Linux. */
export const SCHED_OTHER = 0;
export const SCHED_BATCH = 3;
export const SCHED_IDLE = 5;

/** Why a test of priorities is left out. */
export const skipElsewhere = platform() === "linux" ? false : "only Linux schedules threads by themselves";

/** Whether the program is here that changes policies. */
export const hasChrt = spawnSync("chrt", ["-m"]).error === undefined;

/** Source of `scheduled(threadId)`; in `stat` the policy is field 41, and the name, field 2, may hold spaces. */
export const SCHEDULED = `
  import { getPriority } from "node:os";
  import { readdirSync, readFileSync, readlinkSync } from "node:fs";
  import { basename } from "node:path";
  import { parentPort, workerData } from "node:worker_threads";
  const scheduled = (id) => {
    const stat = readFileSync("/proc/self/task/" + id + "/stat", "utf8");
    const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    return { name, priority: getPriority(Number(id)), policy: Number(afterName[38]) };
  };
`;
