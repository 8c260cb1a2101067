import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { sql } from "kysely";
import type { FeasibilityWindow } from "@swath/contract/features/tasking/feasibility-contract";
import type { OrderParameters, PlacedOrder } from "@swath/contract/features/tasking/order-parameters";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import type { Caller } from "../../../platform/context.ts";
import { setPrice, testCaller } from "../../credits/testing.ts";
import {
  hoursFromNow,
  SPOTLIGHT,
  studyBench,
  type Answer,
  type Person,
  type StudyBench,
} from "../feasibility/testing.ts";
import { createOrder } from "../orders/create-order.ts";
import { quoteOrder } from "./quote-order.ts";

const CHECK = "/scene-tasking/check-credit";

let bench: StudyBench;
let ada: Person;

before(async () => {
  bench = await studyBench();
  ada = await bench.addUser("ada");
  await bench.grant(ada.groupId, 1_000_000);
});
after(() => bench[Symbol.asyncDispose]());

const soon = hoursFromNow(48, 216);

async function firstWindow(order: OrderParameters, person = ada): Promise<FeasibilityWindow> {
  const { status, body } = await bench.run("/scene-tasking/feasibility", { ...order, ...soon }, person);
  assert.equal(status, 200, JSON.stringify(body));
  const [window] = body.windows;
  assert.ok(window !== undefined, `${order.dataset} has no window`);
  return window;
}

async function check(order: PlacedOrder, person = ada): Promise<Answer> {
  return await bench.post(CHECK, order, person);
}

const callerOf = ({ userId, groupId }: Person): Caller => testCaller({ userId, groupId });

test("25 km2 of the archive's 0.1 credits cost 2.5 as flexible and 2.5 times as much as urgent order", async () => {
  const prices: Record<string, number> = {};
  for (const priority of ["flexible", "standard", "priority", "urgent"] as const) {
    prices[priority] = (await firstWindow({ ...SPOTLIGHT, priority })).price;
  }
  assert.deepEqual(prices, { flexible: 2.5, standard: 3.25, priority: 4.5, urgent: 6.25 });
});

test("price of the window, credit check and charge of an order are equal, whatever is ordered", async () => {
  const order = fc.record({
    dataset: fc.constantFrom("spotlight", "stripmap", "sliding_spotlight", "pleiades", "spot", "newsat"),
    sizeDeg: fc.double({ min: 0.001, max: 0.3, noNaN: true }),
    isPoint: fc.boolean(),
    microPerKm2: fc.bigInt({ min: 0n, max: 3_000_000n }),
    minAreaM2: fc.integer({ min: 0, max: 500_000_000 }),
  });
  await fc.assert(
    fc.asyncProperty(order, async ({ dataset, sizeDeg, isPoint, microPerKm2, minAreaM2 }) => {
      await setPrice(bench.db, dataset, microPerKm2, minAreaM2);
      const [lon, lat] = [103.5, 1.1];
      const ring = [
        [lon, lat],
        [lon + sizeDeg, lat],
        [lon + sizeDeg, lat + sizeDeg / 2],
        [lon, lat],
      ] as const;
      const geometry = isPoint
        ? ({ type: "Point", coordinates: [lon, lat] } as const)
        : ({ type: "Polygon", coordinates: [ring] } as const);
      const parameters = { ...SPOTLIGHT, dataset, geometry };
      const window = await firstWindow(parameters);
      const placed = { ...parameters, windowId: window.windowId };
      const { status, body } = await check(placed);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.cost, window.price);
      const row = await createOrder(bench.studies, callerOf(ada), placed);
      assert.deepEqual(
        [BigInt(row.price_micro), row.area_m2],
        [creditsToMicro(body.cost), Math.round(body.areaKm2 * 1e6)],
      );
      const { remainingCredit } = await bench.credits.remainingCredit(callerOf(ada));
      assert.equal(creditsToMicro(body.remainingCredit) - creditsToMicro(remainingCredit), creditsToMicro(body.cost));
    }),
    { numRuns: 12, endOnFailure: true },
  );
  await sql`delete from credit_price_rules`.execute(bench.db);
});

