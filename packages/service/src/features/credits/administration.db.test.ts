import assert from "node:assert/strict";
import { test } from "node:test";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { Polygon, Position } from "@swath/kernel/geometry/geojson";
import { sql } from "kysely";
import { ServiceError, type ErrorCode } from "../../errors.ts";
import type { Db } from "../../platform/context.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { createAuditService, type AuditService } from "../audit/service.ts";
import { creditAdministrationContract } from "./administration-contract.ts";
import { createCreditAdministration, type CreditAdministration } from "./administration.ts";
import { createCreditsService, type CreditsService } from "./service.ts";
import { verifyLedger } from "./verify/verify-ledger.ts";
import { boxArea, boxPolygon, imageryOf, testCaller, testScene } from "./testing.ts";

const spot = testScene("one");
const { sceneId } = spot.scene;
const user = testCaller();
const admin = testCaller({ userId: "admin", groupId: "group-0", permissions: new Set(["admin"]) });
const manager = testCaller({ userId: "manager", permissions: new Set(["admin.credits"]) });

function refused(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

interface World {
  readonly db: Db;
  readonly credits: CreditsService;
  readonly administration: CreditAdministration;
  readonly audit: AuditService;
  readonly setTime: (text: string) => void;
}

async function world(body: (world: World) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  let now = new Date("2026-03-01T12:00:00Z");
  const clock = { now: () => now };
  await sql`
    insert into groups (id, name, created_at, updated_at)
    values ('group-0', 'admins', now(), now()), ('group-1', 'one', now(), now()), ('group-2', 'two', now(), now())`.execute(
    db,
  );
  await sql`
    insert into users (id, email, name, type, accounting, created_at, updated_at)
    values ('user-1', 'one@example.com', 'One', 'user', 'group-1', now(), now()),
      ('user-2', 'two@example.com', 'Two', 'user', 'group-2', now(), now()),
      ('loner', 'loner@example.com', 'Loner', 'user', null, now(), now())`.execute(db);
  const catalog = createCatalog(providers);
  const audit = createAuditService({ db, clock });
  await body({
    db,
    audit,
    credits: createCreditsService({ db, clock, imagery: imageryOf(spot), catalog }),
    administration: createCreditAdministration({ db, clock, catalog, audit }),
    setTime: (text) => {
      now = new Date(text);
    },
  });
  const report = await verifyLedger(db, AbortSignal.timeout(60_000));
  assert.deepEqual(report.differences, []);
}

const box = { sceneIds: [sceneId], geojson: boxPolygon([14, 50, 14.02, 50.02]) };
const boxKm2 = Math.round(areaKm2(boxArea([14, 50, 14.02, 50.02])) * 1e6) / 1e6;

/** Equal but for the rounding of two areas to a square metre. */
function assertClose(credits: number, expected: number): void {
  assert.ok(Math.abs(credits - expected) <= 2e-6, `${credits} credits, expected ${expected}`);
}

async function actions(audit: AuditService): Promise<string[]> {
  return (await audit.list({})).results.map(({ action }) => action);
}

test("grants add up, corrections take back what is left at most, and each is in the record", async () => {
  await world(async ({ db, credits, administration, audit }) => {
    const first = await administration.grant(admin, { groupId: "group-1", credit: 100.5, note: "order 7" });
    assert.equal(first.remainingCredit, 100.5);
    const back = await administration.grant(admin, { groupId: "group-1", credit: -0.5, note: "typing error" });
    assert.equal(back.remainingCredit, 100);
    await assert.rejects(
      administration.grant(admin, { groupId: "group-1", credit: -100.000001, note: "too much" }),
      refused("INSUFFICIENT-CREDIT"),
    );
    await assert.rejects(
      administration.grant(admin, { groupId: "group-1", credit: 1e-7, note: "n" }),
      refused("VALIDATION-ERROR"),
    );
    await assert.rejects(
      administration.grant(admin, { groupId: "none", credit: 1, note: "n" }),
      refused("NON-EXISTENT-GROUP"),
    );
    assert.deepEqual(await credits.remainingCredit(user), { remainingCredit: 100 });
    const { results } = await administration.listGrants({ groupId: "group-1" });
    assert.deepEqual(new Set(results.map(({ credit }) => credit)), new Set([100.5, -0.5]));
    assert.ok(results.every(({ grantedBy }) => grantedBy === "admin"));
    assert.equal((await administration.listGrants({ groupId: "group-2" })).results.length, 0);
    const page = await administration.listGrants({ limit: 1 });
    assert.equal((await administration.listGrants({ limit: 1, cursor: page.cursor ?? "" })).results.length, 1);
    await assert.rejects(
      administration.listGrants({ groupId: "group-1", cursor: page.cursor ?? "" }),
      refused("INVALID-CURSOR"),
    );
    assert.deepEqual(await actions(audit), ["credit.grant", "credit.grant"]);
    const { rows } = await sql`
      select sum(micro)::text as granted, (select remaining_micro::text from credit_groups) as remaining
      from credit_grants`.execute(db);
    assert.deepEqual(rows, [{ granted: "100000000", remaining: "100000000" }]);
  });
});

test("a grant with a key is given once, also by eight at once, and the key is of its group", async () => {
  await world(async ({ credits, administration, audit }) => {
    const request = { groupId: "group-1", credit: 10, note: "n", idempotencyKey: "k 1/ü" };
    const answers = await Promise.all(Array.from({ length: 8 }, () => administration.grant(admin, request)));
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.deepEqual(await credits.remainingCredit(user), { remainingCredit: 10 });
    await assert.rejects(administration.grant(admin, { ...request, credit: 11 }), refused("CONFLICT"));
    await assert.rejects(administration.grant(admin, { ...request, note: "m" }), refused("CONFLICT"));
    await administration.grant(admin, { ...request, groupId: "group-2" });
    assert.equal((await actions(audit)).length, 2);
    const first = await administration.listGrants({ limit: 1 });
    assert.equal((await administration.listGrants({ limit: 1, cursor: first.cursor ?? "" })).cursor, null);
  });
});

test("corrections and charges at once never overdraw", async () => {
  await world(async ({ db, credits, administration }) => {
    await administration.createPriceRule(admin, { provider: "ab", dataset: "spot", creditsPerKm2: 1 });
    await administration.grant(admin, { groupId: "group-1", credit: 10, note: "start" });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0
          ? administration.grant(admin, { groupId: "group-1", credit: -2, note: `correction ${index}` })
          : credits.allocateArea(user, {
              sceneIds: [sceneId],
              geojson: boxPolygon([14 + index * 0.01, 50, 14.01 + index * 0.01, 50.02]),
            }),
      ),
    );
    for (const outcome of outcomes) {
      if (outcome.status === "rejected")
        assert.ok(refused("INSUFFICIENT-CREDIT")(outcome.reason), String(outcome.reason));
    }
    const { rows } = await sql<{ remaining: number; off: number }>`
      select remaining_micro as remaining, remaining_micro + used_micro - (select sum(micro) from credit_grants)::bigint as off
      from credit_groups`.execute(db);
    assert.ok((rows[0]?.remaining ?? -1) >= 0);
    assert.equal(rows[0]?.off, 0);
  });
});

