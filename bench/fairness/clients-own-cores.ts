import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { changeSystemSetting } from "./system-setting.ts";

/** Whether Linux shares processors among sessions first, and among their threads then. */
const AUTOGROUP = "/proc/sys/kernel/sched_autogroup_enabled";

/**
 * Clients of a service bring their own processors. Here they have the service's: the quiet user's client takes one when its
 * answer is there, and an abuser takes what nobody wants.
 *
 * - The caller's thread runs by `SCHED_FIFO`. Linux wakes a client on the processor of the thread that answered it. Without
 *   the policy it waited there until that thread was out of work, though the other processor was free.
 * - Sessions are no groups. Each backend of PostgreSQL is a session, with as large a share of time as the service. Beside two
 *   threads of `SCHED_IDLE` that only counted a search took 1.5 times as long. In a container, or in a unit of systemd with
 *   `CPUWeight`, the groups of sessions have no effect.
 *
 * Where the machine does not permit it, a line of the output says so. Disposing makes sessions groups again.
 */
export function clientsOnOwnCores(): Disposable {
  // Its threads and children do not inherit the policy: the service is one of them.
  if (spawnSync("chrt", ["--reset-on-fork", "--fifo", "-p", "1", String(process.pid)]).status !== 0) {
    process.stdout.write("  the quiet user's client has no priority: SCHED_FIFO is not permitted\n");
  }
  const autogroup = changeSystemSetting(AUTOGROUP, "0");
  if (!autogroup.isAsWanted) {
    process.stdout.write(`  sessions are groups of processor time: set ${AUTOGROUP} to 0\n`);
  }
  return autogroup;
}

/** Starts a program that takes the processor time which nobody else wants. */
export function spawnIdle(command: readonly string[]): ChildProcess {
  return spawn("chrt", ["--idle", "0", ...command], { stdio: "inherit" });
}
