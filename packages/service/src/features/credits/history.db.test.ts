import assert from "node:assert/strict";
import { test } from "node:test";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { sql } from "kysely";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Db } from "../../platform/context.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { creditHistoryContract } from "@swath/contract/features/credits/history-contract";
import { createMapTypes } from "@swath/maps/registry";
import { createCreditsService, type CreditsService } from "./service.ts";
import { boxPolygon, imageryOf, setPrice, testCaller, testScene } from "./testing.ts";

const mapTypes = createMapTypes([]);

const spot = testScene("one");
const tiled = testScene("tiled", { provider: "pl", dataset: "PSScene_tile", bounds: [14, 50, 14.2, 50.22] });
const one = testCaller();
const two = testCaller({ userId: "user-2" });
const stranger = testCaller({ userId: "user-3", groupId: "group-2" });

function refused(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

interface World {
  readonly db: Db;
  readonly credits: CreditsService;
  readonly setTime: (text: string) => void;
}

/** Eleven allocations of two users of one group, one of another group's; some at the same moment. */
async function withHistory(body: (world: World) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  let now = new Date("2026-03-01T12:00:00Z");
  const clock = { now: () => now };
  const setTime = (text: string): void => {
    now = new Date(text);
  };
  const catalog = createCatalog(providers.map((it) => (it.id === "ab" ? { ...it, aliases: ["spot-shop"] } : it)));
  const credits = createCreditsService({
    areas: createAreas(),
    mapTypes,
    db,
    clock,
    imagery: imageryOf(spot, tiled),
    catalog,
  });
  await setPrice(db, "spot", 1_000_000n);
  await db.transaction().execute(async (trx) => {
    await credits.grant(trx, one.groupId, creditsToMicro(1000), "start");
    await credits.grant(trx, stranger.groupId, creditsToMicro(1000), "start");
  });
  for (let index = 0; index < 10; index += 1) {
    const west = 14 + index * 0.01;
    if (index === 5) setTime("2026-03-02T12:00:00Z");
    await credits.allocateArea(index % 2 === 0 ? one : two, {
      sceneIds: [spot.scene.sceneId],
      geojson: boxPolygon([west, 50, west + 0.01, 50.01]),
    });
  }
  await credits.allocateArea(one, {
    sceneIds: [tiled.scene.sceneId],
    geojson: boxPolygon([14.01, 50.01, 14.02, 50.02]),
  });
  await credits.allocateArea(stranger, {
    sceneIds: [spot.scene.sceneId],
    geojson: boxPolygon([14, 50, 14.01, 50.01]),
  });
  await body({ db, credits, setTime });
}

test("pages of a list hold every row once, newest first, also of one moment", async () => {
  await withHistory(async ({ credits }) => {
    const all = await credits.listAllocations(one, {});
    assert.equal(all.results.length, 11);
    assert.equal(all.cursor, null);
    for (const limit of [1, 3, 4, 11]) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await credits.listAllocations(one, { limit, ...(cursor === undefined ? {} : { cursor }) });
        assert.ok(page.results.length <= limit);
        ids.push(...page.results.map(({ id }) => id));
        cursor = page.cursor ?? undefined;
      } while (cursor !== undefined);
      assert.deepEqual(
        ids,
        all.results.map(({ id }) => id),
      );
    }
    const times = all.results.map(({ creationTime }) => creationTime);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.equal(times[0], "2026-03-02 12:00:00");
  });
});

test("rows that are logged between two pages do not move those behind", async () => {
  await withHistory(async ({ credits, setTime }) => {
    const whole = (await credits.listGroupTransactions(one, {})).results.map(({ id }) => id);
    const first = await credits.listGroupTransactions(one, { limit: 5 });
    setTime("2026-03-03T00:00:00Z");
    await credits.allocateArea(one, {
      sceneIds: [spot.scene.sceneId],
      geojson: boxPolygon([14.1, 50.1, 14.11, 50.11]),
    });
    const rest = await credits.listGroupTransactions(one, { cursor: first.cursor ?? "" });
    assert.deepEqual(
      [...first.results, ...rest.results].map(({ id }) => id),
      whole,
    );
  });
});

