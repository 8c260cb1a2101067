import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, type KyselyPlugin } from "kysely";
import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { pipelinesContract } from "@swath/contract/features/pipelines/contract";
import { DEFAULT_HTTP_CONFIG } from "../../http/http-config.ts";
import { createHttpServer } from "../../http/server.ts";
import { createIdentity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import { createPipelineService } from "../../platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "../../platform/queue/pipeline-signals.ts";
import { ampleStorage } from "../../platform/storage/testing.ts";
import { createAuditService } from "../audit/service.ts";
import { createUserService } from "../users/service.ts";
import { pipelinesHandlers } from "./handlers.ts";
import { createPipelineList } from "./list-pipelines.ts";

const PASSWORD = "correct horse battery";
const PATH = "/tasking/list-pipelines";
const RETENTION_DAYS = 30;

interface User {
  readonly userId: string;
  readonly groupId: string;
  readonly token: string;
}

const unused = () => Promise.reject(new Error("no pipelines are initiated here"));

async function bench() {
  const database = await testDatabase();
  const { db } = database;
  const clock = systemClock;
  const identity = createIdentity({ db, clock, config: TEST_IDENTITY });
  const users = createUserService({ db, clock, identity, audit: createAuditService({ db, clock }) });
  const signals = openPipelineSignals(database.url, silentLog);
  const queue = createPipelineService({ db, signals, retentionDays: RETENTION_DAYS });
  const list = createPipelineList({ db, retentionDays: RETENTION_DAYS });
  const server = await createHttpServer({
    storage: ampleStorage(),
    contract: { pipelines: pipelinesContract },
    handlers: { pipelines: pipelinesHandlers({ queue, list }) },
    db,
    identity,
    pipelines: { accept: unused, retrieve: unused },
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true },
    clock,
    log: silentLog,
  });
  const groupId = await db.transaction().execute((trx) => users.createGroup(trx, { name: "one", permissions: [] }));
  return {
    database,
    db,
    async addUser(name: string): Promise<User> {
      const email = `${name}@example.org`;
      const userId = await db
        .transaction()
        .execute((trx) => users.createUser(trx, { email, name, password: PASSWORD, groupIds: [groupId] }));
      const login = await identity.builtIn?.login({ username: email, password: PASSWORD, address: "::1" });
      if (login?.kind !== "granted") throw new Error(`${email} cannot log in`);
      return { userId, groupId, token: login.token };
    },
    async post(url: string, payload: object, user?: User) {
      const headers = user === undefined ? {} : { authorization: `Bearer ${user.token}` };
      const answer = await server.app.inject({ method: "POST", url, payload, headers });
      return { status: answer.statusCode, body: answer.json() };
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await signals[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

interface Stored {
  readonly status: string;
  readonly minutesAgo: number;
  readonly lane?: string;
  readonly kind?: string;
  readonly result?: string;
  readonly partial?: string;
  readonly error?: string;
  readonly progress?: string;
}

let made = 0;

async function store({ db }: TestDatabase, user: User, row: Stored): Promise<string> {
  made += 1;
  const id = `P${String(made).padStart(19, "0")}`;
  const ended = !["NEW", "PROCESSING"].includes(row.status);
  await sql`
    insert into pipelines (id, kind, lane, status, request, caller, user_id, group_id, base_url, result, partial,
      progress, error_code, error_message, created_at, modified_at, finished_at)
    values (${id}, ${row.kind ?? "/mapsvc/release/geojson"}, ${row.lane ?? "heavy"}, ${row.status}, '{}', '{}',
      ${user.userId}, ${user.groupId}, '', ${row.result ?? null}::json, ${row.partial ?? null}::json,
      ${row.progress ?? null}::json, ${row.error ?? null}, ${row.error === undefined ? null : "it is so"},
      now() - make_interval(mins => ${row.minutesAgo}::int), now(), ${ended ? sql`now()` : null})`.execute(db);
  return id;
}

test("pipelines are listed newest first, with operation, progress, times, cause and what there is of a result", async () => {
  await using here = await bench();
  const ada = await here.addUser("ada");
  const running = await store(here.database, ada, {
    status: "PROCESSING",
    minutesAgo: 5,
    progress: '{"message":"Analyzing","step":5}',
    partial: "{}",
  });
  const done = await store(here.database, ada, { status: "RESOLVED", minutesAgo: 1, result: "{}" });
  const dropped = await store(here.database, ada, { status: "RESOLVED", minutesAgo: 2 });
  const failed = await store(here.database, ada, { status: "FAILED", minutesAgo: 3, error: "TOO-LARGE" });
  const stopped = await store(here.database, ada, { status: "CANCELLED", minutesAgo: 4 });
  const waiting = await store(here.database, ada, { status: "NEW", minutesAgo: 0 });
  const { status, body } = await here.post(PATH, {}, ada);
  assert.equal(status, 200);
  assert.equal(body.cursor, null);
  assert.deepEqual(
    body.results.map((one: Record<string, unknown>) => [one["pipelineId"], one["status"], one["result"]]),
    [
      [waiting, "NEW", "pending"],
      [done, "RESOLVED", "available"],
      [dropped, "RESOLVED", "none"],
      [failed, "FAILED", "none"],
      [stopped, "FAILED", "none"],
      [running, "PROCESSING", "partial"],
    ],
  );
  const [, first, , third, fourth, last] = body.results;
  assert.equal(first.operation, "/mapsvc/release/geojson");
  assert.deepEqual(first.progress, { message: "Finalizing analysis", step: 6 });
  assert.ok(Date.parse(first.finished) > Date.parse(first.created));
  assert.deepEqual(third.error, { code: "TOO-LARGE", message: "it is so" });
  assert.equal(fourth.error.code, "PIPELINE-CANCELLED");
  assert.deepEqual(last.progress, { message: "Analyzing", step: 5 });
  assert.equal("finished" in last, false);
});

test("pipelines of others are never listed, also of the same group, and nothing without a token", async () => {
  await using here = await bench();
  const ada = await here.addUser("ada");
  const bob = await here.addUser("bob");
  const own = await store(here.database, ada, { status: "RESOLVED", minutesAgo: 1 });
  await store(here.database, bob, { status: "RESOLVED", minutesAgo: 1 });
  const { body } = await here.post(PATH, {}, ada);
  assert.deepEqual(
    body.results.map(({ pipelineId }: { pipelineId: string }) => pipelineId),
    [own],
  );
  assert.equal((await here.post(PATH, {})).status, 401);
});

test("a status selects, searches are listed when asked for, and parts of other pipelines never", async () => {
  await using here = await bench();
  const ada = await here.addUser("ada");
  const ids: Record<string, string> = {};
  for (const status of ["NEW", "PROCESSING", "RESOLVED", "CANCELLED"]) {
    ids[status] = await store(here.database, ada, { status, minutesAgo: 5 });
  }
  ids["FAILED"] = await store(here.database, ada, { status: "FAILED", minutesAgo: 5, error: "PROCESSING-ERROR" });
  ids["quick"] = await store(here.database, ada, { status: "RESOLVED", minutesAgo: 5, lane: "quick" });
  await store(here.database, ada, { status: "RESOLVED", minutesAgo: 5, lane: "parts" });
  const listed = async (request: object): Promise<string[]> => {
    const { body } = await here.post(PATH, request, ada);
    const found = new Set(body.results.map(({ pipelineId }: { pipelineId: string }) => pipelineId));
    return Object.keys(ids).filter((name) => found.has(ids[name]));
  };
  assert.deepEqual(await listed({ status: "PROCESSING" }), ["NEW", "PROCESSING"]);
  assert.deepEqual(await listed({ status: "RESOLVED" }), ["RESOLVED"]);
  assert.deepEqual(await listed({ status: "RESOLVED", includeQuick: true }), ["RESOLVED", "quick"]);
  assert.deepEqual(await listed({ status: "FAILED" }), ["CANCELLED", "FAILED"]);
  assert.equal((await here.post(PATH, { includeQuick: true }, ada)).body.results.length, 6);
  assert.equal((await here.post(PATH, { status: "CANCELLED" }, ada)).status, 422);
});

test("pages follow each other without gaps or repeats, also of pipelines of one instant", async () => {
  await using here = await bench();
  const ada = await here.addUser("ada");
  for (let i = 0; i < 20; i += 1) {
    const status = i % 3 === 0 ? "CANCELLED" : "RESOLVED";
    await store(here.database, ada, { status, minutesAgo: Math.floor(i / 4) });
  }
  await sql`update pipelines set created_at = date_trunc('minute', created_at)`.execute(here.db);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const request: object = cursor === null ? { limit: 3 } : { limit: 3, cursor };
    const { body } = await here.post(PATH, request, ada);
    assert.ok(body.results.length <= 3);
    seen.push(...body.results.map(({ created, pipelineId }: Record<string, string>) => `${created} ${pipelineId}`));
    cursor = body.cursor;
  } while (cursor !== null);
  assert.equal(new Set(seen).size, 20);
  assert.deepEqual(seen, seen.toSorted().toReversed());
  for (const wrong of ["x", "MTIz", Buffer.from("1.short").toString("base64url")]) {
    const answer = await here.post(PATH, { cursor: wrong }, ada);
    assert.equal(answer.body.error, "INVALID-CURSOR", wrong);
  }
});

test("the list of a user with 100,000 pipelines is one statement that reads a page of each status", async () => {
  await using here = await bench();
  const ada = await here.addUser("ada");
  await sql`
    insert into pipelines (id, kind, lane, status, request, caller, user_id, group_id, base_url, error_code, created_at,
      finished_at)
    select lpad(n::text, 20, 'Q'), '/k', 'heavy', case when n % 1000 = 0 then 'FAILED' else 'RESOLVED' end, '{}', '{}',
      ${ada.userId}, '', '', case when n % 1000 = 0 then 'PROCESSING-ERROR' end, now() - n * interval '1 second', now()
    from generate_series(1, 100000) n`.execute(here.db);
  await sql`analyze pipelines`.execute(here.db);
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await here.db.transaction().execute(async (trx) => {
    const read = async (): Promise<number> => {
      const { rows } = await sql<{ read: string }>`
        select idx_tup_fetch + seq_tup_read as read from pg_stat_xact_user_tables where relname = 'pipelines'`.execute(
        trx,
      );
      return Number(rows[0]?.read);
    };
    const before = await read();
    const list = createPipelineList({ db: trx.withPlugin(counting), retentionDays: RETENTION_DAYS });
    const newest = await list(ada.userId, { limit: 50 });
    assert.equal(newest.results.length, 50);
    assert.equal(statements, 1);
    assert.ok((await read()) - before <= 2 * 51, `${(await read()) - before} rows`);
    const between = await read();
    const failed = await list(ada.userId, { limit: 50, status: "FAILED" });
    assert.equal(failed.results.length, 50);
    assert.ok((await read()) - between <= 51, `${(await read()) - between} rows`);
  });
});
