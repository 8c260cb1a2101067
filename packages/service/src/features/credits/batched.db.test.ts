import assert from "node:assert/strict";
import { test } from "node:test";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createMapTypes } from "@swath/maps/registry";
import { createAreas } from "../../platform/geometry/areas.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createCreditsService } from "./service.ts";
import { boxPolygon, imageryOf, setPrice, testCaller, testScene } from "./testing.ts";
import { verifyLedger } from "./verify/verify-ledger.ts";

const mapTypes = createMapTypes([]);

const clock = { now: () => new Date("2026-03-01T12:00:00Z") };
const scenes = Array.from({ length: 6 }, (_, index) => testScene(`one of six ${index}`));
const geojson = boxPolygon([14, 50, 14.1, 50.1]);

test("requests of one group for several scenes at once are charged one after the other, as far as the credit goes", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const credits = createCreditsService({ areas: createAreas(), mapTypes, db, clock, imagery: imageryOf(...scenes) });
  await setPrice(db, "spot", 1_000_000n);
  const caller = testCaller();
  const sceneIds = scenes.map(({ scene }) => scene.sceneId);
  await db.transaction().execute((trx) => credits.grant(trx, caller.groupId, 1n, "to ask"));
  const { cost } = await credits.checkArea(caller, { sceneIds: sceneIds.slice(0, 1), geojson });
  await db
    .transaction()
    .execute((trx) => credits.grant(trx, caller.groupId, creditsToMicro(cost) * 4n, "for four of six"));

  const settled = await Promise.allSettled(
    sceneIds.map((sceneId) => credits.allocateArea(caller, { sceneIds: [sceneId], geojson })),
  );
  const left = settled.flatMap((one) =>
    one.status === "fulfilled" ? [creditsToMicro(one.value.remainingCredit)] : [],
  );
  assert.deepEqual(
    left.toSorted((a, b) => Number(b - a)),
    [3n, 2n, 1n, 0n].map((count) => creditsToMicro(cost) * count + 1n),
  );
  const refusals = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  assert.equal(refusals.length, 2);
  for (const error of refusals) assert.ok(error instanceof ServiceError && error.code === "INSUFFICIENT-CREDIT");
  assert.equal(creditsToMicro((await credits.remainingCredit(caller)).remainingCredit), 1n);
  assert.deepEqual((await verifyLedger(db, new AbortController().signal)).differences, []);
});

test("requests of several users of a group at once leave each as much as the limit of that user", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const credits = createCreditsService({ areas: createAreas(), mapTypes, db, clock, imagery: imageryOf(...scenes) });
  await setPrice(db, "spot", 1_000_000n);
  const [rich, poor] = [testCaller({ userId: "rich" }), testCaller({ userId: "poor" })];
  await db.transaction().execute(async (trx) => {
    await credits.grant(trx, rich.groupId, creditsToMicro(10_000), "for all");
    await credits.createAccount(trx, poor.groupId, poor.userId);
    await trx.updateTable("credit_users").set({ limit_micro: 0 }).where("user_id", "=", poor.userId).execute();
  });
  const settled = await Promise.allSettled(
    scenes.map(({ scene }, index) =>
      credits.allocateArea(index % 2 === 0 ? rich : poor, { sceneIds: [scene.sceneId], geojson }),
    ),
  );
  assert.deepEqual(
    settled.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled", "rejected"],
  );
  assert.equal((await credits.remainingCredit(poor)).remainingCredit, 0);
  assert.deepEqual((await verifyLedger(db, new AbortController().signal)).differences, []);
});

test("an idempotency key of several requests at once belongs to one of them", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const credits = createCreditsService({ areas: createAreas(), mapTypes, db, clock, imagery: imageryOf(...scenes) });
  await setPrice(db, "spot", 1_000_000n);
  const caller = testCaller();
  await db.transaction().execute((trx) => credits.grant(trx, caller.groupId, creditsToMicro(10_000), "for all"));
  const settled = await Promise.allSettled(
    scenes.map(({ scene }) =>
      credits.allocateArea(caller, { sceneIds: [scene.sceneId], geojson, idempotencyKey: "one key" }),
    ),
  );
  assert.equal(settled.filter(({ status }) => status === "fulfilled").length, 1);
  for (const one of settled) {
    if (one.status === "rejected") assert.ok(one.reason instanceof ServiceError && one.reason.code === "CONFLICT");
  }
  assert.deepEqual((await verifyLedger(db, new AbortController().signal)).differences, []);
});
