import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const DEFAULT_SCENES = 100_000;

/** The number after `--scenes`. @throws {Error} when the number is no positive integer */
export function scenesOf(args: readonly string[]): number {
  const { values } = parseArgs({ args: [...args], options: { scenes: { type: "string" } } });
  const scenes = Number(values.scenes ?? DEFAULT_SCENES);
  if (!Number.isInteger(scenes) || scenes < 1)
    throw new Error(`--scenes ${values.scenes}: expected a positive integer`);
  return scenes;
}

/** Starts a script of `children` that takes the number of scenes. */
export function startChild(
  script: string,
  scenes: number,
  environment: Readonly<Record<string, string>>,
  stdout: "pipe" | "inherit",
): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, "children", script), String(scenes)], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", stdout, "inherit"],
  });
}
