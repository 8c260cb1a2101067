import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from "node:child_process";
import { lchownSync, lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * How the programs of PostgreSQL are run. They refuse to run as root, so a service that is root either gives
 * them a user namespace in which root looks like user 1000 (files stay root's), or drops to another user.
 */
export type Launch =
  | { readonly kind: "direct" }
  | { readonly kind: "namespace" }
  | { readonly kind: "user"; readonly uid: number };

const NAMESPACE_COMMAND = ["unshare", "-U", "--map-user=1000", "--map-group=1000"] as const;
/** "nobody" on every common system. */
const UNPRIVILEGED_UID = 65534;

/** Chooses by trying: user namespaces may be forbidden (container profiles, kernel settings). */
export function chooseLaunch(): Launch {
  if (process.getuid?.() !== 0) return { kind: "direct" };
  const [command, ...args] = NAMESPACE_COMMAND;
  const probe = spawnSync(command, [...args, "true"], { stdio: "ignore" });
  return probe.status === 0 ? { kind: "namespace" } : { kind: "user", uid: UNPRIVILEGED_UID };
}

/** Starts a program the chosen way; the process number is the program's own. */
export function launchProgram(
  launch: Launch,
  file: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  if (launch.kind === "user") return spawn(file, args, { ...options, uid: launch.uid, gid: launch.uid });
  if (launch.kind === "direct") return spawn(file, args, options);
  const [command, ...prefix] = NAMESPACE_COMMAND;
  return spawn(command, [...prefix, file, ...args], options);
}

/** Whether every folder above may be passed through by any user. */
export function isReachableByAll(path: string): boolean {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    try {
      if ((statSync(folder).mode & 0o001) === 0) return false;
    } catch {
      // a folder still to be created is created passable
    }
    if (folder === dirname(folder)) return true;
  }
}

/** Gives a folder and all it holds to the user of the launch; nothing to do for the others. */
export function giveTo(launch: Launch, path: string): void {
  if (launch.kind !== "user") return;
  lchownSync(path, launch.uid, launch.uid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveTo(launch, join(path, name));
}
