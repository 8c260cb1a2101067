import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { test } from "node:test";
import { sql } from "kysely";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Db } from "../../platform/context.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { testCaller } from "./testing.ts";
import { createUsageExporter, type UsageAddress, type UsageExporter } from "./usage-export.ts";

const caller = testCaller();
const ROWS = 2345;

function refused(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

interface World {
  readonly db: Db;
  readonly usage: UsageExporter;
  readonly setTime: (text: string) => void;
}

/** A group with more rows than a page has, three to a second, and another group. */
async function world(body: (world: World) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  let now = new Date("2026-03-02T00:00:00Z");
  await sql`
    insert into users (id, email, name, type, accounting, created_at, updated_at)
    values ('user-1', 'one@example.com', 'One', 'user', null, now(), now())`.execute(db);
  await sql`insert into credit_groups (group_id) values ('group-1'), ('group-2')`.execute(db);
  await sql`insert into credit_users (group_id, user_id) values ('group-1', 'user-1'), ('group-2', 'user-9')`.execute(
    db,
  );
  await sql`
    insert into credit_grants (id, group_id, micro, note, created_at)
    values ('1', 'group-1', 1000000000, 'n', now()), ('2', 'group-2', 1000, 'n', now())`.execute(db);
  await sql`
    insert into credit_transactions
      (id, kind, created_at, user_id, group_id, provider, dataset, scene_id, area_m2, micro, allocation_ids)
    select 't' || lpad(n::text, 5, '0'), 'credit.allocate', timestamptz '2026-03-01Z' + (n / 3) * interval '1 second',
      'user-1', 'group-1', 'ab', 'spot', 'ab.spot.' || n, n * 1000, n * 10, array['a' || n]
    from generate_series(1, ${ROWS}::int) n`.execute(db);
  await sql`
    insert into credit_transactions (id, kind, created_at, user_id, group_id, area_m2, micro)
    values ('secret', 'credit.allocate', '2026-03-01Z', 'user-9', 'group-2', 1, 1)`.execute(db);
  const usage = createUsageExporter({ db, clock: { now: () => now }, signingKeys: () => [new Uint8Array(32).fill(7)] });
  await body({
    db,
    usage,
    setTime: (time) => {
      now = new Date(time);
    },
  });
}

function addressOf(url: string): UsageAddress & { readonly signature: string } {
  const query = new URL(url).searchParams;
  const value = (name: string): string => query.get(name) ?? "";
  return {
    groupId: value("groupId"),
    userId: value("userId"),
    from: Number(value("from")),
    to: Number(value("to")),
    expires: Number(value("expires")),
    signature: value("signature"),
  };
}

async function read(usage: UsageExporter, url: string): Promise<string[]> {
  const answer = await usage.file(addressOf(url));
  assert.equal(answer.status, 200);
  assert.ok(answer.body instanceof Readable);
  return (await text(answer.body)).split("\r\n");
}

test("the table holds every row of the group once, oldest first, with its header", async () => {
  await world(async ({ usage }) => {
    const { url, expires } = await usage.export(caller, {}, "http://127.0.0.1:8080");
    assert.equal(expires, "2026-03-02 01:00:00");
    const lines = await read(usage, url);
    assert.equal(
      lines[0],
      "time,transactionId,kind,groupId,userId,provider,dataset,sceneId,mapType,areaKm2,credit,orderReferenceId,allocationIds,storeTiles",
    );
    assert.equal(
      lines[1],
      "2026-03-01 00:00:00,t00001,credit.allocate,group-1,user-1,ab,spot,ab.spot.1,,0.001,0.00001,,a1,0",
    );
    assert.equal(lines.at(-1), "");
    const ids = lines.slice(1, -1).map((line) => line.split(",")[1]);
    assert.equal(ids.length, ROWS);
    assert.deepEqual(
      ids,
      ids.toSorted((a = "", b = "") => (a < b ? -1 : Number(a > b))),
    );
    assert.equal(new Set(ids).size, ROWS);
  });
});

test("a period is cut at its seconds, half open", async () => {
  await world(async ({ usage }) => {
    const period = { startTime: "2026-03-01 00:00:10", endTime: "2026-03-01 00:00:12" };
    const { url } = await usage.export(caller, period, "http://h");
    const lines = await read(usage, url);
    assert.deepEqual(
      lines.slice(1, -1).map((line) => line.slice(0, 19)),
      [
        ...Array.from({ length: 3 }, () => "2026-03-01 00:00:10"),
        ...Array.from({ length: 3 }, () => "2026-03-01 00:00:11"),
      ],
    );
  });
});

test("another group is for its organization; an address cannot be changed, outlived, or used when blocked", async () => {
  await world(async ({ db, usage, setTime }) => {
    await assert.rejects(usage.export(caller, { groupId: "group-2" }, "http://h"), refused("NOT-AUTHORIZED"));
    const admin = testCaller({ permissions: new Set(["admin"]) });
    const other = await usage.export(admin, { groupId: "group-2" }, "http://h");
    assert.equal((await read(usage, other.url)).length, 3);

    const { url } = await usage.export(caller, {}, "http://h");
    const address = addressOf(url);
    for (const forged of [
      { ...address, groupId: "group-2" },
      { ...address, userId: "user-9" },
      { ...address, from: address.from + 1 },
      { ...address, to: address.to + 1 },
      { ...address, expires: address.expires + 1 },
      { ...address, signature: "" },
      { ...address, signature: addressOf(other.url).signature },
    ]) {
      await assert.rejects(usage.file(forged), refused("NOT-AUTHORIZED"));
    }
    await sql`update users set blocked = true`.execute(db);
    await assert.rejects(usage.file(address), refused("NOT-AUTHORIZED"));
    await sql`update users set blocked = false`.execute(db);
    setTime("2026-03-02T01:00:00Z");
    await assert.rejects(usage.file(address), refused("NOT-AUTHORIZED"));
  });
});

test("a text that a spreadsheet would run is led by an apostrophe, a negative number is not", async () => {
  await world(async ({ db, usage }) => {
    await sql`insert into credit_groups (group_id) values ('=1+1')`.execute(db);
    await sql`insert into credit_users (group_id, user_id) values ('=1+1', '@user')`.execute(db);
    await sql`
      insert into credit_grants (id, group_id, micro, note, created_at) values ('3', '=1+1', 5000000, 'n', now())`.execute(
      db,
    );
    await sql`
      insert into credit_transactions (id, kind, created_at, user_id, group_id, order_reference_id, dataset, area_m2, micro)
      values ('+a', 'credit.preallocate', '2026-03-01Z', '@user', '=1+1', '-o', E'a"b,c\nd', 0, 2500000),
        ('+b', 'credit.return', '2026-03-01Z', '@user', '=1+1', '-o', null, 0, -1500000)`.execute(db);
    const owner = testCaller({ groupId: "=1+1" });
    const { url } = await usage.export(owner, {}, "http://h");
    const lines = await read(usage, url);
    const table = lines.slice(1).join("\r\n");
    assert.equal(
      table,
      "2026-03-01 00:00:00,'+a,credit.preallocate,'=1+1,'@user,,\"a\"\"b,c\nd\",,,0,2.5,'-o,,0\r\n" +
        "2026-03-01 00:00:00,'+b,credit.return,'=1+1,'@user,,,,,0,-1.5,'-o,,0\r\n",
    );
  });
});

test("a reader that goes away ends the reading", async () => {
  await world(async ({ usage }) => {
    const { url } = await usage.export(caller, {}, "http://h");
    const { body } = await usage.file(addressOf(url));
    assert.ok(body instanceof Readable);
    for await (const chunk of body) {
      assert.ok(String(chunk).startsWith("time,"));
      break;
    }
    assert.equal(body.destroyed, true);
  });
});
