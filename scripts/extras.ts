import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A folder of `extras/`: packages that `npm ci` leaves out, pinned by a lock file of that folder. */
export type Extra =
  | "browser"
  | "bundle"
  | "check"
  | "console"
  | "examples"
  | "lighthouse"
  | "models"
  | "nodes"
  | "openapi"
  | "wasm";

const ROOT = join(import.meta.dirname, "..");

/** Programs of `extras/check`, by the script that Node runs. */
const CHECK_TOOLS = {
  knip: "knip/bin/knip.js",
  oxfmt: "oxfmt/bin/oxfmt",
  oxlint: "oxlint/bin/oxlint",
  tsc: "typescript/bin/tsc",
} as const;

export type CheckTool = keyof typeof CHECK_TOOLS;

export function isCheckTool(name: string): name is CheckTool {
  return name in CHECK_TOOLS;
}

/**
 * Installs the packages of a folder of `extras/` with npm, unless its lock file is the one installed last.
 *
 * @returns the folder that holds the packages
 * @throws {Error} when npm fails
 */
export function installExtra(extra: Extra): string {
  const folder = join(ROOT, "extras", extra);
  const packages = join(folder, "node_modules");
  const stamp = join(packages, ".installed-lock");
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (textOf(stamp) === lock) return packages;
  process.stderr.write(`installing extras/${extra}\n`);
  // Under `npm run` the same npm does it; its script needs no shell on any system.
  const npm = process.env["npm_execpath"];
  const [command, first] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
  const { status, error } = spawnSync(
    command,
    [...first, "ci", "--prefix", folder, "--ignore-scripts", "--no-progress"],
    {
      cwd: folder,
      // Output of npm must not mix with the standard output of the command that needs the packages.
      stdio: ["ignore", 2, 2],
      shell: npm === undefined && process.platform === "win32",
    },
  );
  if (status !== 0) throw new Error(`npm could not install extras/${extra}`, { cause: error });
  writeFileSync(stamp, lock);
  return packages;
}

/** Runs a program of `extras/check` in the root folder and returns its exit code. */
export function runCheckTool(tool: CheckTool, args: readonly string[]): number {
  const packages = installExtra("check");
  // The linter looks for its type checker along the path.
  const path = [join(packages, ".bin"), process.env["PATH"]].join(delimiter);
  const { status } = spawnSync(process.execPath, [join(packages, CHECK_TOOLS[tool]), ...args], {
    cwd: ROOT,
    env: { ...process.env, PATH: path },
    stdio: "inherit",
  });
  return status ?? 1;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
