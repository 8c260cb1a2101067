import assert from "node:assert/strict";
import { test } from "node:test";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { areaCost } from "@swath/kernel/credits/pricing";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { unionAll } from "@swath/kernel/geometry/clip";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { sql } from "kysely";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { createMapTypes } from "@swath/maps/registry";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Db } from "../../platform/context.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createCreditsService, type CreditsService } from "./service.ts";
import { boxArea, boxPolygon, imageryOf, setPrice, testCaller, testScene } from "./testing.ts";

const mapTypes = createMapTypes([]);

const clock = { now: () => new Date("2026-03-01T12:00:00Z") };
const PRICE = { microPerKm2: 2_500_000n, minAreaM2: 0 };
const scene = testScene("one");
const other = testScene("two", { bounds: [14.1, 50, 14.3, 50.2] });
const { sceneId } = scene.scene;
const caller = testCaller();

function refused(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof Error && "code" in error && error.code === code;
}

async function withCredits(
  credit: number,
  body: (credits: CreditsService, db: Db) => Promise<void>,
  imagery = imageryOf(scene, other),
): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  const credits = createCreditsService({ areas: createAreas(), mapTypes, db, clock, imagery });
  await setPrice(db, "spot", PRICE.microPerKm2);
  await db.transaction().execute((trx) => credits.grant(trx, caller.groupId, creditsToMicro(credit), "start"));
  await body(credits, db);
}

interface Balances {
  readonly remaining: bigint;
  readonly used: bigint;
  readonly granted: bigint;
  readonly logged: bigint;
  readonly users: bigint;
}

async function balances(db: Db): Promise<Balances> {
  const { rows } = await sql<Record<keyof Balances, string>>`
    select (select coalesce(sum(remaining_micro), 0) from credit_groups)::text as remaining,
      (select coalesce(sum(used_micro), 0) from credit_groups)::text as used,
      (select coalesce(sum(micro), 0) from credit_grants)::text as granted,
      (select coalesce(sum(micro), 0) from credit_transactions)::text as logged,
      (select coalesce(sum(used_micro), 0) from credit_users)::text as users`.execute(db);
  const row = rows[0];
  assert.ok(row);
  return {
    remaining: BigInt(row.remaining),
    used: BigInt(row.used),
    granted: BigInt(row.granted),
    logged: BigInt(row.logged),
    users: BigInt(row.users),
  };
}

async function assertBalanced(db: Db): Promise<Balances> {
  const sums = await balances(db);
  assert.equal(sums.remaining + sums.used, sums.granted);
  assert.equal(sums.used, sums.logged);
  assert.equal(sums.used, sums.users);
  assert.ok(sums.remaining >= 0n);
  return sums;
}

function boxM2(bounds: Bounds): number {
  return Math.round(areaKm2(boxArea(bounds)) * 1e6);
}

test("allocating charges exactly what the check said, and a second time nothing", async () => {
  await withCredits(10_000, async (credits, db) => {
    const request = { sceneIds: [sceneId], geojson: boxPolygon([14.05, 50.05, 14.15, 50.1]) };
    const quote = await credits.checkArea(caller, request);
    const areaM2 = boxM2([14.05, 50.05, 14.15, 50.1]);
    assert.equal(quote.km2, areaM2 / 1e6);
    assert.equal(quote.cost, Number(areaCost(areaM2, PRICE)) / 1e6);

    const first = await credits.allocateArea(caller, request);
    assert.equal(first.cost, quote.cost);
    assert.equal(first.km2, quote.km2);
    assert.equal(first.transactionIds.length, 1);
    assert.deepEqual(await credits.remainingCredit(caller), { remainingCredit: first.remainingCredit });
    assert.equal(creditsToMicro(first.remainingCredit), creditsToMicro(10_000) - creditsToMicro(first.cost));

    const again = await credits.allocateArea(caller, request);
    assert.deepEqual(again, { cost: 0, km2: 0, remainingCredit: first.remainingCredit, transactionIds: [] });
    assert.deepEqual(await credits.checkArea(caller, request), { cost: 0, km2: 0 });
    await assertBalanced(db);
  });
});

