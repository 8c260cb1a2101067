import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "@swath/base/processes/free-port";

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** A virtual environment with titiler-pgstac, made on first use; null when the package index does not answer. */
export function titilerPgstacPython(): string | null {
  const folder = join(import.meta.dirname, "..", "tmp", "titiler-pgstac");
  const python = join(folder, "bin", "python");
  if (!existsSync(python)) {
    const packages = ["titiler.pgstac[psycopg-binary]==3.2.0", "pypgstac[psycopg]==0.10.0", "uvicorn"];
    spawnSync("python3", ["-m", "venv", folder], { stdio: "ignore" });
    spawnSync(python, ["-m", "pip", "install", "-q", ...packages], { stdio: "inherit" });
  }
  const { status } = spawnSync(python, ["-c", "import titiler.pgstac, pypgstac, uvicorn"], { stdio: "ignore" });
  return status === 0 ? python : null;
}

/** titiler-pgstac in processes of uvicorn, on a database that `fillPgstac` filled. */
export class TitilerPgstac implements AsyncDisposable {
  readonly baseUrl: string;
  readonly #child: ChildProcess;

  private constructor(baseUrl: string, child: ChildProcess) {
    this.baseUrl = baseUrl;
    this.#child = child;
  }

  static async start(python: string, databaseUrl: string, workers: number): Promise<TitilerPgstac> {
    const { username, password, hostname, port, pathname } = new URL(databaseUrl);
    const listenPort = await freePort();
    const app = ["-m", "uvicorn", "titiler.pgstac.main:app", "--log-level", "error"];
    const child = spawn(python, [...app, "--port", String(listenPort), "--workers", String(workers)], {
      env: {
        ...process.env,
        PGUSER: username,
        PGPASSWORD: password === "" ? "none" : password,
        PGHOST: hostname,
        PGPORT: port === "" ? "5432" : port,
        PGDATABASE: pathname.slice(1),
        // As its documentation advises for COGs: no side files, a cache of blocks, merged reads.
        GDAL_DISABLE_READDIR_ON_OPEN: "EMPTY_DIR",
        GDAL_CACHEMAX: "512",
        GDAL_INGESTED_BYTES_AT_OPEN: "32768",
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const peer = new TitilerPgstac(`http://127.0.0.1:${listenPort}`, child);
    const deadlineMs = performance.now() + START_TIMEOUT_MS;
    while ((await fetch(`${peer.baseUrl}/healthz`).catch(() => null))?.ok !== true) {
      if (child.exitCode !== null) throw new Error(`titiler-pgstac ended with ${child.exitCode}`);
      if (performance.now() > deadlineMs) throw new Error("titiler-pgstac did not start within 60 s");
      await wait(POLL_MS);
    }
    return peer;
  }

  /** Registers a search, newest items first. @returns its ID */
  async register(collection: string): Promise<string> {
    const answer = await fetch(`${this.baseUrl}/searches/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ collections: [collection], sortby: [{ field: "datetime", direction: "desc" }] }),
    });
    if (!answer.ok) throw new Error(`titiler-pgstac answered ${answer.status}: ${await answer.text()}`);
    const { id } = (await answer.json()) as { readonly id: string };
    return id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill("SIGTERM");
    await once(this.#child, "exit");
  }
}
