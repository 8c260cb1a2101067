import { spawnSync } from "node:child_process";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { argv, execPath, version } from "node:process";
import { pathToFileURL } from "node:url";
import { restartForProcessors } from "./restart-for-processors.ts";

/** Runs the command line and resolves with its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  if (args[0] === "serve") restartForProcessors();
  // A warm cache takes a third of a second off the start of the service.
  enableCompileCache();
  // `swath … | head` closes the pipe early, which is no fault.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  const { run } = await import("./program.ts");
  return await run(args);
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  // A Node that strips types but is older than what the service needs: bin/swath.js finds the installed one.
  const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
  if (major < 24 || (major === 24 && minor < 12)) {
    const launcher = join(import.meta.dirname, "..", "bin", "swath.js");
    process.exitCode = spawnSync(execPath, [launcher, ...argv.slice(2)], { stdio: "inherit" }).status ?? 1;
  } else {
    process.exitCode = await main(argv.slice(2));
  }
}
