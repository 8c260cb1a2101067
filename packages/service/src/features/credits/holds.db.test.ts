import assert from "node:assert/strict";
import { test } from "node:test";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { sql } from "kysely";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createMapTypes } from "@swath/maps/registry";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Db, Trx } from "../../platform/context.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import type { Preallocation } from "./holds.ts";
import { createCreditsService, type CreditsService } from "./service.ts";
import { verifyLedger } from "./verify/verify-ledger.ts";
import { boxArea, boxPolygon, imageryOf, setPrice, testCaller, testScene } from "./testing.ts";

const mapTypes = createMapTypes([]);

const clock = { now: () => new Date("2026-03-01T12:00:00Z") };
const caller = testCaller();
const captured = testScene("captured");
const order: Preallocation = {
  caller,
  orderReferenceId: "order-1",
  provider: "ab",
  dataset: "spot",
  areaKm2: 50,
  micro: creditsToMicro(100),
};

function refused(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

interface World {
  readonly db: Db;
  readonly credits: CreditsService;
  readonly run: <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>;
  readonly remaining: () => Promise<number>;
}

async function world(credit: number, body: (world: World) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  const credits = createCreditsService({ areas: createAreas(), mapTypes, db, clock, imagery: imageryOf(captured) });
  await setPrice(db, "spot", 1_000_000n);
  await db.transaction().execute((trx) => credits.grant(trx, caller.groupId, creditsToMicro(credit), "start"));
  await body({
    db,
    credits,
    run: (work) => db.transaction().execute(work),
    remaining: async () => (await credits.remainingCredit(caller)).remainingCredit,
  });
  const report = await verifyLedger(db, AbortSignal.timeout(60_000));
  assert.deepEqual(report.differences, []);
}

/** The entries of an order: their kinds in order, and their sums. */
async function logOf(db: Db, orderReferenceId = "order-1") {
  const { rows } = await sql<{ kind: string; credit: number; km2: number }>`
    select kind, micro / 1000000 as credit, area_m2 / 1000000 as km2 from credit_transactions
    where order_reference_id = ${orderReferenceId} order by kind`.execute(db);
  return {
    kinds: rows.map(({ kind }) => kind),
    credit: rows.reduce((sum, row) => sum + row.credit, 0),
    km2: rows.reduce((sum, row) => sum + row.km2, 0),
  };
}

test("an order holds its price, pays what was captured, and holds nothing when it is over", async () => {
  await world(1000, async ({ db, credits, run, remaining }) => {
    const placed = await run((trx) => credits.preallocate(trx, order));
    assert.equal(placed.micro, creditsToMicro(100));
    assert.equal(await remaining(), 900);
    const { heldCredit, usedCredit, groupCredit } = await credits.userInfo(caller, undefined);
    assert.deepEqual([heldCredit, usedCredit, groupCredit], [100, 100, 900]);
    const settled = await run((trx) =>
      credits.updateHold(trx, {
        orderReferenceId: "order-1",
        areaKm2: 40,
        micro: creditsToMicro(80),
        sceneId: captured.scene.sceneId,
        geometry: boxArea([14, 50, 14.05, 50.05]),
      }),
    );
    assert.equal(settled.micro, creditsToMicro(-20));
    assert.equal(settled.hold.state, "settled");
    assert.equal(settled.hold.reservedMicro, 0n);
    assert.equal(await remaining(), 920);
    assert.equal((await credits.userInfo(caller, undefined)).heldCredit, 0);
    assert.deepEqual(await logOf(db), { kinds: ["credit.preallocate", "credit.update"], credit: 80, km2: 40 });

    const byOrder = (await credits.listUserTransactions(caller, { orderId: "order-1" })).results;
    assert.equal(byOrder.length, 2);
    assert.ok(byOrder.every(({ orderReferenceId }) => orderReferenceId === "order-1"));
    const [allocation] = (await credits.listAllocations(caller, {})).results;
    assert.equal(allocation?.id, settled.allocationId);
    assert.deepEqual(byOrder.find(({ kind }) => kind === "credit.update")?.allocations, [settled.allocationId]);

    // What was delivered is held: it is not paid for again, and only what is new costs.
    await credits.requireAllocated(caller, [captured.scene], boxArea([14.01, 50.01, 14.04, 50.04]));
    const quote = await credits.checkArea(caller, {
      sceneIds: [captured.scene.sceneId],
      geojson: boxPolygon([14, 50, 14.05, 50.05]),
    });
    assert.deepEqual(quote, { cost: 0, km2: 0 });
  });
});

test("every change may be repeated without a second effect", async () => {
  await world(1000, async ({ db, credits, run, remaining }) => {
    for (let round = 0; round < 3; round += 1) {
      const again = await run((trx) => credits.preallocate(trx, order));
      assert.equal(again.micro, round === 0 ? creditsToMicro(100) : 0n);
    }
    const update = {
      orderReferenceId: "order-1",
      areaKm2: 52,
      micro: creditsToMicro(104),
      sceneId: captured.scene.sceneId,
      tiles: [[1, 2]] as const,
      geometry: boxArea([14, 50, 14.05, 50.05]),
    };
    for (let round = 0; round < 3; round += 1) {
      const again = await run((trx) => credits.updateHold(trx, update));
      assert.equal(again.transactionId === null, round > 0);
    }
    assert.equal(await remaining(), 896);
    assert.deepEqual(await logOf(db), { kinds: ["credit.preallocate", "credit.update"], credit: 104, km2: 52 });
    const { results } = await credits.listAllocations(caller, {});
    assert.deepEqual(
      results.map(({ tiles }) => tiles),
      [[[1, 2]]],
    );

    const second = { ...order, orderReferenceId: "order-2" };
    await run((trx) => credits.preallocate(trx, second));
    for (let round = 0; round < 3; round += 1) {
      await run((trx) => credits.returnHold(trx, { orderReferenceId: "order-2" }));
    }
    assert.deepEqual(await logOf(db, "order-2"), { kinds: ["credit.preallocate", "credit.return"], credit: 0, km2: 0 });
    assert.equal(await remaining(), 896);
  });
});

test("captures above 105 % need consent, and credit that is there", async () => {
  await world(120, async ({ credits, run, remaining }) => {
    await run((trx) => credits.preallocate(trx, order));
    const update = { orderReferenceId: "order-1", areaKm2: 60, micro: creditsToMicro(105.000001) };
    await assert.rejects(
      run((trx) => credits.updateHold(trx, update)),
      refused("CREDITS-ERROR"),
    );
    assert.equal(await remaining(), 20);
    await run((trx) => credits.updateHold(trx, { ...update, hasConsent: true }));
    assert.equal(await remaining(), 14.999999);
    // The same again needs no consent: it changes nothing.
    await run((trx) => credits.updateHold(trx, update));
    await assert.rejects(
      run((trx) => credits.updateHold(trx, { ...update, micro: creditsToMicro(121), hasConsent: true })),
      refused("INSUFFICIENT-CREDIT"),
    );
    assert.equal(await remaining(), 14.999999);
  });
});

test("captures come one by one, and what is still held is returned in part", async () => {
  await world(1000, async ({ db, credits, run, remaining }) => {
    await run((trx) => credits.preallocate(trx, order));
    const first = await run((trx) =>
      credits.updateHold(trx, { orderReferenceId: "order-1", areaKm2: 10, micro: creditsToMicro(20), isFinal: false }),
    );
    assert.deepEqual([first.micro, first.transactionId, first.hold.state], [0n, null, "held"]);
    assert.equal(first.hold.reservedMicro, creditsToMicro(80));
    assert.equal(await remaining(), 900);
    const ended = await run((trx) => credits.returnHold(trx, { orderReferenceId: "order-1", fraction: 0.25 }));
    assert.equal(ended.micro, creditsToMicro(-20));
    assert.equal(ended.hold.settledMicro, creditsToMicro(80));
    assert.deepEqual(await logOf(db), { kinds: ["credit.preallocate", "credit.return"], credit: 80, km2: 40 });
    assert.equal(await remaining(), 920);
    await assert.rejects(
      run((trx) => credits.updateHold(trx, { orderReferenceId: "order-1", areaKm2: 1, micro: 1n })),
      refused("ILLEGAL-STATE-TRANSITION"),
    );
  });
});

test("an order that does not exist, is settled, or holds other credit is refused", async () => {
  await world(1000, async ({ credits, run }) => {
    await assert.rejects(
      run((trx) => credits.returnHold(trx, { orderReferenceId: "none" })),
      refused("NON-EXISTENT-ORDER"),
    );
    await assert.rejects(
      run((trx) => credits.updateHold(trx, { orderReferenceId: "none", areaKm2: 1, micro: 1n })),
      refused("NON-EXISTENT-ORDER"),
    );
    await run((trx) => credits.preallocate(trx, order));
    for (const other of [
      { ...order, micro: 1n },
      { ...order, areaKm2: 1 },
      { ...order, caller: testCaller({ userId: "user-2" }) },
      { ...order, caller: testCaller({ groupId: "group-2" }) },
    ]) {
      await assert.rejects(
        run((trx) => credits.preallocate(trx, other)),
        refused("CONFLICT"),
      );
    }
    await run((trx) => credits.updateHold(trx, { orderReferenceId: "order-1", areaKm2: 50, micro: order.micro }));
    await assert.rejects(
      run((trx) => credits.returnHold(trx, { orderReferenceId: "order-1" })),
      refused("ILLEGAL-STATE-TRANSITION"),
    );
  });
});

test("nothing is held without credit, within a limit, a licence or a group", async () => {
  await world(99, async ({ db, credits, run }) => {
    await assert.rejects(
      run((trx) => credits.preallocate(trx, order)),
      refused("INSUFFICIENT-CREDIT"),
    );
    await run((trx) => credits.createAccount(trx, caller.groupId, caller.userId));
    await sql`update credit_users set limit_micro = 50000000`.execute(db);
    await assert.rejects(
      run((trx) => credits.preallocate(trx, { ...order, micro: creditsToMicro(60) })),
      refused("USER-CREDIT-LIMIT"),
    );
    await assert.rejects(
      run((trx) => credits.preallocate(trx, { ...order, caller: { userId: "u", groupId: "" } })),
      refused("NOT-AUTHORIZED"),
    );
    await sql`
      insert into groups (id, name, license_expires_at, created_at, updated_at)
      values (${caller.groupId}, 'g', '2026-03-01T12:00:00Z', now(), now())`.execute(db);
    await assert.rejects(
      run((trx) => credits.preallocate(trx, { ...order, micro: 1n })),
      refused("LICENSE-EXPIRED"),
    );
    const { rows } = await sql`select 1 from credit_holds`.execute(db);
    assert.equal(rows.length, 0);
  });
});

test("captures and returns of one order at once: one of them decides, and its credit moves once", async () => {
  await world(1000, async ({ db, credits, run, remaining }) => {
    await Promise.all(Array.from({ length: 4 }, () => run((trx) => credits.preallocate(trx, order))));
    assert.equal(await remaining(), 900);
    const capture = {
      orderReferenceId: "order-1",
      areaKm2: 40,
      micro: creditsToMicro(80),
      sceneId: captured.scene.sceneId,
      geometry: boxArea([14, 50, 14.05, 50.05]),
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        run((trx) =>
          index % 2 === 0 ? credits.updateHold(trx, capture) : credits.returnHold(trx, { orderReferenceId: "order-1" }),
        ),
      ),
    );
    const done = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    assert.equal(done.filter(({ transactionId }) => transactionId !== null).length, 1);
    assert.equal(done.length, 4);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") assert.ok(refused("ILLEGAL-STATE-TRANSITION")(outcome.reason));
    }
    const { credit } = await logOf(db);
    assert.equal(await remaining(), 1000 - credit);
    assert.ok(credit === 80 || credit === 0);
  });
});

