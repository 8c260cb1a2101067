import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { freePort } from "@swath/base/processes/free-port";
import { Client } from "pg";
import { sleep } from "@swath/base/concurrency/sleep";
import type { Log } from "@swath/base/log/log";
import { openCluster, SUPERUSER, type Cluster } from "./cluster.ts";
import { FolderInUseError, lockFolder } from "./folder-lock.ts";
import type { Launch } from "./launch.ts";
import { adoptPostmaster, isRunning, startPostmaster, stopPostmaster, type Postmaster } from "./postmaster.ts";

/** The PostgreSQL server that the service runs for itself. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /** Connection string of the service's database. */
  readonly url: string;
  /** Process number of the server now running. */
  readonly pid: number;
  /** Whether the server of a killed predecessor was taken over. */
  readonly adopted: boolean;
}

export interface EmbeddedPostgresOptions {
  readonly dataFolder: string;
  readonly log: Log;
  /** Off only for throw-away data: the server then never waits for the disk. Default on. */
  readonly durable?: boolean;
  /** Server settings beyond or instead of the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How to run the programs; found by trying when absent. */
  readonly launch?: Launch;
}

const DATABASE = "swath";
/** Any number that no other advisory lock of the service uses. */
const LIFE_LOCK = 7_237_001;
const STOP_TIMEOUT_MS = 15_000;
const WATCH_INTERVAL_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

/**
 * A server with these settings idles at 30 to 40 MB. `io_method=sync` saves three worker processes, `jit=off`
 * saves 50 ms on the first search, `wal_level=minimal` makes bulk loads cheaper (nothing replicates from here).
 */
function serverSettings(cluster: Cluster, durable: boolean): Record<string, string> {
  return {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "80",
    shared_buffers: "128MB",
    effective_cache_size: "1GB",
    work_mem: "16MB",
    maintenance_work_mem: "128MB",
    max_wal_size: "1GB",
    min_wal_size: "80MB",
    wal_level: "minimal",
    max_wal_senders: "0",
    jit: "off",
    random_page_cost: "1.1",
    timezone: "UTC",
    log_timezone: "UTC",
    log_min_messages: "warning",
    log_checkpoints: "off",
    ...(cluster.binaries.major >= 18 ? { io_method: "sync" } : {}),
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
}

/**
 * Opens, or creates, the database of a data folder and keeps its server running until disposed.
 * A server left running by a killed predecessor is taken over with its warm cache.
 *
 * @throws {FolderInUseError} when another living service holds the folder
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options;
  const dataFolder = resolve(options.dataFolder);
  const lock = lockFolder(dataFolder);
  let postmaster: Postmaster | null = null;
  let life: Client | null = null;
  const stopping = new AbortController();
  try {
    const cluster = await openCluster(dataFolder, {
      durable,
      ...(options.launch === undefined ? {} : { launch: options.launch }),
    });
    const settings = { ...serverSettings(cluster, durable), ...options.settings };
    postmaster = (await adoptPostmaster(cluster)) ?? (await startOnFreePort(cluster, settings));
    const { port, adopted } = postmaster;
    const url = (database: string): string =>
      `postgres://${SUPERUSER}:${encodeURIComponent(cluster.password)}@127.0.0.1:${port}/${database}`;
    await createDatabase(url("postgres"));
    life = await holdLifeLock(url(DATABASE), dataFolder);

    const watch = async (): Promise<void> => {
      let backoffMs = 100;
      while (!stopping.signal.aborted) {
        await sleep(WATCH_INTERVAL_MS, stopping.signal);
        if (stopping.signal.aborted) return;
        if (postmaster !== null && isRunning(postmaster)) {
          backoffMs = 100;
          continue;
        }
        if (!existsSync(cluster.folder)) {
          log.error({ folder: cluster.folder }, "the database folder is gone; the database server is not restarted");
          return;
        }
        log.error({ port, backoffMs }, "the database server ended by itself; starting it again");
        try {
          postmaster = await startPostmaster(cluster, port, settings);
          await life?.end().catch(() => {});
          life = await holdLifeLock(url(DATABASE), dataFolder);
          log.info({ port, pid: postmaster.pid }, "the database server runs again");
        } catch (error) {
          log.error({ err: error, backoffMs }, "the database server did not start");
          await sleep(backoffMs, stopping.signal);
          backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
        }
      }
    };
    const watching = watch();
    log.info({ port, pid: postmaster.pid, adopted, launch: cluster.launch.kind }, "the database server runs");

    return {
      url: url(DATABASE),
      adopted,
      get pid() {
        return postmaster?.pid ?? 0;
      },
      async [Symbol.asyncDispose]() {
        stopping.abort();
        await watching;
        await life?.end().catch(() => {});
        if (postmaster !== null) await stopPostmaster(postmaster, STOP_TIMEOUT_MS);
        lock.release();
      },
    };
  } catch (error) {
    await life?.end().catch(() => {});
    // Another service's server must be left running.
    if (postmaster !== null && !(error instanceof FolderInUseError)) await stopPostmaster(postmaster, STOP_TIMEOUT_MS);
    lock.release();
    throw error;
  }
}

async function startOnFreePort(cluster: Cluster, settings: Readonly<Record<string, string>>): Promise<Postmaster> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startPostmaster(cluster, await freePort(), settings);
    } catch (error) {
      // The port may be taken between the choice and the start; processes of a killed server may need a moment to end.
      const message = error instanceof Error ? error.message : "";
      const passing = message.includes("could not bind") || message.includes("pre-existing shared memory");
      if (!passing || attempt === 5) throw error;
      await sleep(300 * attempt);
    }
  }
}

async function createDatabase(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const found = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/**
 * A session lock held as long as the service lives: it catches what the lock file cannot, two services that
 * judged the same stale file at the same instant. The server frees it as soon as the holder's socket closes.
 */
async function holdLifeLock(url: string, dataFolder: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: "swath life lock", keepAlive: true });
  client.on("error", () => {});
  await client.connect();
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock($1) as held", [LIFE_LOCK]);
    if (rows[0]?.held === true) return client;
    await sleep(100);
  }
  await client.end();
  throw new FolderInUseError(dataFolder, 0);
}
