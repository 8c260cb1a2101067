import assert from "node:assert/strict";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { silentLog } from "@swath/base/log/log";
import { startService } from "../main.ts";
import { freePort } from "@swath/base/processes/free-port";
import { testDatabase } from "../platform/postgres/testing.ts";
import { DatabaseProbe } from "../platform/storage/database-probe.ts";
import { ampleStorage } from "../platform/storage/testing.ts";
import { openOpsServer } from "./ops-server.ts";
import { EXPECTED_HEADERS } from "./testing.ts";
import { rawConnection } from "./traffic/raw-connection.ts";

const WITHIN_MS = 30_000;

interface Ready {
  readonly code: number;
  readonly status: string;
}

async function ready(url: string): Promise<Ready> {
  const answer = await fetch(`${url}/health/ready`);
  const { status } = (await answer.json()) as { readonly status: string };
  return { code: answer.status, status };
}

async function until(url: string, expected: Ready): Promise<void> {
  const deadlineMs = performance.now() + WITHIN_MS;
  for (;;) {
    const found = await ready(url);
    if (found.code === expected.code && found.status === expected.status) return;
    if (performance.now() > deadlineMs) assert.deepEqual(found, expected);
    await pause(100);
  }
}

test("a worker answers probes at the port for operators: not ready while blobs cannot be written, and live", async () => {
  await using database = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), "swath-ops-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const blobs = join(folder, "blobs");
  try {
    await using worker = await startService({
      settings: {
        DATABASE_URL: database.url,
        SWATH_DATA: folder,
        SWATH_ROLES: "worker",
        SWATH_OPS_PORT: String(port),
        SWATH_LOG_LEVEL: "silent",
      },
    });
    assert.equal(worker.url, null);
    assert.deepEqual(await ready(url), { code: 200, status: "ok" });
    await rename(blobs, `${blobs}-aside`);
    await writeFile(blobs, "a file where a folder must be");
    await until(url, { code: 503, status: "storage unavailable" });
    assert.equal((await fetch(`${url}/health/live`)).status, 200);
    await rm(blobs);
    await rename(`${blobs}-aside`, blobs);
    await until(url, { code: 200, status: "ok" });
    const nothing = await fetch(`${url}/catalog/list`, { method: "POST" });
    assert.equal(nothing.status, 404);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await assert.rejects(fetch(`${url}/health/live`), "the port is closed with the service");
});

test("every answer at the port for operators has the headers for browsers", async () => {
  await using database = await testDatabase();
  await using server = await openOpsServer(
    {
      database: new DatabaseProbe(database.db),
      storage: ampleStorage(),
      isStopping: () => false,
      metrics: { read: async () => [], token: "token of the metrics" },
      log: silentLog,
    },
    { host: "127.0.0.1", port: 0 },
  );
  for (const [path, status] of [
    ["/health/ready", 200],
    ["/health/live", 200],
    ["/metrics", 401],
    ["/nothing", 404],
    ["/%", 400],
  ] as const) {
    const answer = await fetch(`${server.url}${path}`);
    assert.equal(answer.status, status, path);
    for (const [name, value] of Object.entries(EXPECTED_HEADERS)) assert.equal(answer.headers.get(name), value, path);
  }
  using connection = await rawConnection(server.url);
  connection.write("NOT HTTP\r\n\r\n");
  const answer = await connection.closed();
  assert.match(answer, /^HTTP\/1\.1 400 /);
  for (const [name, value] of Object.entries(EXPECTED_HEADERS)) {
    assert.match(answer, new RegExp(`^${name}: ${value}\r$`, "m"));
  }
});