test("a limit holds at once, may lie below what is used, and is lifted by null or nothing", async () => {
  await world(async ({ credits, administration, audit }) => {
    await administration.createPriceRule(admin, { provider: "ab", dataset: "spot", creditsPerKm2: 1 });
    await administration.grant(admin, { groupId: "group-1", credit: 100, note: "start" });
    assert.deepEqual(await administration.setCreditLimit(manager, { userId: "user-1", creditLimit: boxKm2 }), {});
    await credits.allocateArea(user, box);
    assert.deepEqual(await credits.remainingCredit(user), { remainingCredit: 0 });
    const more = { ...box, geojson: boxPolygon([14.02, 50, 14.03, 50.01]) };
    await assert.rejects(credits.allocateArea(user, more), refused("USER-CREDIT-LIMIT"));
    await administration.setCreditLimit(manager, { userId: "user-1", creditLimit: 1 });
    assert.deepEqual(await credits.remainingCredit(user), { remainingCredit: 0 });
    assert.equal((await credits.userInfo(user, undefined)).usedCredit, boxKm2);
    // What is held already costs nothing, limit or not.
    assert.equal((await credits.allocateArea(user, box)).cost, 0);
    await administration.setCreditLimit(manager, { userId: "user-1", creditLimit: null });
    await credits.allocateArea(user, more);
    await administration.setCreditLimit(manager, { userId: "user-1", creditLimit: 0 });
    await administration.setCreditLimit(manager, { userId: "user-1" });
    assert.ok((await credits.remainingCredit(user)).remainingCredit > 0);
    const { results } = await audit.list({ action: "credit.set-limit" });
    assert.equal(results.length, 5);
    assert.deepEqual(
      [results[0]?.before, results[0]?.after],
      [
        { groupId: "group-1", creditLimit: 0 },
        { groupId: "group-1", creditLimit: null },
      ],
    );
  });
});

