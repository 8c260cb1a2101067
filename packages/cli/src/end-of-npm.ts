/** Scripts of package.json that lead to `swath serve`. */
const SCRIPTS: ReadonlySet<string | undefined> = new Set(["start", "swath"]);
const LOOK_EVERY_MS = 200;

/**
 * Aborts when the shell of `npm start` or `npm run swath` ends. npm passes SIGTERM to its shell only, and shells such
 * as dash end without passing it on. Never aborts in a process that npm did not start by one of these scripts.
 */
export function endOfNpm(variables: NodeJS.ProcessEnv): AbortSignal {
  const ended = new AbortController();
  if (variables["npm_package_name"] !== "swath" || !SCRIPTS.has(variables["npm_lifecycle_event"])) return ended.signal;
  const parent = process.ppid;
  const looks = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looks);
    ended.abort();
  }, LOOK_EVERY_MS);
  looks.unref();
  return ended.signal;
}
