import type { ChildProcess } from "node:child_process";

/** Whether a child process keeps this one alive: only work does, not an idle process. */
export function keepAlive(child: ChildProcess, isWorking: boolean): void {
  const stderr: unknown = child.stderr;
  if (isWorking) child.ref();
  else child.unref();
  for (const one of [child.channel, stderr]) {
    if (typeof one !== "object" || one === null || !("ref" in one) || !("unref" in one)) continue;
    const change = isWorking ? one.ref : one.unref;
    if (typeof change === "function") Reflect.apply(change, one, []);
  }
}