test("entries that are asked for by an alias of their provider come back by that alias", async () => {
  await withHistory(async ({ credits }) => {
    const allocations = await credits.listAllocations(one, { provider: ["spot-shop"] });
    assert.deepEqual([...new Set(allocations.results.map(({ provider }) => provider))], ["spot-shop"]);
    assert.equal(allocations.results.length, 10);
    const both = await credits.listAllocations(one, { provider: ["spot-shop", "pl"] });
    assert.deepEqual(new Set(both.results.map(({ provider }) => provider)), new Set(["spot-shop", "pl"]));
    const log = await credits.listGroupTransactions(one, { provider: "spot-shop", limit: 3 });
    assert.deepEqual([...new Set(log.results.map(({ provider }) => provider))], ["spot-shop"]);
    const next = await credits.listGroupTransactions(one, { provider: "spot-shop", cursor: log.cursor ?? "" });
    assert.equal(next.results.length, 7);
    const own = await credits.listAllocations(one, { provider: ["ab"] });
    assert.deepEqual([...new Set(own.results.map(({ provider }) => provider))], ["ab"]);
  });
});

test("allocations are filtered by provider, dataset and time, half open", async () => {
  await withHistory(async ({ credits }) => {
    const count = async (filters: Parameters<CreditsService["listAllocations"]>[1]): Promise<number> =>
      (await credits.listAllocations(one, filters)).results.length;
    assert.equal(await count({ provider: ["ab"] }), 10);
    assert.equal(await count({ provider: ["pl", "ab"], dataset: ["PSScene_tile"] }), 1);
    assert.equal(await count({ dataset: [] }), 0);
    assert.equal(await count({ dataset: ["unknown"] }), 0);
    assert.equal(await count({ startDatetime: "2026-03-02 12:00:00" }), 6);
    assert.equal(await count({ endDatetime: "2026-03-02 12:00:00" }), 5);
    assert.equal(await count({ startDatetime: "2026-03-01 12:00:00", endDatetime: "2026-03-01 12:00:00" }), 0);
    await assert.rejects(
      credits.listAllocations(one, { startDatetime: "2026-03-02", endDatetime: "2026-03-01" }),
      refused("VALIDATION-ERROR"),
    );
    const [tiles] = (await credits.listAllocations(one, { provider: ["pl"] })).results;
    assert.deepEqual(tiles?.tiles, [[280, 1000]]);
    const [plain] = (await credits.listAllocations(one, { provider: ["ab"] })).results;
    assert.deepEqual(Object.keys(plain ?? {}).toSorted(), [
      "creationTime",
      "dataset",
      "groupId",
      "id",
      "provider",
      "sceneId",
    ]);
  });
});

test("allocations carry their areas when they are asked for, and a page of large ones ends early", async () => {
  await withHistory(async ({ credits, db }) => {
    const { results } = await credits.listAllocations(one, { sceneIds: [tiled.scene.sceneId], includeGeometry: true });
    assert.deepEqual(
      results.map(({ sceneId, geometry }) => [sceneId, geometry?.type, (geometry?.coordinates.length ?? 0) > 0]),
      [[tiled.scene.sceneId, "MultiPolygon", true]],
    );
    const plain = await credits.listAllocations(one, {});
    assert.ok(plain.results.every((row) => !("geometry" in row)));

    // Three areas of 3 MiB: a page of 4 MiB holds one of them.
    const point = [14.123456789, 50.123456789];
    const ring = JSON.stringify([[Array.from({ length: 100_000 }, () => point)]]);
    await sql`
      insert into credit_allocations (id, transaction_id, group_id, provider, dataset, scene_id, scene_key, geometry, created_at)
      select 'large ' || n, (select min(id) from credit_transactions), ${one.groupId}, 'ab', 'spot', 'large', 'large',
        json_build_object('type', 'MultiPolygon', 'coordinates', ${ring}::text::json)::jsonb, now()
      from generate_series(1, 3) n`.execute(db);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; cursor !== null; pages += 1) {
      assert.ok(pages < 4, "each page has a row");
      const page = await credits.listAllocations(one, {
        sceneIds: ["large"],
        includeGeometry: true,
        ...(cursor === undefined ? {} : { cursor }),
      });
      assert.equal(page.results.length, 1);
      seen.push(...page.results.map(({ id }) => id));
      ({ cursor } = page);
    }
    assert.deepEqual(seen, ["large 3", "large 2", "large 1"]);
  });
});