test("an area is cut to each scene's footprint and paid for in each", async () => {
  await withCredits(10_000, async (credits) => {
    const { km2 } = await credits.checkArea(caller, {
      sceneIds: [sceneId, other.scene.sceneId, sceneId],
      geojson: boxPolygon([14, 50, 14.2, 50.2]),
    });
    const expectedM2 = boxM2([14, 50, 14.2, 50.2]) + boxM2([14.1, 50, 14.2, 50.2]);
    assert.ok(Math.abs(km2 * 1e6 - expectedM2) <= 1);
  });
});

test("an area must meet every scene, stay below latitude 85 and name scenes that exist", async () => {
  await withCredits(10, async (credits) => {
    const geojson = boxPolygon([14.01, 50.01, 14.02, 50.02]);
    await assert.rejects(
      credits.checkArea(caller, { sceneIds: ["ab.spot.none"], geojson }),
      refused("NON-EXISTING-SCENE"),
    );
    await assert.rejects(
      credits.checkArea(caller, { sceneIds: [sceneId, other.scene.sceneId], geojson }),
      refused("EXTENT-HAS-NO-INTERSECTION"),
    );
    await assert.rejects(
      credits.allocateArea(caller, { sceneIds: [sceneId], geojson: boxPolygon([14, 50, 14.1, 85.01]) }),
      refused("VALIDATION-ERROR"),
    );
    await assert.rejects(
      credits.allocateArea(caller, { sceneIds: [sceneId], geojson: { type: "Point", coordinates: [14, 50] } }),
      refused("VALIDATION-ERROR"),
    );
  });
});

test("an area too detailed for its scenes is refused", async () => {
  await withCredits(10, async (credits) => {
    const ring = Array.from({ length: 60_000 }, (_, index): [number, number] => {
      const angle = (2 * Math.PI * index) / 59_999;
      return [14.1 + 0.01 * Math.cos(angle), 50.1 + 0.01 * Math.sin(angle)];
    });
    const first = ring[0] ?? [0, 0];
    const circle = (count: number) => ({ type: "Polygon" as const, coordinates: [[...ring.slice(0, count), first]] });
    await assert.rejects(
      credits.checkArea(caller, { sceneIds: [sceneId], geojson: circle(10_000) }),
      refused("VALIDATION-ERROR"),
    );
    await credits.checkArea(caller, { sceneIds: [sceneId], geojson: circle(2000) });
  });
});

test("a request with an idempotency key is answered the same again and refused when it differs", async () => {
  await withCredits(10_000, async (credits, db) => {
    const request = {
      sceneIds: [sceneId],
      geojson: boxPolygon([14.05, 50.05, 14.15, 50.1]),
      idempotencyKey: "key-1",
    };
    const first = await credits.allocateArea(caller, request);
    assert.deepEqual(await credits.allocateArea(caller, request), first);
    await assert.rejects(
      credits.allocateArea(caller, { ...request, geojson: boxPolygon([14, 50, 14.01, 50.01]) }),
      refused("CONFLICT"),
    );
    await assertBalanced(db);
  });
});

test("nothing is charged when the group's credit or the user's limit does not reach", async () => {
  await withCredits(10, async (credits, db) => {
    const request = { sceneIds: [sceneId], geojson: boxPolygon([14, 50, 14.2, 50.2]) };
    await assert.rejects(credits.allocateArea(caller, request), refused("INSUFFICIENT-CREDIT"));
    await db.transaction().execute(async (trx) => {
      await credits.createAccount(trx, caller.groupId, caller.userId);
      await sql`update credit_users set limit_micro = 1000000`.execute(trx);
    });
    const small = { sceneIds: [sceneId], geojson: boxPolygon([14, 50, 14.01, 50.01]) };
    await assert.rejects(credits.allocateArea(caller, small), refused("USER-CREDIT-LIMIT"));
    assert.deepEqual(await credits.remainingCredit(caller), { remainingCredit: 1 });
    const sums = await assertBalanced(db);
    assert.equal(sums.used, 0n);
  });
});

