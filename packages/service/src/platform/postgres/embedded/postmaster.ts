import { closeSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { sleep } from "@swath/base/concurrency/sleep";
import { programEnvironment, SUPERUSER, type Cluster } from "./cluster.ts";
import { launchProgram } from "./launch.ts";
import { processIdentity } from "./process-identity.ts";

/** A running server. */
export interface Postmaster {
  readonly pid: number;
  readonly identity: string;
  readonly port: number;
  /** Whether it was running already. */
  readonly adopted: boolean;
}

/** Recovery after a crash may have to replay up to `max_wal_size` of log. */
const READY_TIMEOUT_MS = 120_000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/** Waits until a server that is still running in the cluster folder answers, or null when there is none. */
export async function adoptPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const until = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < until) {
    const file = readPidFile(cluster.folder);
    if (file === null) return null;
    const identity = processIdentity(file.pid);
    if (identity === null) return null;
    const answer = file.port === null ? "not-ready" : await probe(cluster, file.port);
    if (answer === "ready") return { pid: file.pid, identity, port: file.port ?? 0, adopted: true };
    if (answer === "foreign") return null;
    await sleep(50);
  }
  throw new Error(`the PostgreSQL server running in ${cluster.folder} did not answer within ${READY_TIMEOUT_MS} ms`);
}

/** Starts a server; resolves when it answers. */
export async function startPostmaster(
  cluster: Cluster,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<Postmaster> {
  const logPath = join(cluster.folder, "server.log");
  if (sizeOf(logPath) > LOG_LIMIT_BYTES) rmSync(logPath, { force: true });
  // A file, not a pipe: a pipe would break the server when this process is killed.
  const log = openSync(logPath, "a", 0o600);
  const args = ["-D", cluster.folder, "-p", String(port)];
  for (const [name, value] of Object.entries(settings)) args.push("-c", `${name}=${value}`);
  // Detached: an interrupt typed at the terminal must reach the service only, which stops the server last.
  const child = launchProgram(cluster.launch, cluster.binaries.postgres, args, {
    stdio: ["ignore", log, log],
    detached: true,
    cwd: cluster.folder,
    env: programEnvironment(),
  });
  closeSync(log);
  let failure: string | null = null;
  child.once("error", (error) => (failure = error.message));
  child.once("exit", (code, signal) => (failure = `ended with ${String(code ?? signal)}`));
  child.unref();
  const pid = child.pid ?? 0;
  const until = performance.now() + READY_TIMEOUT_MS;
  for (let waitMs = 10; performance.now() < until; waitMs = Math.min(waitMs * 1.5, 200)) {
    await sleep(waitMs);
    if (failure !== null) throw new Error(`PostgreSQL ${String(failure)} while starting: ${tail(logPath)}`);
    if (readPidFile(cluster.folder)?.pid === pid && (await probe(cluster, port)) === "ready") {
      return { pid, identity: processIdentity(pid) ?? "unknown", port, adopted: false };
    }
  }
  throw new Error(`PostgreSQL did not answer within ${READY_TIMEOUT_MS} ms: ${tail(logPath)}`);
}

export function isRunning(postmaster: Postmaster): boolean {
  return processIdentity(postmaster.pid) === postmaster.identity;
}

/** Stops the server: connections are ended and everything is written out; harder when that takes too long. */
export async function stopPostmaster(postmaster: Postmaster, timeoutMs: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ["SIGINT", timeoutMs],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    if (!isRunning(postmaster)) return;
    try {
      process.kill(postmaster.pid, signal);
    } catch {
      return;
    }
    const until = performance.now() + patienceMs;
    while (performance.now() < until && isRunning(postmaster)) await sleep(10);
  }
}

interface PidFile {
  readonly pid: number;
  /** Null while the server has not written it yet. */
  readonly port: number | null;
}

function readPidFile(folder: string): PidFile | null {
  try {
    const lines = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, port: port > 0 ? port : null } : null;
  } catch {
    return null;
  }
}

/** `foreign`: something answers that is not the server of this cluster. */
async function probe(cluster: Cluster, port: number): Promise<"ready" | "not-ready" | "foreign"> {
  const client = new Client({
    host: "127.0.0.1",
    port,
    user: SUPERUSER,
    password: cluster.password,
    database: "postgres",
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ folder: string }>("select current_setting('data_directory') as folder");
    return rows[0]?.folder === cluster.folder ? "ready" : "foreign";
  } catch (error) {
    // 28P01: someone else's server on our port; everything else passes (refused, starting up, shutting down)
    return error instanceof Error && "code" in error && error.code === "28P01" ? "foreign" : "not-ready";
  } finally {
    await client.end().catch(() => {});
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

function tail(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(-2000).trim();
  } catch {
    return "(no log)";
  }
}
