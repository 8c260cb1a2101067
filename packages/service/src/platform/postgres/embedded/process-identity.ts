import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { statFields } from "@swath/base/processes/proc-stat";

/**
 * A text that differs between two processes that had the same number: the boot and the start time.
 * Null when there is no such process or it is a zombie. Where the system does not say, the text is "unknown".
 */
export function processIdentity(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid)) return null;
  if (process.platform === "linux") return linuxIdentity(pid);
  if (process.platform === "win32") return "unknown";
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: alive, and another user's
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function linuxIdentity(pid: number): string | null {
  try {
    const fields = statFields(String(pid));
    if (fields[0] === "Z" || fields[0] === "X") return null;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${fields[19] ?? "unknown"}`;
  } catch {
    return null;
  }
}
