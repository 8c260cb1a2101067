import assert from "node:assert/strict";
import { test } from "node:test";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { Polygon, Position } from "@swath/kernel/geometry/geojson";
import { sql } from "kysely";
import {
  actions,
  admin,
  administrationWorld,
  assertClose,
  box,
  boxKm2,
  refused,
  spot,
  user,
} from "./administration-testing.ts";
import { boxArea, boxPolygon, testCaller } from "./testing.ts";

test("a tier decides the price, a licence whether anything may be spent", async () => {
  await administrationWorld(async ({ db, credits, administration, setTime }) => {
    const spotRule = { provider: "ab", dataset: "spot" };
    await administration.createPriceRule(admin, { ...spotRule, creditsPerKm2: 1 });
    await administration.createPriceRule(admin, { ...spotRule, creditsTier: "gold", creditsPerKm2: 0.5 });
    await administration.grant(admin, { groupId: "group-1", credit: 100, note: "start" });
    const goldCost = Math.round(boxKm2 * 5e5) / 1e6;
    assert.equal((await credits.checkArea(user, box)).cost, boxKm2);
    assertClose((await credits.checkArea(user, { ...box, creditsTier: "gold" })).cost, goldCost);
    await sql`update credit_groups set tier = 'gold'`.execute(db);
    assertClose((await credits.checkArea(user, box)).cost, goldCost);
    assert.equal((await credits.userInfo(user, undefined)).creditsTier, "gold");

    await sql`
      update groups set license_starts_at = '2026-03-01T12:00:01Z', license_expires_at = '2026-03-01T12:00:02Z'`.execute(
      db,
    );
    for (const time of ["2026-03-01T12:00:00Z", "2026-03-01T12:00:02Z"]) {
      setTime(time);
      await assert.rejects(credits.allocateArea(user, box), refused("LICENSE-EXPIRED"));
      await assert.rejects(credits.checkArea(user, box), refused("LICENSE-EXPIRED"));
    }
    setTime("2026-03-01T12:00:01Z");
    assertClose((await credits.allocateArea(user, box)).cost, goldCost);
  });
});

test("a price of a group is charged to that group only, and wins over every other price of it", async () => {
  await administrationWorld(async ({ db, credits, administration, audit }) => {
    const other = testCaller({ userId: "user-2", groupId: "group-2" });
    for (const groupId of ["group-1", "group-2"]) {
      await administration.grant(admin, { groupId, credit: 1000, note: "start" });
    }
    const declared = (await credits.checkArea(user, box)).cost;
    await administration.createPriceRule(admin, { groupId: "group-2", creditsPerKm2: 3 });
    assert.equal((await credits.checkArea(user, box)).cost, declared, "the price of another group");
    const agreed = Math.round(boxKm2 * 3e6) / 1e6;
    assertClose((await credits.checkArea(other, box)).cost, agreed);

    await sql`update credit_groups set tier = 'gold'`.execute(db);
    const spotRule = { provider: "ab", dataset: "spot", creditsTier: "gold" };
    await administration.createPriceRule(admin, { ...spotRule, creditsPerKm2: 5 });
    assertClose((await credits.checkArea(user, box)).cost, Math.round(boxKm2 * 5e6) / 1e6);
    assertClose((await credits.checkArea(other, box)).cost, agreed);
    const narrow = { ...spotRule, groupId: "group-2", creditsPerKm2: 2 };
    const rule = await administration.createPriceRule(admin, narrow);
    assert.equal(rule.groupId, "group-2");
    const [cheap, dear] = await Promise.all([credits.allocateArea(other, box), credits.allocateArea(user, box)]);
    assertClose(cheap.cost, Math.round(boxKm2 * 2e6) / 1e6);
    assertClose(dear.cost, Math.round(boxKm2 * 5e6) / 1e6);
    const elsewhere = { ...box, geojson: boxPolygon([14.1, 50, 14.12, 50.02]) };
    const free = { groupId: "group-2", creditsPerKm2: 0, area: elsewhere.geojson };
    await administration.createPriceRule(admin, free);
    assert.equal((await credits.checkArea(other, elsewhere)).cost, 0);
    const area = boxArea([14.1, 50, 14.12, 50.02]);
    await credits.requireAllocated(other, [spot.scene], area);
    await assert.rejects(credits.requireAllocated(user, [spot.scene], area), refused("CREDITS-ERROR"));

    await assert.rejects(administration.createPriceRule(admin, narrow), refused("CONFLICT"));
    await administration.createPriceRule(admin, { ...narrow, groupId: "group-1" });
    const unknown = administration.createPriceRule(admin, { groupId: "group-9", creditsPerKm2: 1 });
    await assert.rejects(unknown, refused("NON-EXISTENT-GROUP"));
    const { results } = await administration.listPriceRules({ groupId: "group-2", dataset: "spot" });
    assert.deepEqual(results, [rule]);
    await administration.endPriceRule(admin, { id: rule.id });
    const beside = { ...box, geojson: boxPolygon([14.05, 50, 14.07, 50.02]) };
    // An area is rounded to square metres, of 3 micro-credits each.
    assert.ok(Math.abs((await credits.checkArea(other, beside)).cost - agreed) <= 6e-6);
    const recorded = (await audit.list({})).results.filter(({ action }) => action === "price-rule.create");
    assert.ok(JSON.stringify(recorded).includes('"groupId":"group-2"'));
  });
});

