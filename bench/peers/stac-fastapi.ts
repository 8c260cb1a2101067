import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { MultiPolygon, Polygon } from "@swath/kernel/geometry/geojson";
import { freePort } from "@swath/base/processes/free-port";

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

export interface StacItem {
  readonly id: string;
  readonly geometry: Polygon | MultiPolygon;
}

export interface StacPage {
  readonly features: readonly StacItem[];
  readonly links: readonly { readonly rel: string; readonly href: string; readonly body?: unknown }[];
}

/** Fills a database of a superuser with collections and items, as `pypgstac` does it. */
export async function fillPgstac(
  python: string,
  databaseUrl: string,
  rows: { readonly collections: Iterable<unknown>; readonly items: Iterable<unknown> },
): Promise<void> {
  const run = (...args: readonly string[]): void => {
    const all = ["-c", "from pypgstac.pypgstac import cli; cli()", "--dsn", databaseUrl, ...args];
    const { status, stderr, stdout } = spawnSync(python, all, { encoding: "utf8" });
    if (status !== 0) throw new Error(`pypgstac ${args.join(" ")} failed: ${stderr.slice(-2000)}${stdout.slice(-500)}`);
  };
  const folder = await mkdtemp(join(tmpdir(), "swath-bench-stac-"));
  try {
    run("migrate");
    for (const [table, documents] of Object.entries(rows)) {
      const path = join(folder, `${table}.ndjson`);
      await pipeline(Readable.from(lines(documents)), createWriteStream(path));
      run("load", table, path);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function* lines(documents: Iterable<unknown>): Generator<string> {
  for (const one of documents) yield `${JSON.stringify(one)}\n`;
}

/** stac-fastapi-pgstac in processes of uvicorn, on a database that `fillPgstac` filled. */
export class StacFastapi implements AsyncDisposable {
  readonly baseUrl: string;
  readonly #child: ChildProcess;

  private constructor(baseUrl: string, child: ChildProcess) {
    this.baseUrl = baseUrl;
    this.#child = child;
  }

  static async start(python: string, databaseUrl: string, workers = 1): Promise<StacFastapi> {
    const { username, password, hostname, port, pathname } = new URL(databaseUrl);
    const listenPort = await freePort();
    const app = ["-m", "uvicorn", "stac_fastapi.pgstac.app:create_app", "--factory", "--log-level", "error"];
    const child = spawn(python, [...app, "--port", String(listenPort), "--workers", String(workers)], {
      env: {
        ...process.env,
        PGUSER: username,
        PGPASSWORD: password === "" ? "none" : password,
        PGHOST: hostname,
        PGPORT: port === "" ? "5432" : port,
        PGDATABASE: pathname.slice(1),
        PGSSLMODE: "disable",
        STAC_FASTAPI_TITLE: "peer",
        STAC_FASTAPI_DESCRIPTION: "peer",
        STAC_FASTAPI_LANDING_ID: "peer",
        STAC_FASTAPI_VERSION: "1",
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const peer = new StacFastapi(`http://127.0.0.1:${listenPort}`, child);
    const deadlineMs = performance.now() + START_TIMEOUT_MS;
    while ((await fetch(`${peer.baseUrl}/_mgmt/ping`).catch(() => null))?.ok !== true) {
      if (child.exitCode !== null) throw new Error(`stac-fastapi-pgstac ended with ${child.exitCode}`);
      if (performance.now() > deadlineMs) throw new Error("stac-fastapi-pgstac did not start within 60 s");
      await wait(POLL_MS);
    }
    return peer;
  }

  /** The items of the first page. */
  async search(request: unknown): Promise<readonly StacItem[]> {
    return (await this.page(`${this.baseUrl}/search`, request)).features;
  }

  async page(url: string, request: unknown): Promise<StacPage> {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    if (!response.ok) throw new Error(`stac-fastapi-pgstac answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as StacPage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill("SIGTERM");
    await once(this.#child, "exit");
  }
}
