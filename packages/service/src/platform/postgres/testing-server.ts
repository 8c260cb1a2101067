import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { sleep } from "@swath/base/concurrency/sleep";
import { silentLog } from "@swath/base/log/log";
import { startEmbeddedPostgres } from "./embedded/embedded-postgres.ts";
import { FolderInUseError } from "./embedded/folder-lock.ts";

/** A server that the caller uses until it leaves. */
export interface TestServer {
  /** Connection string of a database from which others can be created. */
  readonly url: string;
  readonly leave: () => Promise<void>;
}

/** Users hold it shared, the keeper takes it alone before it stops the server: nobody joins a stopping server. */
const PRESENCE_LOCK = 7_237_003;
const IDLE_STOP_MS = 30_000;
const START_TIMEOUT_MS = 60_000;

/**
 * Joins the embedded PostgreSQL server that the test processes of this user share, starting its keeper when
 * there is none. The keeper is a process of its own, so that the server outlives the test file that needed it
 * first; it stops the server and removes its files 30 s after the last user has left or died.
 */
export async function joinTestServer(): Promise<TestServer> {
  const folder = testServerFolder();
  const until = performance.now() + START_TIMEOUT_MS;
  for (let round = 0; performance.now() < until; round += 1) {
    const server = await tryJoin(folder);
    if (server !== null) return server;
    // A keeper that finds another one at work ends at once: asking again now and then costs little.
    if (round % 40 === 0) startKeeper(folder);
    await sleep(50);
  }
  throw new Error(`no test database server within ${START_TIMEOUT_MS} ms; see ${join(folder, "keeper.log")}`);
}

function testServerFolder(): string {
  // Not the user name: a container may run as a number without one.
  return join(tmpdir(), `swath-test-postgres-${process.getuid?.() ?? userInfo().username}`);
}

async function tryJoin(folder: string): Promise<TestServer | null> {
  const url = readUrl(folder);
  if (url === null) return null;
  const client = new Client({ connectionString: url, application_name: "swath test user" });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock_shared($1) as held", [
      PRESENCE_LOCK,
    ]);
    if (rows[0]?.held === true) return { url, leave: () => client.end() };
  } catch {
    // not started yet, or just stopped
  }
  await client.end().catch(() => {});
  return null;
}

function readUrl(folder: string): string | null {
  try {
    return readFileSync(join(folder, "url"), "utf8").trim() || null;
  } catch {
    return null;
  }
}

function startKeeper(folder: string): void {
  const keeper = spawn(process.execPath, [import.meta.filename, folder], {
    detached: true,
    stdio: "ignore",
    // The test runner's own variables would make the keeper report to it.
    env: {
      ...(process.platform === "win32" ? { SystemRoot: "C:\\Windows" } : {}),
      PATH: "/usr/local/bin:/usr/bin:/bin",
    },
  });
  keeper.unref();
}

/** The keeper's life: start, publish the address, wait until nobody has used the server for a while, stop. */
async function keep(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const urlPath = join(folder, "url");
  await using server = await startEmbeddedPostgres({
    dataFolder: folder,
    log: silentLog,
    durable: false,
    settings: { max_connections: "200", shared_buffers: "64MB" },
  });
  const client = new Client({ connectionString: server.url });
  client.on("error", () => {});
  await client.connect();
  writeFileSync(`${urlPath}.draft`, server.url, { mode: 0o600 });
  renameSync(`${urlPath}.draft`, urlPath);
  for (let idleMs = 0; idleMs < IDLE_STOP_MS;) {
    await sleep(1_000);
    const { rows } = await client.query<{ users: number }>(
      "select count(*)::int as users from pg_locks where locktype = 'advisory' and objid = $1 and mode = 'ShareLock'",
      [PRESENCE_LOCK],
    );
    idleMs = rows[0]?.users === 0 ? idleMs + 1_000 : 0;
    if (idleMs >= IDLE_STOP_MS) {
      const alone = await client.query<{ held: boolean }>("select pg_try_advisory_lock($1) as held", [PRESENCE_LOCK]);
      if (alone.rows[0]?.held !== true) idleMs = 0;
    }
  }
  rmSync(urlPath, { force: true });
  await client.end();
}

async function runKeeper(folder: string): Promise<void> {
  try {
    await keep(folder);
    // Test data is worth nothing once the server has stopped; what is left of a crash is not trusted either.
    if (!existsSync(join(folder, "lock"))) rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (error instanceof FolderInUseError) return;
    writeFileSync(join(folder, "keeper.log"), error instanceof Error ? (error.stack ?? error.message) : String(error));
    rmSync(join(folder, "postgres"), { recursive: true, force: true });
    process.exitCode = 1;
  }
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (folder !== undefined) await runKeeper(folder);
}