test("a price holds from its moment until it is ended, and what was charged before stays", async () => {
  await administrationWorld(async ({ credits, administration, audit, setTime }) => {
    await administration.grant(admin, { groupId: "group-1", credit: 100, note: "start" });
    const declared = (await credits.checkArea(user, box)).cost;
    const rule = await administration.createPriceRule(admin, {
      provider: "ab",
      dataset: "spot",
      creditsPerKm2: 2,
      validFrom: "2026-03-02 00:00:00",
    });
    assert.equal((await credits.checkArea(user, box)).cost, declared);
    setTime("2026-03-02T00:00:00Z");
    const charged = await credits.allocateArea(user, box);
    assert.equal(charged.cost, Math.round(boxKm2 * 2e6) / 1e6);
    const ended = await administration.endPriceRule(admin, { id: rule.id });
    assert.equal(ended.validUntil, "2026-03-02 00:00:00");
    assert.equal((await credits.checkArea(user, box)).cost, 0);
    const other = { ...box, geojson: boxPolygon([14.1, 50, 14.12, 50.02]) };
    assertClose((await credits.checkArea(user, other)).cost, declared);
    await assert.rejects(administration.endPriceRule(admin, { id: rule.id }), refused("CONFLICT"));
    await assert.rejects(administration.endPriceRule(admin, { id: "none" }), refused("NON-EXISTENT-PRICE-RULE"));
    assert.deepEqual((await actions(audit)).slice(0, 2), ["price-rule.end", "price-rule.create"]);
    const current = await administration.listPriceRules({});
    assert.ok(!current.results.some(({ id }) => id === rule.id));
    const all = await administration.listPriceRules({ includeEnded: true, dataset: "spot" });
    assert.deepEqual(all.results, [ended]);
  });
});

test("two rules for the same are never valid at the same time, whoever writes them first", async () => {
  await administrationWorld(async ({ administration }) => {
    const rule = { provider: "ab", dataset: "spot", creditsPerKm2: 1 };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => administration.createPriceRule(admin, rule)),
    );
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") assert.ok(refused("CONFLICT")(outcome.reason));
    }
    await administration.createPriceRule(admin, { ...rule, creditsTier: "gold" });
    await administration.createPriceRule(admin, { ...rule, mapType: "ndvi" });
    const { results } = await administration.listPriceRules({ dataset: "spot", limit: 2 });
    assert.equal(results.length, 2);
    const [first] = (await administration.listPriceRules({ dataset: "spot", mapType: "ndvi" })).results;
    await administration.endPriceRule(admin, { id: first?.id ?? "", validUntil: "2026-04-01 00:00:00" });
    await assert.rejects(
      administration.createPriceRule(admin, { ...rule, mapType: "ndvi", validFrom: "2026-03-31 23:59:59" }),
      refused("CONFLICT"),
    );
    await administration.createPriceRule(admin, { ...rule, mapType: "ndvi", validFrom: "2026-04-01 00:00:00" });
    // Two free areas of one dataset do not contradict each other.
    const free = { provider: "ab", creditsPerKm2: 0, area: boxPolygon([14, 50, 14.01, 50.01]) };
    await administration.createPriceRule(admin, free);
    await administration.createPriceRule(admin, free);
  });
});

/** A ring with this many positions. */
function circle(count: number): Polygon {
  const ring = Array.from({ length: count - 1 }, (_, index): Position => {
    const angle = (2 * Math.PI * index) / (count - 1);
    return [14.1 + 0.01 * Math.cos(angle), 50.1 + 0.01 * Math.sin(angle)];
  });
  return { type: "Polygon", coordinates: [[...ring, ring[0] ?? [0, 0]]] };
}

