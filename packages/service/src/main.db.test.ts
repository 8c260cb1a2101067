import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { EXIT, startService } from "./main.ts";
import type { Caller } from "./platform/context.ts";
import { silentLog } from "@swath/base/log/log";
import { testDatabase } from "./platform/postgres/testing.ts";
import { createPipelineService } from "./platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "./platform/queue/pipeline-signals.ts";

const CALLER: Caller = { kind: "user", userId: "u", groupId: "g", email: "u@example.com", permissions: new Set() };

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "swath-main-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const quiet = { SWATH_PORT: "0", SWATH_LOG_LEVEL: "silent", SWATH_ADMIN_PASSWORD: "a", SWATH_DEMO_PASSWORD: "b" };

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function run(settings: Readonly<Record<string, string>>): {
  child: ChildProcess;
  ready: Promise<string>;
  ended: Promise<Ended>;
} {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts")], {
    env: { PATH: "/usr/bin:/bin", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ready = Promise.withResolvers<string>();
  const collect = (bytes: Buffer): void => {
    output += bytes.toString();
    const url = /ready at (\S+)/u.exec(output)?.[1];
    if (url !== undefined) ready.resolve(url);
  };
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  const ended = once(child, "close").then(([code]) => {
    ready.reject(new Error(output));
    return { code: typeof code === "number" ? code : null, output };
  });
  ready.promise.catch(() => {});
  return { child, ready: ready.promise, ended };
}

test("the first start prints generated passwords once, a second service is refused, SIGTERM ends cleanly", async () => {
  await using data = await temporaryFolder();
  const settings = { SWATH_DATA: data.path, SWATH_PORT: "0", SWATH_LOG_LEVEL: "warn" };
  const first = run(settings);
  const url = await first.ready;
  assert.equal((await fetch(`${url}/health`)).status, 200);
  const refused = await run(settings).ended;
  assert.equal(refused.code, EXIT.failed);
  assert.match(refused.output, new RegExp(`in use by the running process ${first.child.pid}`, "u"));
  first.child.kill("SIGTERM");
  const ended = await first.ended;
  assert.equal(ended.code, EXIT.clean, ended.output);
  assert.match(ended.output, /administrator: admin@swath\.local, password \S+ \(shown once\)/u);

  const again = run(settings);
  await again.ready;
  again.child.kill("SIGINT");
  const second = await again.ended;
  assert.equal(second.code, EXIT.clean, second.output);
  assert.doesNotMatch(second.output, /password/u);
});

test("a faulty configuration ends with code 2 and every fault", async () => {
  const { code, output } = await run({ SWATH_PORT: "x", SWATH_ROLES: "api" }).ended;
  assert.equal(code, EXIT.configuration);
  assert.match(output, /2 faults[\s\S]*SWATH_ROLES[\s\S]*SWATH_PORT/u);
});

test("a stopping service answers who waits and then refuses connections", async () => {
  await using database = await testDatabase();
  await using data = await temporaryFolder();
  await using signals = openPipelineSignals(database.url, silentLog);
  const pipelines = createPipelineService({ db: database.db, signals, retentionDays: 30 });
  const { pipelineId } = await database.db
    .transaction()
    .execute((trx) =>
      pipelines.enqueue(trx, { kind: "/nobody/runs/this", lane: "heavy", request: {}, caller: CALLER, baseUrl: "" }),
    );
  const service = await startService({ settings: { ...quiet, SWATH_DATA: data.path, DATABASE_URL: database.url } });
  const ask = (body: object): Promise<Response> =>
    fetch(`${service.url}/tasking/get-status`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  assert.equal((await ask({ pipelineId })).status, 200);
  const waiting = ask({ pipelineId, waitSeconds: 30 });
  // Another request that is answered proves that the waiting one, sent before it, has been received.
  await ask({ pipelineId });
  const stoppedAtMs = performance.now();
  await service[Symbol.asyncDispose]();
  const answer = await waiting;
  assert.equal(answer.status, 200);
  assert.ok(performance.now() - stoppedAtMs < 9_000);
  await assert.rejects(ask({ pipelineId }));
});

test("api and worker processes share one database, and a worker listens to nothing", async () => {
  await using database = await testDatabase();
  await using data = await temporaryFolder();
  const settings = { ...quiet, SWATH_DATA: data.path, DATABASE_URL: database.url };
  await using worker = await startService({ settings: { ...settings, SWATH_ROLES: "worker" } });
  await using api = await startService({ settings: { ...settings, SWATH_ROLES: "api" } });
  assert.equal(worker.url, null);
  assert.equal((await fetch(`${api.url}/health`)).status, 200);
  assert.deepEqual(
    api.firstStart.users.map(({ role, user }) => [role, user.generatedPassword]),
    [
      ["administrator", null],
      ["demonstration user", null],
    ],
  );
  assert.deepEqual(worker.firstStart.users, []);
});
