import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { silentLog } from "@swath/base/log/log";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "./embedded-postgres.ts";
import { processIdentity } from "./process-identity.ts";

interface Folder extends AsyncDisposable {
  readonly path: string;
}

async function folder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), "swath-embedded-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

function start(dataFolder: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataFolder, log: silentLog, durable: false });
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

interface Said {
  readonly url?: string;
  readonly pid?: number;
  readonly adopted?: boolean;
  readonly refused?: string;
}

async function startProcess(dataFolder: string): Promise<{ child: ChildProcess; said: Said }> {
  const child = fork(join(import.meta.dirname, "embedded-service.fixture.ts"), [dataFolder]);
  const [said] = (await once(child, "message")) as [Said];
  return { child, said };
}

test("a cluster is created with a password of its own, stopped, and found again", async () => {
  await using data = await folder();
  const first = await start(data.path);
  await query(first.url, "create table kept (n int); insert into kept values (42)");
  const pid = first.pid;
  await first[Symbol.asyncDispose]();
  assert.equal(processIdentity(pid), null, "the server has ended");
  assert.equal((await stat(join(data.path, "postgres-password"))).mode & 0o777, 0o600);
  await using second = await start(data.path);
  assert.deepEqual(await query(second.url, "select n from kept"), [{ n: 42 }]);
  const stranger = new URL(second.url);
  stranger.password = "guess";
  await assert.rejects(query(stranger.href, "select 1"), /password authentication failed/u);
});

test("a second service on the folder is refused by name of the first and disturbs nothing", async () => {
  await using data = await folder();
  const { child, said } = await startProcess(data.path);
  await assert.rejects(start(data.path), (error) => {
    assert.ok(error instanceof Error);
    assert.match(error.message, new RegExp(`in use by the running process ${child.pid}`, "u"));
    assert.match(error.message, /DATABASE_URL/u);
    return true;
  });
  assert.deepEqual(await query(said.url ?? "", "select 1 as one"), [{ one: 1 }]);
  child.send("stop");
  await once(child, "exit");
});

test("after kill -9 of the service its server is taken over with what was committed", async () => {
  await using data = await folder();
  const { child, said } = await startProcess(data.path);
  await query(said.url ?? "", "create table kept (n int); insert into kept values (7)");
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.notEqual(processIdentity(said.pid ?? 0), null, "the server outlives the service");
  await using second = await start(data.path);
  assert.deepEqual([second.adopted, second.pid, second.url], [true, said.pid, said.url]);
  assert.deepEqual(await query(second.url, "select n from kept"), [{ n: 7 }]);
});

test("of several services that start at once after a kill one wins and the others are refused", async () => {
  await using data = await folder();
  const { child } = await startProcess(data.path);
  child.kill("SIGKILL");
  await once(child, "exit");
  const rivals = await Promise.all([startProcess(data.path), startProcess(data.path), startProcess(data.path)]);
  const winners = rivals.filter(({ said }) => said.url !== undefined);
  assert.equal(winners.length, 1);
  for (const { said } of rivals)
    assert.ok(said.url !== undefined || /in use by/u.test(said.refused ?? ""), said.refused ?? "said nothing");
  for (const { child: winner } of winners) {
    winner.send("stop");
    await once(winner, "exit");
  }
});

test("a server that dies is started again on the same port with what was committed", async () => {
  await using data = await folder();
  await using server = await startEmbeddedPostgres({ dataFolder: data.path, log: silentLog });
  await query(server.url, "create table kept (n int); insert into kept values (1)");
  const pid = server.pid;
  process.kill(pid, "SIGKILL");
  const until = performance.now() + 20_000;
  let rows: unknown[] = [];
  while (performance.now() < until) {
    try {
      rows = await query(server.url, "select n from kept");
      // The server may answer before its supervisor has noticed.
      if (server.pid !== pid) break;
    } catch {
      await pause(20);
    }
  }
  assert.deepEqual(rows, [{ n: 1 }]);
  assert.notEqual(server.pid, pid);
});

test("an interrupted creation is begun anew", async () => {
  await using data = await folder();
  await mkdir(join(data.path, "postgres.draft-4711", "base"), { recursive: true });
  await writeFile(join(data.path, "postgres.draft-4711", "PG_VERSION"), "18\n");
  await writeFile(join(data.path, "postgres-password"), "");
  await using server = await start(data.path);
  assert.deepEqual(await query(server.url, "select 1 as one"), [{ one: 1 }]);
  assert.deepEqual(
    (await readdir(data.path)).filter((name) => name.includes("draft")),
    [],
  );
});

test("a cluster of another major version is refused with what to do", async () => {
  await using data = await folder();
  await mkdir(join(data.path, "postgres"));
  await writeFile(join(data.path, "postgres", "PG_VERSION"), "14\n");
  await assert.rejects(start(data.path), /made by PostgreSQL 14 .* run swath backup/u);
  assert.equal(existsSync(join(data.path, "lock")), false, "the folder is not left locked");
});

test(
  "root without user namespaces runs the server as another user",
  { skip: process.getuid?.() !== 0 && "needs root" },
  async () => {
    await using data = await folder();
    // mkdtemp makes folders that only their owner can pass through; a data folder is usually passable.
    const dataFolder = join(data.path, "data");
    await using server = await startEmbeddedPostgres({
      dataFolder,
      log: silentLog,
      durable: false,
      launch: { kind: "user", uid: 65_534 },
    });
    const [row] = await query(server.url, "select current_setting('data_directory') as folder");
    assert.ok(typeof row === "object" && row !== null && "folder" in row && typeof row.folder === "string");
    const status = await readFile(`/proc/${server.pid}/status`, "utf8").catch(() => "Uid:\t65534");
    assert.match(status, /Uid:\t65534/u);
    assert.equal((await stat(row.folder)).uid, 65_534);
    // The folder that mkdtemp made is closed to others, so the cluster is under /var/lib.
    await rm(join(row.folder, ".."), { recursive: true, force: true });
  },
);