test("a rule that could not be meant is refused", async () => {
  await administrationWorld(async ({ administration }) => {
    const good = { provider: "ab", dataset: "spot", creditsPerKm2: 1 };
    const area = boxPolygon([14, 50, 14.01, 50.01]);
    for (const bad of [
      { ...good, provider: "none" },
      { ...good, dataset: "none" },
      { dataset: "spot", creditsPerKm2: 1 },
      { ...good, mapType: "moonbase" },
      { ...good, area },
      { ...good, creditsPerKm2: 0, area: { type: "Point" as const, coordinates: [14, 50] as [number, number] } },
      { ...good, validFrom: "2026-03-01 11:59:00" },
      { ...good, validFrom: "2026-03-05", validUntil: "2026-03-05" },
      { ...good, validUntil: "2026-02-01" },
      { creditsPerKm2: 0, area: circle(1001) },
    ]) {
      await assert.rejects(
        administration.createPriceRule(admin, bad),
        refused("VALIDATION-ERROR"),
        JSON.stringify(bad),
      );
    }
  });
});

test("an area that a rule makes free costs nothing, what lies outside does", async () => {
  await administrationWorld(async ({ credits, administration }) => {
    await administration.createPriceRule(admin, { provider: "ab", dataset: "spot", creditsPerKm2: 1 });
    await administration.grant(admin, { groupId: "group-1", credit: 100, note: "start" });
    await administration.createPriceRule(admin, {
      provider: "ab",
      creditsPerKm2: 0,
      area: boxPolygon([14, 50, 14.01, 50.02]),
    });
    const half = Math.round(areaKm2(boxArea([14.01, 50, 14.02, 50.02])) * 1e6) / 1e6;
    assertClose((await credits.allocateArea(user, box)).cost, half);
  });
});

test("a map type with a price of its own is paid for on top, once, and asked for before its release", async () => {
  await administrationWorld(async ({ credits, administration }) => {
    await administration.grant(admin, { groupId: "group-1", credit: 1000, note: "start" });
    await administration.createPriceRule(admin, { provider: "ab", dataset: "spot", creditsPerKm2: 1 });
    await administration.createPriceRule(admin, {
      provider: "ab",
      dataset: "spot",
      mapType: "ndvi",
      creditsPerKm2: 3,
      minAreaKm2: 20,
    });
    const withMaps = { ...box, mapTypes: ["ndvi", "imagery", "ndvi"] };
    const quote = await credits.checkArea(user, withMaps);
    assert.equal(quote.cost, Math.round(boxKm2 * 1e6 + 60e6) / 1e6);
    assert.equal((await credits.checkArea(user, box)).cost, boxKm2);

    await credits.allocateArea(user, box);
    const area = boxArea([14, 50, 14.02, 50.02]);
    await credits.requireAllocated(user, [spot.scene], area);
    await credits.requireAllocated(user, [spot.scene], area, { mapTypes: ["imagery", "gndvi"] });
    await assert.rejects(
      credits.requireAllocated(user, [spot.scene], area, { mapTypes: ["imagery", "ndvi"] }),
      (error: unknown) => refused("CREDITS-ERROR")(error) && String(error).includes("map type ndvi"),
    );
    const paid = await credits.allocateArea(user, withMaps);
    assert.equal(paid.cost, 60);
    await credits.requireAllocated(user, [spot.scene], area, { mapTypes: ["imagery", "ndvi"] });
    assert.equal((await credits.allocateArea(user, withMaps)).cost, 0);
    // The minimum was prepaid: further area of it is free until 20 km2 are used up.
    const next = { ...withMaps, geojson: boxPolygon([14.02, 50, 14.03, 50.02]) };
    const nextKm2 = Math.round(areaKm2(boxArea([14.02, 50, 14.03, 50.02])) * 1e6) / 1e6;
    assertClose((await credits.allocateArea(user, next)).cost, nextKm2);
    const [transaction] = (await credits.listGroupTransactions(user, {})).results.filter(
      ({ mapType, credit }) => mapType === "ndvi" && credit > 0,
    );
    assert.equal(transaction?.credit, 60);
    const { results } = await credits.listAllocations(user, {});
    assert.deepEqual(results.map(({ mapType }) => mapType ?? "").toSorted(), ["", "", "ndvi", "ndvi"]);
  });
});
