import assert from "node:assert/strict";
import { test } from "node:test";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { createMapTypes } from "@swath/maps/registry";
import { sql } from "kysely";
import type { Db, Trx } from "../../../platform/context.ts";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import type { Preallocation } from "../holds.ts";
import { createCreditsService, type CreditsService } from "../service.ts";
import { boxArea, boxPolygon, imageryOf, setPrice, testCaller, testScene } from "../testing.ts";
import type { Check } from "./difference.ts";
import { createAreas } from "../../../platform/geometry/areas.ts";
import { replayLedger, verifyLedger } from "./verify-ledger.ts";

const mapTypes = createMapTypes([]);

const clock = { now: () => new Date("2026-03-01T12:00:00Z") };
const scenes = [testScene("one"), testScene("two"), testScene("free", { dataset: "free" })];
const idle = new AbortController().signal;

const order = (orderReferenceId: string): Preallocation => ({
  orderReferenceId,
  provider: "ab",
  dataset: "spot",
  areaKm2: 10,
  caller: testCaller(),
  micro: creditsToMicro(20),
});

/** A ledger with everything in it: overlaps, free scenes, repeats, orders in every state. */
async function fill(db: Db, credits: CreditsService): Promise<void> {
  const run = (work: (trx: Trx) => Promise<unknown>) => db.transaction().execute(work);
  await run((trx) => credits.grant(trx, "group-1", creditsToMicro(5000), "start"));
  await run((trx) => credits.grant(trx, "group-2", creditsToMicro(5000), "start"));
  const callers = [
    testCaller(),
    testCaller({ userId: "user-2" }),
    testCaller({ userId: "user-3", groupId: "group-2" }),
  ];
  for (let index = 0; index < 24; index += 1) {
    const west = 14 + ((index * 7) % 11) * 0.01;
    const south = 50 + ((index * 5) % 9) * 0.01;
    const bounds: Bounds = [west, south, west + 0.025, south + 0.015];
    const caller = callers[index % 3];
    const sceneId = scenes[Math.floor(index / 3) % scenes.length]?.scene.sceneId;
    assert.ok(caller !== undefined && sceneId !== undefined);
    await credits.allocateArea(caller, {
      sceneIds: [sceneId],
      geojson: boxPolygon(bounds),
      ...(index % 2 === 0 ? { idempotencyKey: `key-${index}` } : {}),
    });
  }
  for (const id of ["held", "settled", "returned"]) await run((trx) => credits.preallocate(trx, order(id)));
  await run((trx) =>
    credits.updateHold(trx, {
      orderReferenceId: "settled",
      areaKm2: 8,
      micro: creditsToMicro(16),
      sceneId: scenes[0]?.scene.sceneId ?? "",
      geometry: boxArea([14.15, 50.15, 14.19, 50.19]),
    }),
  );
  await run((trx) => credits.returnHold(trx, { orderReferenceId: "returned" }));
}

async function withLedger(body: (db: Db) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  const credits = createCreditsService({ areas: createAreas(), mapTypes, db, clock, imagery: imageryOf(...scenes) });
  await setPrice(db, "spot", 1_000_000n, 5_000_000);
  await fill(db, credits);
  await body(db);
}

test("a ledger that nobody has tampered with is proved", async () => {
  await withLedger(async (db) => {
    const { counts, differences } = await verifyLedger(db, idle);
    assert.deepEqual(differences, []);
    assert.equal(counts["groups"], 2);
    assert.equal(counts["users"], 3);
    assert.equal(counts["orders"], 3);
    assert.ok((counts["transactions"] ?? 0) > 20);
  });
});

