import { spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import {
  findPostgresBinaries,
  systemBinaries,
  type PostgresBinaries,
} from "../../packages/service/src/platform/postgres/embedded/binaries.ts";
import { programEnvironment } from "../../packages/service/src/platform/postgres/embedded/cluster.ts";
import { chooseLaunch, giveTo, launchProgram } from "../../packages/service/src/platform/postgres/embedded/launch.ts";
import { freePort } from "@swath/base/processes/free-port";

const USER = "chaos";
const READY_WITHIN_MS = 120_000;
const POLL_MS = 20;

/** A database server with a separate cluster: of the distribution where it is installed, else the embedded one. */
export class PostgresServer implements AsyncDisposable {
  readonly url: string;
  /** Such as `postgres (PostgreSQL) 15.14`. */
  readonly version: string;
  readonly #binaries: PostgresBinaries;
  readonly #folder: string;
  readonly #port: number;
  #child: ChildProcess | null = null;

  private constructor(binaries: PostgresBinaries, folder: string, port: number) {
    this.#binaries = binaries;
    this.#folder = folder;
    this.#port = port;
    this.url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
    this.version = spawnSync(binaries.postgres, ["--version"], { encoding: "utf8" }).stdout.trim();
  }

  static async start(): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), "swath-chaos-postgres-"));
    await chmod(folder, 0o755);
    const server = new PostgresServer(systemBinaries() ?? findPostgresBinaries(folder), folder, await freePort());
    await server.#run(server.#binaries.initdb, [
      "-D",
      server.#data,
      "-U",
      USER,
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--locale=C",
    ]);
    await server.start();
    return server;
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error("the database server does not run");
    return pid;
  }

  /** Resolves when the server answers. */
  async start(): Promise<void> {
    const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "log_min_messages=warning"];
    const log = openSync(join(this.#folder, "log"), "a");
    const args = ["-D", this.#data, "-p", String(this.#port), ...settings.flatMap((setting) => ["-c", setting])];
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    while (performance.now() < deadlineMs) {
      if (this.#child === null || hasEnded(this.#child)) {
        // Connections of a killed server keep its memory for a moment, and the next server does not start meanwhile.
        this.#child = launchProgram(chooseLaunch(), this.#binaries.postgres, args, {
          stdio: ["ignore", log, log],
          cwd: this.#folder,
          env: programEnvironment(),
        });
      }
      if (await this.#answers()) {
        closeSync(log);
        return;
      }
      await sleep(POLL_MS);
    }
    throw new Error(`PostgreSQL does not answer: ${readFileSync(join(this.#folder, "log"), "utf8").slice(-2_000)}`);
  }

  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end("SIGINT");
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  async #end(signal: "SIGINT" | "SIGKILL"): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || hasEnded(child)) return;
    child.kill(signal);
    await once(child, "exit");
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const launch = chooseLaunch();
    giveTo(launch, this.#folder);
    const child = launchProgram(launch, program, args, {
      stdio: "ignore",
      cwd: this.#folder,
      env: programEnvironment(),
    });
    const [code] = await once(child, "exit");
    if (code !== 0 || !existsSync(this.#data)) throw new Error(`${program} ended with ${String(code)}`);
  }

  async #answers(): Promise<boolean> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