test("orders and allocations at once never overdraw, and the log explains every balance", async () => {
  await world(300, async ({ db, credits, run }) => {
    const work = Array.from({ length: 24 }, async (_, index) => {
      const user = testCaller({ userId: `user-${index % 3}` });
      const orderReferenceId = `order-${index}`;
      if (index % 4 === 3) {
        const west = 14 + index * 0.004;
        return await credits.allocateArea(user, {
          sceneIds: [captured.scene.sceneId],
          geojson: boxPolygon([west, 50, west + 0.004, 50.1]),
        });
      }
      await run((trx) =>
        credits.preallocate(trx, { ...order, caller: user, orderReferenceId, micro: creditsToMicro(30) }),
      );
      if (index % 4 === 0) return await run((trx) => credits.returnHold(trx, { orderReferenceId, fraction: 0.5 }));
      return await run((trx) =>
        credits.updateHold(trx, { orderReferenceId, areaKm2: index, micro: creditsToMicro(index), hasConsent: true }),
      );
    });
    const outcomes = await Promise.allSettled(work);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected")
        assert.ok(refused("INSUFFICIENT-CREDIT")(outcome.reason), String(outcome.reason));
    }
    assert.ok(
      outcomes.some(({ status }) => status === "rejected") && outcomes.some(({ status }) => status === "fulfilled"),
    );
    const { rows } = await sql`
      select (select remaining_micro + used_micro from credit_groups) = (select sum(micro) from credit_grants) as granted,
        (select used_micro from credit_groups) = (select sum(micro) from credit_transactions) as logged,
        (select used_micro from credit_groups) = (select sum(used_micro) from credit_users) as users,
        (select remaining_micro from credit_groups) >= 0 as covered,
        not exists (
          select from credit_holds h where reserved_micro + settled_micro <> (
            select sum(micro) from credit_transactions t where t.order_reference_id = h.order_reference_id)) as orders`.execute(
      db,
    );
    assert.deepEqual(rows, [{ granted: true, logged: true, users: true, covered: true, orders: true }]);
  });
});