test("limits of other groups' users are for those who manage users, and nobody else learns who exists", async () => {
  await world(async ({ db, administration }) => {
    for (const userId of ["user-2", "nobody", "loner"]) {
      await assert.rejects(
        administration.setCreditLimit(manager, { userId, creditLimit: 1 }),
        (error: unknown) => refused("NOT-AUTHORIZED")(error) && !String(error).includes(userId),
      );
    }
    await administration.setCreditLimit(admin, { userId: "user-2", creditLimit: 1 });
    // Each group that a user pays through has a limit of its own.
    await sql`update users set tasking_accounting = 'group-1' where id = 'user-2'`.execute(db);
    await administration.setCreditLimit(manager, { userId: "user-2", creditLimit: 2, groupId: "group-1" });
    await assert.rejects(
      administration.setCreditLimit(manager, { userId: "user-2", creditLimit: 2, groupId: "group-2" }),
      refused("NOT-AUTHORIZED"),
    );
    await assert.rejects(
      administration.setCreditLimit(admin, { userId: "user-2", creditLimit: 2, groupId: "group-0" }),
      refused("NON-EXISTENT-USER"),
    );
    const { rows } = await sql`
      select group_id as "groupId", limit_micro::float8 / 1e6 as "creditLimit" from credit_users
      where user_id = 'user-2' order by group_id`.execute(db);
    assert.deepEqual(rows, [
      { groupId: "group-1", creditLimit: 2 },
      { groupId: "group-2", creditLimit: 1 },
    ]);
    for (const userId of ["nobody", "loner"]) {
      await assert.rejects(
        administration.setCreditLimit(admin, { userId, creditLimit: 1 }),
        refused("NON-EXISTENT-USER"),
      );
    }
  });
});

test("a tier decides the price, a licence whether anything may be spent", async () => {
  await world(async ({ db, credits, administration, setTime }) => {
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

test("a price holds from its moment until it is ended, and what was charged before stays", async () => {
  await world(async ({ credits, administration, audit, setTime }) => {
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
  await world(async ({ administration }) => {
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
  await world(async ({ administration }) => {
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
  await world(async ({ credits, administration }) => {
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
  await world(async ({ db, credits, administration }) => {
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
    await credits.requireAllocated(user, spot.scene, area);
    await credits.requireAllocated(user, spot.scene, area, db, ["imagery", "gndvi"]);
    await assert.rejects(
      credits.requireAllocated(user, spot.scene, area, db, ["imagery", "ndvi"]),
      (error: unknown) => refused("CREDITS-ERROR")(error) && String(error).includes("map type ndvi"),
    );
    const paid = await credits.allocateArea(user, withMaps);
    assert.equal(paid.cost, 60);
    await credits.requireAllocated(user, spot.scene, area, db, ["imagery", "ndvi"]);
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

test("every operation of administrators asks for its own permission of a user, not of a key", () => {
  const asked = Object.values(creditAdministrationContract).map(({ access, permissions }) => {
    assert.equal(access, "user");
    assert.equal(permissions.length, 1);
    return String(permissions[0]);
  });
  assert.ok(asked.every((permission) => permission.startsWith("admin.credits.")));
  assert.equal(new Set(asked).size, asked.length);
});
