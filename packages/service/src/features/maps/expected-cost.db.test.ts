import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { systemClock } from "@swath/base/clock";
import type { Caller } from "../../platform/context.ts";
import { lockPrices } from "../credits/administration-store.ts";
import { boxPolygon, setPrice, testScene } from "../credits/testing.ts";
import { verifyLedger } from "../credits/verify/verify-ledger.ts";
import { mapBench, type Answer, type MapBench } from "./testing.ts";

const LOCALS = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const sceneIds = LOCALS.map((local) => testScene(local).scene.sceneId);
const one = sceneIds[0] ?? "";
const extent = boxPolygon([14.05, 50.05, 14.15, 50.1]);
const START = 10_000;

interface World extends AsyncDisposable {
  readonly b: MapBench;
  readonly token: string;
  readonly caller: Caller;
}

/** A group with credit and scenes at 1 credit a square kilometre; at the end the log accounts for everything. */
async function world(): Promise<World> {
  const b = await mapBench(
    LOCALS.map((local) => testScene(local)),
    systemClock,
    () => true,
  );
  await setPrice(b.db, "spot", 1_000_000n);
  const { token, caller } = await b.addUser("payer@example.com", ["mapsvc", "credits", "imagery.images", "algorithms"]);
  await b.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, BigInt(START) * 1_000_000n, "start"));
  return {
    b,
    token,
    caller,
    async [Symbol.asyncDispose]() {
      const { differences } = await verifyLedger(b.db, AbortSignal.timeout(60_000));
      await b[Symbol.asyncDispose]();
      assert.deepEqual(differences, []);
    },
  };
}

async function priceOf({ b, token }: World, sceneId = one): Promise<number> {
  const { cost } = (await b.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: extent }, token)).json;
  assert.equal(typeof cost, "number");
  return cost;
}

function allocate({ b, token }: World, expectedCost: number, members: object = {}): Promise<Answer> {
  const request = { sceneIds: [one], geojson: extent, expectedCost, ...members };
  return b.post("/credits/area/allocate-geojson", request, token);
}

function release({ b, token }: World, members: object): Promise<Answer> {
  return b.run(
    "/mapsvc/release",
    { mapTypes: ["imagery"], sceneIds: [one], extent, allocate: true, ...members },
    token,
  );
}

async function remaining({ b, token }: World): Promise<number> {
  return (await b.post("/credits/get-remaining-credit", {}, token)).json.remainingCredit;
}

/** Entries of the log besides the grant, and pipelines. */
async function traces({ b }: World): Promise<{ readonly entries: number; readonly pipelines: number }> {
  const { rows } = await sql<{ entries: number; pipelines: number }>`
    select (select count(*) from credit_transactions)::int as entries,
      (select count(*) from pipelines)::int as pipelines`.execute(b.db);
  assert.ok(rows[0]);
  return rows[0];
}

/** Both prices of a refusal, credits. */
function pricesOf({ status, json, text }: Answer): { readonly expected: number; readonly actual: number } {
  assert.deepEqual([status, json.error], [409, "PRICE-CHANGED"], text);
  const [expected, actual] = json.details;
  assert.deepEqual([expected.path, actual.path], ["/expectedCost", "/cost"]);
  return { expected: Number(expected.message), actual: Number(actual.message) };
}

test("an allocation at the expected price charges it to the last digit", async () => {
  await using w = await world();
  const price = await priceOf(w);
  const { status, json } = await allocate(w, price);
  assert.deepEqual([status, json.cost], [200, price]);
  assert.equal(await remaining(w), json.remainingCredit);
});

test("an allocation at another price is refused with both prices, and charges nothing", async () => {
  await using w = await world();
  const price = await priceOf(w);
  await setPrice(w.b.db, "spot", 2_000_000n);
  const dearer = await priceOf(w);
  assert.notEqual(dearer, price);
  assert.deepEqual(pricesOf(await allocate(w, price)), { expected: price, actual: dearer });
  assert.deepEqual(pricesOf(await allocate(w, dearer + 0.000001)).actual, dearer);
  assert.deepEqual([await remaining(w), (await traces(w)).entries], [START, 0]);
  assert.equal((await allocate(w, dearer)).json.cost, dearer);
});

test("of equal allocations at once one is charged, and the others see that the area costs nothing now", async () => {
  await using w = await world();
  const price = await priceOf(w);
  const answers = await Promise.all(Array.from({ length: 4 }, () => allocate(w, price)));
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 3);
  for (const answer of refused) assert.deepEqual(pricesOf(answer), { expected: price, actual: 0 });
  assert.equal((await traces(w)).entries, 1);
});

test("a repeat with the same key gets the first answer, also when the price has changed", async () => {
  await using w = await world();
  const price = await priceOf(w);
  const key = { idempotencyKey: "order-7" };
  const first = await allocate(w, price, key);
  assert.equal(first.status, 200, first.text);
  await setPrice(w.b.db, "spot", 3_000_000n);
  assert.deepEqual((await allocate(w, price, key)).json, first.json);
  const other = await allocate(w, price + 1, key);
  assert.deepEqual([other.status, other.json.error], [409, "CONFLICT"]);
  assert.equal((await traces(w)).entries, 1);
});

