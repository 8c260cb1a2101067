import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, EXIT } from "./exit-code.ts";

/** A service in a process of its own that ends with this one. */
export interface OwnService extends AsyncDisposable {
  readonly url: string;
}

const START_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 20_000;

/** Whether a service answers at the address. */
export async function isAnswering(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(3000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/**
 * Starts a service on a free port of this machine and resolves when it is ready. Its log goes to `demo-service.log` in the data folder.
 *
 * @throws {CommandError} with the end of its log when it does not start
 */
export async function startOwnService(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<OwnService> {
  await mkdir(folder, { recursive: true });
  const logPath = join(folder, "demo-service.log");
  const log = await open(logPath, "w");
  const entry = join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, [entry, "serve", "--stop-with-parent"], {
    stdio: ["pipe", "pipe", log.fd],
    env: {
      ...process.env,
      ...settings,
      SWATH_DATA: folder,
      SWATH_HOST: "127.0.0.1",
      SWATH_PORT: "0",
      SWATH_ROLES: "all",
    },
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("the service process has no pipes");
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      await ended;
      clearTimeout(timer);
    }
    await log.close();
  };
  let output = "";
  const ready = new Promise<string | null>((resolve) => {
    stdout.setEncoding("utf8");
    stdout.on("data", (chunk: string) => {
      output += chunk;
      const url = /is ready at (https?:\/\/\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.on("exit", () => resolve(null));
    child.on("error", () => resolve(null));
    setTimeout(() => resolve(null), START_WITHIN_MS).unref();
  });
  const url = await ready;
  if (url === null) {
    await stop();
    const tail = (await readFile(logPath, "utf8")).trim().split("\n").slice(-5).join("\n  ");
    throw new CommandError(`the service did not start:\n  ${tail}`, EXIT.failure, `its log is ${logPath}`);
  }
  return { url, [Symbol.asyncDispose]: stop };
}
