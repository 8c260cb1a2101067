import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@swath/base/processes/free-port";
import { fillDataFolder } from "./started-folder.ts";

export const ADMIN = { email: "admin@swath.example", password: "correct horse battery staple" } as const;
export const DEMO = { email: "demo@swath.example", password: "an orbit a day keeps clouds away" } as const;

const READY_POLL_MS = 20;
/** What a process prints when it answers, or, as a pure worker, when it takes pipelines. */
const READY = /^swath (is ready at|works on pipelines)/m;

const ROOT = join(import.meta.dirname, "..");

/** The environment without settings of the service, which must not reach a database or a folder of the caller. */
function environmentWithoutSettings(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith("SWATH_") && name !== "DATABASE_URL"));
}

/** The real service in a separate process with its data folder: started, killed, started again. */
export class ServiceProcess implements AsyncDisposable {
  readonly folder: string;
  readonly baseUrl: string;
  readonly #port: number;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #entry: string;
  #child: ChildProcess | null = null;
  #output = "";

  private constructor(folder: string, port: number, environment: Readonly<Record<string, string>>, root: string) {
    this.folder = folder;
    this.#entry = join(root, "packages", "cli", "src", "main.ts");
    this.#port = port;
    this.baseUrl = `http://127.0.0.1:${port}`;
    this.#environment = environment;
  }

  /** @param root folder of the sources to run */
  static async start(environment: Readonly<Record<string, string>> = {}, root: string = ROOT): Promise<ServiceProcess> {
    const folder = await mkdtemp(join(tmpdir(), "swath-e2e-"));
    if (root === ROOT) await fillDataFolder(folder, environment, (empty) => ServiceProcess.#startOnce(empty));
    const service = new ServiceProcess(folder, await freePort(), environment, root);
    await service.start();
    return service;
  }

  static async #startOnce(folder: string): Promise<void> {
    const service = new ServiceProcess(folder, await freePort(), {}, ROOT);
    await service.start();
    await service.stop();
  }

  /** Everything the process has printed so far. */
  get output(): string {
    return this.#output;
  }

  get isRunning(): boolean {
    return this.#child !== null && !hasEnded(this.#child);
  }

  /** Whether the process ended without `kill` and `stop`. */
  get hasEndedByItself(): boolean {
    return this.#child !== null && hasEnded(this.#child);
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error("the service is not running");
    return pid;
  }

  /** Resolves with the milliseconds from spawn until the process says that it is ready. */
  async start(): Promise<number> {
    const startedMs = performance.now();
    const child = spawn(process.execPath, [this.#entry, "serve"], {
      env: {
        ...environmentWithoutSettings(),
        SWATH_DATA: this.folder,
        SWATH_HOST: "127.0.0.1",
        SWATH_PORT: String(this.#port),
        SWATH_ADMIN_EMAIL: ADMIN.email,
        SWATH_ADMIN_PASSWORD: ADMIN.password,
        SWATH_DEMO_EMAIL: DEMO.email,
        SWATH_DEMO_PASSWORD: DEMO.password,
        SWATH_RATE_LIMIT: "off",
        SWATH_LOG_LEVEL: "warn",
        ...this.#environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    const collect = (chunk: Buffer): void => {
      this.#output += chunk.toString();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const earlierCharacters = this.#output.length;
    const deadlineMs = startedMs + 60_000;
    while (performance.now() < deadlineMs) {
      if (hasEnded(child)) {
        throw new Error(`the service ended with ${child.exitCode ?? child.signalCode}:\n${this.#output}`);
      }
      if (READY.test(this.#output.slice(earlierCharacters))) return performance.now() - startedMs;
      await sleep(READY_POLL_MS);
    }
    throw new Error(`no answer within 60 s:\n${this.#output}`);
  }

  /** Ends the process as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    if (hasEnded(child)) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  /** Asks the process to stop and resolves with its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (child === null) return null;
    this.#child = null;
    if (!hasEnded(child)) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    return child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
