import { once } from "node:events";
import { compose, type App, type Started } from "./compose.ts";
import { catalogueFaults, sourceFactories } from "./compose-sources.ts";
import { taskingFactories } from "./compose-tasking.ts";
import { systemClock } from "@swath/base/clock";
import { ConfigError, readConfig, type Settings } from "./platform/config/config.ts";
import { misspeltVariables } from "./platform/config/misspelt-variables.ts";
import { createLog, silentLog, type Log } from "@swath/base/log/log";
import { putMainThreadFirst } from "@swath/base/threads/put-main-thread-first";

export { checkConfiguredModel, type ModelCheck } from "./check-configured-model.ts";
export { rotateConfiguredKeys, type KeyRotation } from "./rotate-keys.ts";
export { recoverConfiguredUser, type Recovery } from "./recover-user.ts";
export { backUpConfigured } from "./make-backup.ts";
export { restoreConfigured } from "./restore-backup.ts";
export { verifyConfiguredLedger, type LedgerReport } from "./verify-ledger.ts";

export interface StartOptions {
  /** Settings that go before the environment, by the names of the configuration reference. */
  readonly settings?: Settings;
}

/** A running service; disposing stops it gracefully. */
export interface RunningService extends AsyncDisposable, Started {
  readonly log: Log;
  /** Reads the folder of models again; faults are logged. */
  reloadModels(): Promise<void>;
}

/**
 * Starts the service in this process and resolves when it answers.
 *
 * @throws {ConfigError} naming every fault of the configuration
 * @throws {FolderInUseError} when another service runs on the data folder
 */
export async function startService(options: StartOptions = {}): Promise<RunningService> {
  const factories = sourceFactories({ clock: systemClock, log: silentLog, db: null });
  const tasking = taskingFactories({ clock: systemClock, log: silentLog, db: null, passes: null, speed: 1 });
  const config = readConfig(options.settings, (catalog) => catalogueFaults(catalog, factories, tasking));
  const log = createLog(config.logLevel);
  for (const fault of misspeltVariables()) log.warn({}, fault);
  const app: App = await compose(config, log, options.settings);
  try {
    const started = await app.start();
    return {
      ...started,
      log,
      reloadModels: () => app.reloadModels(),
      [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
    };
  } catch (error) {
    await app[Symbol.asyncDispose]();
    throw error;
  }
}

/** Exit codes of a service process. */
export const EXIT = { clean: 0, failed: 1, configuration: 2 } as const;

/** Signal to read the folder of models again. */
const RELOAD = "SIGUSR2";

export interface RunOptions extends StartOptions {
  /** Stops the service as SIGTERM does. */
  readonly stop?: AbortSignal;
}

/**
 * Runs the service until SIGTERM or SIGINT and resolves with the exit code: 0 after a clean stop, 1 when it could
 * not start or broke, 2 when the configuration has faults. A second signal ends the process at once. SIGUSR2 reads the
 * folder of models again.
 */
export async function runService(options: RunOptions = {}): Promise<number> {
  const startedAtMs = performance.now();
  void putMainThreadFirst();
  const stop = new AbortController();
  let code: number = EXIT.clean;
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(EXIT.failed);
    stop.abort();
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  options.stop?.addEventListener("abort", () => stop.abort(), { once: true });
  try {
    await using service = await startService(options);
    const broken = (error: unknown): void => {
      service.log.error({ err: error }, "an error that nothing handled: the service stops");
      code = EXIT.failed;
      stop.abort();
    };
    process.on("uncaughtException", broken);
    process.on("unhandledRejection", broken);
    let reloading = Promise.resolve();
    const reload = (): void => {
      reloading = reloading.then(() => service.reloadModels());
    };
    // Windows has no such signal.
    if (process.platform !== "win32") process.on(RELOAD, reload);
    announce(service, performance.now() - startedAtMs);
    if (!stop.signal.aborted) await once(stop.signal, "abort");
    service.log.info({}, "the service stops");
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.message}\n`);
      return EXIT.configuration;
    }
    process.stderr.write(`swath could not start: ${messageOf(error)}\n`);
    return EXIT.failed;
  } finally {
    process.removeAllListeners(RELOAD);
    process.off("SIGTERM", onSignal);
    process.off("SIGINT", onSignal);
  }
  return code;
}

/** The message with those of its causes. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${messageOf(error.cause)}`;
}

function announce(service: RunningService, elapsedMs: number): void {
  const seconds = (elapsedMs / 1_000).toFixed(1);
  const where = service.url === null ? "works on pipelines" : `is ready at ${service.url}`;
  process.stdout.write(`swath ${where} (${seconds} s)\n`);
  for (const { role, user } of service.firstStart.users) {
    const password =
      user.generatedPassword === null ? "password as configured" : `password ${user.generatedPassword} (shown once)`;
    process.stdout.write(`  ${role}: ${user.email}, ${password}\n`);
  }
}

if (import.meta.main) process.exit(await runService());
