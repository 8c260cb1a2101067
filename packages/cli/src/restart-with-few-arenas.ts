import { availableParallelism } from "node:os";

const VARIABLE = "MALLOC_ARENA_MAX";
const LEAST_ARENAS = 2;

/**
 * Replaces this program by itself with a setting that glibc reads at its start: as many arenas of memory as processors.
 * An arena keeps the memory that ended threads have left, for the next thread. The default is eight for each processor.
 * A service on two then kept 800 MB that nothing used, beside 540 MB in use, after 90,000 requests.
 *
 * Returns where another C library or the caller has decided, and in a child with a channel, which would close.
 */
export function restartWithFewArenas(): void {
  const { argv, env, execArgv, execPath, platform } = process;
  if (platform !== "linux" || env[VARIABLE] !== undefined || process.send !== undefined) return;
  const arenas = Math.max(LEAST_ARENAS, availableParallelism());
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, [VARIABLE]: String(arenas) });
}