test("the window keeps its price when prices rise, and a new study has the new price", async () => {
  const window = await firstWindow(SPOTLIGHT);
  await setPrice(bench.db, "spotlight", 1_000_000n);
  assert.equal((await check({ ...SPOTLIGHT, windowId: window.windowId })).body.cost, 2.5);
  assert.equal((await firstWindow(SPOTLIGHT)).price, 25);
  await sql`delete from credit_price_rules`.execute(bench.db);
});

test("the price rule of a group goes before that of a tier", async () => {
  await sql`
    insert into credit_price_rules (id, dataset, tier, group_id, micro_per_km2, min_area_m2)
    values ('tier', 'spotlight', 'standard', null, 200000, 0)`.execute(bench.db);
  assert.equal((await firstWindow(SPOTLIGHT)).price, 5);
  await sql`
    insert into credit_price_rules (id, dataset, tier, group_id, micro_per_km2, min_area_m2)
    values ('group', 'spotlight', null, ${ada.groupId}, 300000, 0)`.execute(bench.db);
  assert.equal((await firstWindow(SPOTLIGHT)).price, 7.5);
  const other = await bench.addUser("other");
  assert.equal((await firstWindow(SPOTLIGHT, other)).price, 5);
  await sql`delete from credit_price_rules`.execute(bench.db);
});

test("the group of taskingAccounting pays; a window of before the change is refused", async () => {
  const field = await bench.addUser("field");
  const desk = await bench.addUser("desk");
  await bench.grant(field.groupId, 70);
  const earlier = await firstWindow(SPOTLIGHT, desk);
  await bench.db
    .updateTable("users")
    .set({ tasking_accounting: field.groupId })
    .where("id", "=", desk.userId)
    .execute();
  const stale = await check({ ...SPOTLIGHT, windowId: earlier.windowId }, desk);
  assert.deepEqual([stale.status, stale.body.error], [404, "NON-EXISTENT-WINDOW"]);
  const { windowId } = await firstWindow(SPOTLIGHT, desk);
  const { body } = await check({ ...SPOTLIGHT, windowId }, desk);
  assert.deepEqual([body.groupId, body.remainingCredit, body.cost], [field.groupId, 70, 2.5]);
});

test("an expired licence of the paying group is refused with 401", async () => {
  const late = await bench.addUser("late");
  const { windowId } = await firstWindow(SPOTLIGHT, late);
  await sql`update groups set license_expires_at = now() - interval '1 day' where id = ${late.groupId}`.execute(
    bench.db,
  );
  const { status, body } = await check({ ...SPOTLIGHT, windowId }, late);
  assert.deepEqual([status, body.error], [401, "LICENSE-EXPIRED"]);
});

test("an order that differs from its window is refused with the member", async () => {
  const { windowId } = await firstWindow({ ...SPOTLIGHT, priority: "standard" });
  const refusal = async (more: Partial<PlacedOrder>): Promise<string> => {
    const { status, body } = await check({ ...SPOTLIGHT, priority: "standard", windowId, ...more });
    return `${status} ${body.errorMessage}`;
  };
  assert.match(await refusal({ priority: "urgent" }), /^422 \/priority is urgent, expected standard of the window/);
  assert.match(await refusal({ dataset: "stripmap" }), /^422 \/dataset is stripmap, expected spotlight of the window/);
  const elsewhere = { type: "Point", coordinates: [103.86, 1.26] } as const;
  assert.match(await refusal({ geometry: elsewhere }), /^422 \/geometry differs from the geometry of the window/);
  assert.match(await refusal({ isFeasibility: true }), /^422 \/isFeasibility is true, expected false/);
  assert.match(await refusal({ windowId: randomUUID() }), /^404 \/windowId: there is no window/);
});

test("an expired window is refused with the time", async () => {
  const { windowId, expiresAt } = await firstWindow(SPOTLIGHT);
  const later = { ...bench.studies, clock: { now: () => new Date(Date.parse(expiresAt)) } };
  await assert.rejects(quoteOrder(later, callerOf(ada), { ...SPOTLIGHT, windowId }), {
    code: "NON-EXISTENT-WINDOW",
    message: `/windowId: the window expired at ${expiresAt}; ask for a new study`,
  });
});
