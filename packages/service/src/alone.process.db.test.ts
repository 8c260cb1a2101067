import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { silentLog } from "@swath/base/log/log";
import { startService } from "./main.ts";
import type { Caller } from "./platform/context.ts";
import { testDatabase } from "./platform/postgres/testing.ts";
import { createPipelineService } from "./platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "./platform/queue/pipeline-signals.ts";

const CALLER: Caller = { kind: "user", userId: "u", groupId: "g", email: "", permissions: new Set(["imagery"]) };
const KIND = "/imagery/search";

test("the service runs a search around which two processes died in a process with its own settings", async () => {
  await using database = await testDatabase();
  await using data = await mkdtempDisposable(join(tmpdir(), "swath-alone-"));
  await using signals = openPipelineSignals(database.url, silentLog);
  const queue = createPipelineService({ db: database.db, signals, retentionDays: 30 });
  const extent = {
    type: "Polygon",
    coordinates: [
      [
        [14, 50],
        [14.01, 50],
        [14.01, 50.01],
        [14, 50.01],
        [14, 50],
      ],
    ],
  };
  const request = { datasets: [{ provider: "local", dataset: "uploads" }], extent };
  const { pipelineId } = await queue.enqueue(database.db, {
    kind: KIND,
    lane: "quick",
    request,
    caller: CALLER,
    baseUrl: "",
  });
  await sql`update pipelines set status = 'PROCESSING', worker = 'dead', attempt = 2, deaths = 1`.execute(database.db);
  // The environment of the tests does not have the settings: the process receives them from this one.
  const settings = {
    SWATH_DATA: data.path,
    DATABASE_URL: database.url,
    SWATH_ROLES: "worker",
    SWATH_DEMO_USER: "off",
    SWATH_LOG_LEVEL: "silent",
  };
  await using service = await startService({ settings });
  assert.equal(service.url, null);
  assert.equal(await queue.waitFor(pipelineId, new AbortController().signal, 60_000), "RESOLVED");
  const result = await queue.retrieve({ kind: KIND, pipelineId, caller: CALLER });
  assert.ok(typeof result === "object" && result !== null && "results" in result);
  const { rows } = await sql`select attempt, deaths, failures from pipelines`.execute(database.db);
  assert.deepEqual(rows, [{ attempt: 3, deaths: 2, failures: 0 }]);
});
