import { spawn } from "node:child_process";
import { platform } from "node:os";
import { statFields } from "../processes/proc-stat.ts";

/**
 * How Linux chooses among threads. A thread of `batch` does not take the processor from another one when it wakes up. From
 * a thread of `idle` every thread of another policy that wakes up takes it at once.
 */
export type Policy = "batch" | "idle";

/** Options of `chrt`: the program of BusyBox has the short ones only. */
const OPTION = { batch: "-b", idle: "-i" } as const satisfies Readonly<Record<Policy, string>>;

/** `SCHED_IDLE` of Linux. */
const IDLE = 5;

/** Place of the policy among the fields of `statFields`. */
const POLICY = 38;

/** The program and its arguments that give threads of this process a policy, which Node cannot. */
export function policyCommand(policy: Policy, threadIds: readonly string[]): readonly [string, readonly string[]] {
  const eachThread = `for thread; do chrt ${OPTION[policy]} -p 0 "$thread"; done`;
  return ["sh", ["-c", eachThread, "sh", ...threadIds]];
}

/**
 * Gives threads of this process a policy; those that they start later inherit it. Where Linux or its program is missing,
 * nothing changes. Never rejects.
 *
 * @returns when they have it
 */
export async function setPolicy(policy: Policy, threadIds: readonly string[]): Promise<void> {
  if (platform() !== "linux") return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const program = spawn(...policyCommand(policy, threadIds), { stdio: "ignore" });
  program.once("error", () => resolve()).once("exit", () => resolve());
  await promise;
}

/** Whether a thread of this process has the policy `idle`; a thread inherits it from the one that starts it. */
export function isIdle(threadId: string): boolean {
  return Number(statFields(`self/task/${threadId}`)[POLICY]) === IDLE;
}