/** What is done to the tables behind the service's back, and which check must find it. */
const CORRUPTIONS: readonly (readonly [check: Check, statement: string])[] = [
  ["group balance", "update credit_groups set remaining_micro = remaining_micro + 1 where group_id = 'group-1'"],
  ["group balance", "update credit_groups set used_micro = used_micro - 1 where group_id = 'group-2'"],
  ["group balance", "update credit_grants set micro = micro + 1000000 where group_id = 'group-1'"],
  ["group balance", "delete from credit_grants where group_id = 'group-2'"],
  ["user balance", "update credit_users set used_micro = used_micro + 5 where user_id = 'user-2'"],
  [
    "user balance",
    "update credit_transactions set user_id = 'user-2' where id = (select min(id) from credit_transactions where user_id = 'user-1' and micro > 0)",
  ],
  [
    "group balance",
    "update credit_transactions set micro = micro + 1 where id = (select min(id) from credit_transactions where kind = 'credit.allocate')",
  ],
  [
    "group balance",
    "insert into credit_transactions select 'double', kind, created_at, user_id, group_id, order_reference_id, provider, dataset, scene_id, area_m2, micro, allocation_ids, tiles, map_type from credit_transactions where micro > 0 and kind = 'credit.allocate' limit 1",
  ],
  [
    "transaction kind",
    "alter table credit_transactions drop constraint credit_transactions_kind_check; update credit_transactions set kind = 'credit.gift', order_reference_id = 'x' where id = (select min(id) from credit_transactions where kind = 'credit.allocate')",
  ],
  ["transaction and allocations", "delete from credit_allocations where id = (select min(id) from credit_allocations)"],
  [
    "transaction and allocations",
    "delete from credit_transactions where id = (select min(id) from credit_transactions where kind = 'credit.allocate')",
  ],
  [
    "transaction and allocations",
    "update credit_allocations set group_id = 'group-2' where id = (select min(id) from credit_allocations where group_id = 'group-1')",
  ],
  ["transaction and allocations", "delete from credit_coverage where group_id = 'group-2'"],
  ["coverage", "delete from credit_coverage_parts where id = (select min(id) from credit_coverage_parts)"],
  [
    "coverage",
    "update credit_coverage_parts set area_cm2 = area_cm2 + 1 where id = (select min(id) from credit_coverage_parts)",
  ],
  ["coverage", "update credit_coverage set area_cm2 = area_cm2 + 10000 where group_id = 'group-2'"],
  ["coverage", "update credit_coverage set billed_m2 = 0 where billed_m2 > 0"],
  ["coverage", "update credit_transactions set area_m2 = area_m2 + 1 where kind = 'credit.allocate' and area_m2 > 0"],
  [
    "coverage",
    "insert into credit_coverage_parts (coverage_id, extent, area_cm2, coordinates) select coverage_id, extent, area_cm2, coordinates from credit_coverage_parts limit 1",
  ],
  [
    "coverage",
    `update credit_allocations set geometry = '{"type":"MultiPolygon","coordinates":[[[[14,50],[14.001,50],[14.001,50.001],[14,50]]]]}' where group_id = 'group-2'`,
  ],
  ["order", "update credit_holds set settled_micro = settled_micro + 1 where state = 'settled'"],
  ["order", "update credit_holds set preallocated_micro = preallocated_micro + 1 where state = 'held'"],
  ["order", "delete from credit_holds where state = 'returned'"],
  ["order", "update credit_holds set returned_micro = returned_micro - 1 where state = 'returned'"],
  [
    "request",
    `update credit_requests set answer = jsonb_set(answer, '{transactionIds}', '["gone"]') where idempotency_key = 'key-0'`,
  ],
  [
    "request",
    "update credit_requests set answer = (select answer from credit_requests where idempotency_key = 'key-0') where idempotency_key = 'key-4'",
  ],
];

test("every kind of corruption is found by the check that names it", async () => {
  await withLedger(async (db) => {
    for (const [check, statement] of CORRUPTIONS) {
      const undone = new Error("undone");
      await assert.rejects(
        db.transaction().execute(async (trx) => {
          // Neither triggers nor foreign keys: what a broken disk or a hand in the tables could do.
          await sql`set local session_replication_role = replica`.execute(trx);
          await sql.raw(statement).execute(trx);
          const { found, differences } = await replayLedger(trx, idle);
          assert.ok(found[check] > 0, `${statement}: found ${JSON.stringify(found)}`);
          assert.ok(differences.some((one) => one.check === check && one.subject !== "" && one.message !== ""));
          throw undone;
        }),
        (error) => {
          if (error === undone) return true;
          throw error;
        },
      );
    }
    assert.deepEqual((await verifyLedger(db, idle)).differences, []);
  });
});