test("an expired licence allows neither check nor allocation", async () => {
  await withCredits(10, async (credits, db) => {
    await sql`
      insert into groups (id, name, license_expires_at, created_at, updated_at)
      values (${caller.groupId}, 'g', '2026-03-01T12:00:00Z', now(), now())`.execute(db);
    const request = { sceneIds: [sceneId], geojson: boxPolygon([14, 50, 14.01, 50.01]) };
    await assert.rejects(credits.checkArea(caller, request), refused("LICENSE-EXPIRED"));
    await assert.rejects(credits.allocateArea(caller, request), refused("LICENSE-EXPIRED"));
  });
});

test("another user's cost and credit need an administrator", async () => {
  await withCredits(10, async (credits, db) => {
    await sql`insert into groups (id, name, created_at, updated_at) values ('group-2', 'g', now(), now())`.execute(db);
    await sql`
      insert into users (id, email, name, type, accounting, created_at, updated_at)
      values ('user-2', 'two@example.com', 'Two', 'user', 'group-2', now(), now())`.execute(db);
    await assert.rejects(credits.userInfo(caller, "user-2"), refused("NOT-AUTHORIZED"));
    const geojson = boxPolygon([14, 50, 14.01, 50.01]);
    await assert.rejects(
      credits.checkArea(caller, { sceneIds: [sceneId], geojson, userId: "user-2" }),
      refused("NOT-AUTHORIZED"),
    );
    const admin = testCaller({ permissions: new Set(["admin"]) });
    assert.deepEqual(await credits.userInfo(admin, "user-2"), {
      id: "user-2",
      name: "Two",
      email: "two@example.com",
      groupId: "group-2",
      creditsTier: "standard",
      remainingCredit: 0,
      usedCredit: 0,
      heldCredit: 0,
      groupCredit: 0,
      creditLimit: null,
    });
    await assert.rejects(credits.userInfo(admin, "nobody"), refused("NON-EXISTENT-USER"));
  });
});

test("what is not allocated of a priced scene is refused with the missing area", async () => {
  await withCredits(10_000, async (credits) => {
    await credits.allocateArea(caller, { sceneIds: [sceneId], geojson: boxPolygon([14, 50, 14.1, 50.1]) });
    await credits.requireAllocated(caller, [scene.scene], boxArea([14.01, 50.01, 14.09, 50.1]));
    await assert.rejects(
      credits.requireAllocated(caller, [scene.scene], boxArea([14.05, 50, 14.15, 50.1])),
      (error: unknown) => {
        assert.ok(refused("CREDITS-ERROR")(error) && error instanceof Error);
        const missingKm2 = areaKm2(boxArea([14.1, 50, 14.15, 50.1]));
        assert.match(error.message, new RegExp(`^${missingKm2.toFixed(4).replace(".", "\\.")}\\d* km2`, "u"));
        return true;
      },
    );
    // Only what lies in the scene counts, and another group holds nothing.
    await credits.requireAllocated(caller, [scene.scene], boxArea([13, 50, 14.1, 50.1]));
    await assert.rejects(
      credits.requireAllocated(
        testCaller({ groupId: "group-2" }),
        [scene.scene],
        boxArea([14.01, 50.01, 14.02, 50.02]),
      ),
      refused("CREDITS-ERROR"),
    );
  });
});

test("free datasets and the demonstration area need no allocation and cost nothing", async () => {
  const free = testScene("free", { provider: "ee", dataset: "COPERNICUS/S2_HARMONIZED" });
  const demonstration = testScene("demo", { bounds: [153, -28, 154, -27] });
  await withCredits(
    1,
    async (credits, db) => {
      const area = boxArea([14, 50, 14.2, 50.2]);
      await credits.requireAllocated(caller, [free.scene], area);
      const answer = await credits.allocateArea(caller, { sceneIds: [free.scene.sceneId], geojson: area });
      assert.equal(answer.cost, 0);
      assert.ok(answer.km2 > 300);

      const inside = boxArea([153.0313, -27.5107, 153.2346, -27.3279]);
      await credits.requireAllocated(caller, [demonstration.scene], inside);
      const demo = await credits.allocateArea(caller, { sceneIds: [demonstration.scene.sceneId], geojson: inside });
      assert.equal(demo.cost, 0);
      await assert.rejects(
        credits.requireAllocated(caller, [demonstration.scene], boxArea([153.1, -27.4, 153.3, -27.35])),
        refused("CREDITS-ERROR"),
      );
      await assertBalanced(db);
    },
    imageryOf(free, demonstration),
  );
});