test("while the price changes every allocation is charged its expected price or nothing", async () => {
  await using w = await world();
  const price = await priceOf(w);
  const [answers] = await Promise.all([
    Promise.all(sceneIds.map((sceneId) => allocate(w, price, { sceneIds: [sceneId] }))),
    setPrice(w.b.db, "spot", 2_000_000n),
  ]);
  let charged = 0;
  for (const answer of answers) {
    if (answer.status === 200) {
      assert.equal(answer.json.cost, price);
      charged += 1;
    } else {
      assert.equal(pricesOf(answer).expected, price);
    }
  }
  assert.ok(Math.abs((await remaining(w)) - (START - charged * price)) < 5e-7);
  assert.equal((await traces(w)).entries, charged);
});

test("a release at the expected price holds and charges it", async () => {
  await using w = await world();
  const price = await priceOf(w);
  const { json, text } = await release(w, { expectedCost: price });
  assert.deepEqual([json.payment?.heldCredits, json.payment?.chargedCredits], [price, price], text);
});

test("a release at another price is refused with both prices: nothing is held or queued", async () => {
  await using w = await world();
  const price = await priceOf(w);
  await setPrice(w.b.db, "spot", 2_000_000n);
  const refused = pricesOf(await release(w, { expectedCost: price }));
  assert.deepEqual(refused, { expected: price, actual: await priceOf(w) });
  assert.deepEqual([await traces(w), await remaining(w)], [{ entries: 0, pipelines: 0 }, START]);
});

test("a release of area that was paid for meanwhile costs nothing, which its caller has to expect", async () => {
  await using w = await world();
  const price = await priceOf(w);
  await allocate(w, price);
  assert.deepEqual(pricesOf(await release(w, { expectedCost: price })), { expected: price, actual: 0 });
  assert.equal((await release(w, { expectedCost: 0 })).json.payment.chargedCredits, 0);
});

/** Resolves when a statement waits for an advisory lock of this database. */
async function untilOneWaits({ b }: World): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(b.db);
    if (rows[0]?.waiting === 1) return;
  }
}

test("a price that changes between the quote of a release and its hold is refused with both, and holds nothing", async () => {
  await using w = await world();
  const price = await priceOf(w);
  const held = await w.b.db.transaction().execute(async (trx) => {
    await lockPrices(trx);
    // The release reads the old price, and waits for its hold until the change is in force.
    const answer = release(w, { expectedCost: price });
    await untilOneWaits(w);
    await sql`update credit_price_rules set micro_per_km2 = 2000000 where dataset = 'spot'`.execute(trx);
    return { answer };
  });
  assert.deepEqual(pricesOf(await held.answer), { expected: price, actual: await priceOf(w) });
  assert.notEqual(await priceOf(w), price);
  assert.deepEqual([await traces(w), await remaining(w)], [{ entries: 0, pipelines: 0 }, START]);
});

test("without an expected price the release holds and charges the price of its hold", async () => {
  await using w = await world();
  const held = await w.b.db.transaction().execute(async (trx) => {
    await lockPrices(trx);
    const answer = release(w, {});
    await untilOneWaits(w);
    await sql`update credit_price_rules set micro_per_km2 = 3000000 where dataset = 'spot'`.execute(trx);
    return { answer, price: await priceOf(w) };
  });
  const { json, text } = await held.answer;
  assert.ok(Math.abs(json.payment?.chargedCredits - 3 * held.price) < 1e-5, text);
  assert.equal(json.payment.heldCredits, json.payment.chargedCredits);
});

test("area that is paid for between the quote of a release and its hold is no longer in its price", async () => {
  await using w = await world();
  const price = await priceOf(w);
  const known = await w.b.credits.quoteRelease({
    caller: w.caller,
    scenes: [{ sceneId: one, mapTypes: ["imagery"] }],
    extent,
    known: {},
    expectedCost: price,
  });
  assert.equal((await allocate(w, price)).status, 200);
  const hold = w.b.db.transaction().execute((trx) => w.b.credits.holdRelease(trx, w.caller, "late-pipeline", known));
  await assert.rejects(hold, (error) => error instanceof ServiceError && error.details?.[1]?.message === "0.00");
  assert.equal((await traces(w)).entries, 1);
});

test("while its price changes a release is charged the expected price or nothing", async () => {
  await using w = await world();
  const price = await priceOf(w);
  const before = await remaining(w);
  const [answers] = await Promise.all([
    Promise.all(sceneIds.map((sceneId) => release(w, { sceneIds: [sceneId], expectedCost: price }))),
    setPrice(w.b.db, "spot", 2_000_000n),
  ]);
  let paid = 0;
  for (const answer of answers) {
    if (answer.status === 200) {
      assert.equal(answer.json.payment.chargedCredits, price, answer.text);
      paid += price;
      continue;
    }
    // The rule changes in place: after the hold of a release, its maps cost more than is held.
    if (answer.status === 424) assert.equal(answer.json.error, "CREDITS-ERROR", answer.text);
    else assert.equal(pricesOf(answer).expected, price);
  }
  assert.ok(Math.abs(before - paid - (await remaining(w))) < 1e-6);
});

test("an expected price without allocate, and one that is no price, are refused", async () => {
  await using w = await world();
  for (const members of [{ expectedCost: 1, allocate: false }, { expectedCost: -1 }, { expectedCost: 1e12 }]) {
    const { status, json } = await release(w, members);
    assert.deepEqual([status, json.error, json.details[0].path], [422, "VALIDATION-ERROR", "/expectedCost"]);
  }
  assert.equal((await allocate(w, -1)).status, 422);
  assert.deepEqual(await traces(w), { entries: 0, pipelines: 0 });
});