test("transactions carry what was charged and are filtered by all of their members", async () => {
  await withHistory(async ({ credits }) => {
    const list = async (filters: Parameters<CreditsService["listGroupTransactions"]>[1]) =>
      (await credits.listGroupTransactions(one, filters)).results;
    const all = await list({});
    assert.equal(all.length, 11);
    const [latest] = await list({ dataset: "spot", limit: 1 });
    assert.ok(latest !== undefined && latest.credit > 0 && latest.areaKm2 > 0);
    assert.equal(latest.credit, latest.areaKm2);
    assert.match(latest.time, /^2026-03-02 12:00:00$/u);
    assert.equal(latest.allocations?.length, 1);
    assert.equal((await list({ kind: "credit.allocate" })).length, 11);
    assert.equal((await list({ kind: "credit.return" })).length, 0);
    assert.equal((await list({ provider: "pl" })).length, 1);
    assert.equal((await list({ provider: "pl", dataset: "spot" })).length, 0);
    assert.equal((await list({ sceneIds: [tiled.scene.sceneId, "ab.spot.none"] })).length, 1);
    assert.equal((await list({ sceneIds: [] })).length, 0);
    assert.equal((await list({ orderId: "order-1" })).length, 0);
    assert.equal((await list({ startTime: "2026-03-02T12:00:00Z" })).length, 6);
    assert.equal((await list({ endTime: "2026-03-02T12:00:00Z" })).length, 5);
    assert.equal((await list({ startTime: "0000-01-01", endTime: "9999-12-31 23:59:59" })).length, 11);
    assert.equal((await list({ sceneIds: Array.from({ length: 1000 }, (_, index) => `ab.spot.${index}`) })).length, 0);
    const sum = all.reduce((total, { credit }) => total + creditsToMicro(credit), 0n);
    const { remainingCredit } = await credits.remainingCredit(one);
    assert.equal(creditsToMicro(1000) - sum, creditsToMicro(remainingCredit));
  });
});

test("a user's own list holds nothing of others, whatever the group", async () => {
  await withHistory(async ({ credits }) => {
    const mine = (await credits.listUserTransactions(two, {})).results;
    assert.equal(mine.length, 5);
    assert.ok(mine.every(({ userId, groupId }) => userId === "user-2" && groupId === "group-1"));
    assert.equal((await credits.listUserTransactions(two, { groupId: "group-2" })).results.length, 0);
    assert.equal((await credits.listUserTransactions(stranger, { groupId: "group-1" })).results.length, 0);
    assert.equal((await credits.listUserTransactions(two, { startTime: "2026-03-02" })).results.length, 3);
    const { cursor } = await credits.listUserTransactions(two, { limit: 2 });
    await assert.rejects(
      credits.listUserTransactions(one, { limit: 2, cursor: cursor ?? "" }),
      refused("INVALID-CURSOR"),
    );
    await assert.rejects(
      credits.listGroupTransactions(two, { limit: 2, cursor: cursor ?? "" }),
      refused("INVALID-CURSOR"),
    );
  });
});

test("another group's log is for its organization and for administrators", async () => {
  await withHistory(async ({ db, credits }) => {
    const ask = (permissions: readonly string[] = []) =>
      credits.listGroupTransactions({ ...stranger, permissions: new Set(permissions) }, { groupId: "group-1" });
    await assert.rejects(ask(), refused("NOT-AUTHORIZED"));
    await assert.rejects(ask(["organization"]), refused("NOT-AUTHORIZED"));
    await assert.rejects(
      credits.listGroupTransactions(stranger, { groupId: "no such group" }),
      refused("NOT-AUTHORIZED"),
    );
    assert.equal((await ask(["admin"])).results.length, 11);
    await sql`insert into organizations (id, name, created_at, updated_at) values ('o', 'o', now(), now())`.execute(db);
    await sql`
      insert into groups (id, name, organization_id, created_at, updated_at)
      values ('group-1', 'a', 'o', now(), now()), ('group-2', 'b', 'o', now(), now())`.execute(db);
    assert.equal((await ask()).results.length, 11);
    // A group without an organization is in none, not in one with all others.
    await sql`update groups set organization_id = null`.execute(db);
    await assert.rejects(ask(), refused("NOT-AUTHORIZED"));
  });
});

test("naming a group asks for more than the list itself", () => {
  const { listAllocations, listGroupTransactions, exportUsage } = creditHistoryContract;
  assert.deepEqual(listAllocations.dynamicPermissions?.({}), []);
  assert.deepEqual(listAllocations.dynamicPermissions?.({ groupId: "g" }), ["admin.credits.list-group-allocations"]);
  assert.deepEqual(listGroupTransactions.dynamicPermissions?.({ groupId: "g" }), [
    "organization.credits.list-group-transactions",
  ]);
  assert.deepEqual(exportUsage.dynamicPermissions?.({ groupId: "g" }), ["organization.credits.export-usage"]);
  for (const declaration of Object.values(creditHistoryContract)) {
    assert.equal(declaration.access, declaration.kind === "file" ? "public" : "user");
  }
});