test("grants with a known id and changes of the log have no effect", async () => {
  await withCredits(5, async (credits, db) => {
    for (let round = 0; round < 2; round += 1) {
      await db.transaction().execute((trx) => credits.grant(trx, caller.groupId, 1_000_000n, "once", "grant-1"));
    }
    assert.deepEqual(await credits.remainingCredit(caller), { remainingCredit: 6 });
    await assert.rejects(sql`update credit_grants set micro = 0`.execute(db), /append-only/u);
    await assert.rejects(
      sql`delete from credit_transactions`.execute(db).then(() => sql`delete from credit_grants`.execute(db)),
      /append-only/u,
    );
  });
});

test("one request sent eight times at once is charged once, with a key and without", async () => {
  await withCredits(10_000, async (credits, db) => {
    const send = (request: Parameters<CreditsService["allocateArea"]>[1]) =>
      Promise.all(Array.from({ length: 8 }, () => credits.allocateArea(caller, request)));
    const keyed = await send({
      sceneIds: [sceneId, other.scene.sceneId],
      geojson: boxPolygon([14.1, 50.05, 14.15, 50.1]),
      idempotencyKey: "key-1",
    });
    for (const answer of keyed) assert.deepEqual(answer, keyed[0]);
    const plain = await send({ sceneIds: [sceneId], geojson: boxPolygon([14, 50, 14.05, 50.05]) });
    assert.equal(plain.filter(({ cost }) => cost > 0).length, 1);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from credit_transactions`.execute(db);
    assert.deepEqual(rows, [{ count: 3 }]);
    await assertBalanced(db);
  });
});

test("eight clients at once never overdraw, and pay exactly for the union of what they got", async () => {
  await withCredits(150, async (credits, db) => {
    // A fixed walk over overlapping boxes of both scenes.
    const jobs = Array.from({ length: 80 }, (_, index) => {
      const west = 14.1 + ((index * 7) % 17) * 0.005;
      const south = 50 + ((index * 5) % 23) * 0.007;
      return {
        client: index % 8,
        sceneId: index % 2 === 0 ? sceneId : other.scene.sceneId,
        bounds: [west, south, west + 0.02, south + 0.02] as const,
      };
    });
    const paid: (typeof jobs)[number][] = [];
    let refusals = 0;
    await Promise.all(
      Array.from({ length: 8 }, async (_, client) => {
        const user = testCaller({ userId: `user-${client}` });
        for (const job of jobs.filter((one) => one.client === client)) {
          try {
            await credits.allocateArea(user, { sceneIds: [job.sceneId], geojson: boxPolygon(job.bounds) });
            paid.push(job);
          } catch (error) {
            if (!refused("INSUFFICIENT-CREDIT")(error)) throw error;
            refusals += 1;
          }
        }
      }),
    );
    const sums = await assertBalanced(db);
    let expectedKm2 = 0;
    for (const id of [sceneId, other.scene.sceneId]) {
      expectedKm2 += areaKm2(
        unionAll(paid.filter((job) => job.sceneId === id).map(({ bounds }) => boxPolygon(bounds).coordinates)),
      );
    }
    const expectedMicro = expectedKm2 * Number(PRICE.microPerKm2);
    assert.ok(refusals > 0, "the credit must run out for the test to mean something");
    assert.ok(
      Math.abs(Number(sums.used) - expectedMicro) / expectedMicro < 1e-6,
      `${sums.used} against ${expectedMicro}`,
    );
  });
});
