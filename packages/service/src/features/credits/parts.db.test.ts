import assert from "node:assert/strict";
import { test } from "node:test";
import { areaCost } from "@swath/kernel/credits/pricing";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { clippedSceneId } from "@swath/kernel/scenes/scene-id";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { sql } from "kysely";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Db } from "../../platform/context.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { creditsContract } from "@swath/contract/features/credits/contract";
import { createMapTypes } from "@swath/maps/registry";
import { createCreditsService, type CreditsService } from "./service.ts";
import { boxArea, boxPolygon, imageryOf, setPrice, testCaller, testScene } from "./testing.ts";

const mapTypes = createMapTypes([]);

const clock = { now: () => new Date("2026-03-01T12:00:00Z") };
const PRICE = { microPerKm2: 3_000_000n, minAreaM2: 0 };
const caller = testCaller();
/** In longitude and latitude, so that its store tiles are twentieths of a degree. */
const tiled = testScene("tiled", { provider: "pl", dataset: "PSScene_tile", bounds: [14, 50, 14.2, 50.22] });
const parent = testScene("parent", { provider: "optical-archive", dataset: "ard_clipped" });
const child = childOf([14.05, 50.05, 14.1, 50.1], "0123456789abcdef01234567");
const other = childOf([14.05, 50.05, 14.12, 50.1], "89abcdef0123456701234567");

function childOf(bounds: Bounds, clip: string): StoredScene {
  const made = testScene("parent", { provider: "optical-archive", dataset: "ard_clipped", bounds });
  return { ...made, scene: { ...made.scene, sceneId: clippedSceneId(parent.scene.sceneId, clip) } };
}

async function withCredits(body: (credits: CreditsService, db: Db) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  const credits = createCreditsService({
    areas: createAreas(),
    mapTypes,
    db,
    clock,
    imagery: imageryOf(tiled, parent, child, other),
  });
  await setPrice(db, "PSScene_tile", PRICE.microPerKm2);
  await setPrice(db, "ard_clipped", PRICE.microPerKm2);
  await db.transaction().execute((trx) => credits.grant(trx, caller.groupId, creditsToMicro(100_000), "start"));
  await body(credits, db);
}

/** Price of boxes that share no area. */
function priceOf(...boxes: readonly Bounds[]): number {
  const m2 = boxes.reduce((sum, bounds) => sum + Math.round(areaKm2(boxArea(bounds)) * 1e6), 0);
  return Number(areaCost(m2, PRICE)) / 1e6;
}

const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.code === "CREDITS-ERROR";

test("a scene with store tiles is sold by the tiles that are touched, and their list is kept", async () => {
  await withCredits(async (credits, db) => {
    const request = { sceneIds: [tiled.scene.sceneId], geojson: boxPolygon([14.03, 50.01, 14.07, 50.02]) };
    const quote = await credits.checkArea(caller, request);
    assert.equal(quote.cost, priceOf([14, 50, 14.1, 50.05]));
    const paid = await credits.allocateArea(caller, request);
    assert.deepEqual([paid.cost, paid.km2], [quote.cost, quote.km2]);
    const { rows } = await sql`
      select a.tiles as a, t.tiles as t from credit_allocations a
      join credit_transactions t on t.id = a.transaction_id`.execute(db);
    const tiles = [
      [280, 1000],
      [281, 1000],
    ];
    assert.deepEqual(rows, [{ a: tiles, t: tiles }]);

    const inSameTiles = { ...request, geojson: boxPolygon([14.001, 50.001, 14.099, 50.049]) };
    assert.deepEqual(await credits.checkArea(caller, inSameTiles), { cost: 0, km2: 0 });
    const next = { ...request, geojson: boxPolygon([14.08, 50.01, 14.12, 50.02]) };
    assert.equal((await credits.allocateArea(caller, next)).cost, priceOf([14.1, 50, 14.15, 50.05]));
  });
});

test("tiles at the edge of a scene are sold as far as the scene reaches", async () => {
  await withCredits(async (credits) => {
    const request = { sceneIds: [tiled.scene.sceneId], geojson: boxPolygon([14.16, 50.21, 14.5, 50.5]) };
    assert.equal((await credits.allocateArea(caller, request)).cost, priceOf([14.15, 50.2, 14.2, 50.22]));
  });
});

test("an area is allocated when all tiles that it touches are", async () => {
  await withCredits(async (credits) => {
    const { sceneId } = tiled.scene;
    await credits.allocateArea(caller, { sceneIds: [sceneId], geojson: boxPolygon([14.01, 50.01, 14.02, 50.02]) });
    await credits.requireAllocated(caller, [tiled.scene], boxArea([14.001, 50.001, 14.049, 50.049]));
    await credits.requireAllocated(caller, [tiled.scene], boxArea([14, 50, 14.05, 50.05]));
    await assert.rejects(
      credits.requireAllocated(caller, [tiled.scene], boxArea([14.04, 50.01, 14.06, 50.02])),
      isRefusal,
    );
  });
});

test("a clipped child and its parent are paid for once", async () => {
  await withCredits(async (credits) => {
    const geojson = boxPolygon([14.05, 50.05, 14.1, 50.1]);
    const sceneIds = [parent.scene.sceneId];
    assert.equal((await credits.allocateArea(caller, { sceneIds, geojson })).cost, priceOf([14.05, 50.05, 14.1, 50.1]));
    for (const scene of [child, other]) {
      assert.equal((await credits.checkArea(caller, { sceneIds: [scene.scene.sceneId], geojson })).cost, 0);
      await credits.requireAllocated(caller, [scene.scene], boxArea([14.05, 50.05, 14.1, 50.1]));
    }
    const more = await credits.allocateArea(caller, {
      sceneIds: [other.scene.sceneId],
      geojson: boxPolygon([14, 50, 14.2, 50.2]),
    });
    assert.equal(more.cost, priceOf([14.1, 50.05, 14.12, 50.1]));
    await assert.rejects(
      credits.requireAllocated(caller, [parent.scene], boxArea([14.1, 50.05, 14.13, 50.1])),
      isRefusal,
    );
  });
});

test("a request for a scene and its children pays for their union, whether or not it was planned before a rival", async () => {
  await withCredits(async (credits) => {
    const request = {
      sceneIds: [child, other, parent].map(({ scene }) => scene.sceneId),
      geojson: boxPolygon([14.05, 50.05, 14.12, 50.1]),
    };
    const whole = priceOf([14.05, 50.05, 14.1, 50.1], [14.1, 50.05, 14.12, 50.1]);
    assert.equal((await credits.checkArea(caller, request)).cost, whole);
    const answers = await Promise.all(Array.from({ length: 4 }, async () => credits.allocateArea(caller, request)));
    assert.equal(
      answers.reduce((sum, { cost }) => sum + Math.round(cost * 1e6), 0),
      Math.round(whole * 1e6),
    );
  });
});

test("the price is that of the configuration unless a rule says otherwise", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const catalog = createCatalog(
    providers.map((provider) => ({
      ...provider,
      datasets: provider.datasets.map((one) => ({ ...one, creditsPerKm2: one.dataset === "PSScene_tile" ? 2 : 0 })),
    })),
  );
  const credits = createCreditsService({
    areas: createAreas(),
    mapTypes,
    db,
    clock,
    imagery: imageryOf(tiled, parent),
    catalog,
  });
  const geojson = boxPolygon([14.01, 50.01, 14.02, 50.02]);
  const quote = await credits.checkArea(caller, { sceneIds: [tiled.scene.sceneId], geojson });
  assert.equal(quote.cost, (priceOf([14, 50, 14.05, 50.05]) / 3) * 2);
  assert.equal((await credits.checkArea(caller, { sceneIds: [parent.scene.sceneId], geojson })).cost, 0);
  await credits.requireAllocated(caller, [parent.scene], boxArea([14, 50, 14.1, 50.1]));
  await setPrice(db, "ard_clipped", 1n);
  await assert.rejects(credits.requireAllocated(caller, [parent.scene], boxArea([14, 50, 14.1, 50.1])), isRefusal);
});

test("the first allocation of a scene pays for the smallest area, later ones use that up before they pay", async () => {
  await withCredits(async (credits, db) => {
    await setPrice(db, "ard_clipped", PRICE.microPerKm2, 30_000_000);
    const sceneIds = [parent.scene.sceneId];
    const allocate = async (bounds: Bounds): Promise<number> =>
      (await credits.allocateArea(caller, { sceneIds, geojson: boxPolygon(bounds) })).cost;
    assert.equal(await allocate([14, 50, 14.05, 50.05]), 90);
    assert.equal(await allocate([14, 50, 14.05, 50.05]), 0);
    // 39.8 km2 in all: 9.8 beyond what was prepaid.
    assert.equal(
      await allocate([14.05, 50, 14.1, 50.05]),
      Math.round((priceOf([14, 50, 14.1, 50.05]) - 90) * 1e6) / 1e6,
    );
    assert.equal(await allocate([14.1, 50, 14.15, 50.05]), priceOf([14.1, 50, 14.15, 50.05]));
    // A child of the scene is beyond its smallest area already.
    assert.equal(
      (await credits.checkArea(caller, { ...everywhere, sceneIds: [child.scene.sceneId] })).cost,
      priceOf([14.05, 50.05, 14.1, 50.1]),
    );
    const { results } = await credits.listGroupTransactions(caller, {});
    assert.deepEqual(results.length, 3);
  });
});

const everywhere = { geojson: boxPolygon([14, 50, 14.2, 50.2]) };

test("an allocation free of cost is logged, covers its area for good and lets the rest be paid for", async () => {
  await withCredits(async (credits) => {
    const sceneIds = [parent.scene.sceneId];
    const gift = { sceneIds, geojson: boxPolygon([14, 50, 14.1, 50.1]), costFreeAllocation: true };
    assert.equal((await credits.checkArea(caller, gift)).cost, 0);
    const given = await credits.allocateArea(caller, gift);
    assert.equal(given.cost, 0);
    assert.ok(given.km2 > 70);
    const [entry] = (await credits.listUserTransactions(caller, {})).results;
    assert.deepEqual([entry?.credit, entry?.areaKm2, entry?.allocations?.length], [0, given.km2, 1]);
    await credits.requireAllocated(caller, [parent.scene], boxArea([14, 50, 14.1, 50.1]));
    assert.equal((await credits.checkArea(caller, { ...gift, costFreeAllocation: false })).cost, 0);
    const more = await credits.allocateArea(caller, { sceneIds, geojson: boxPolygon([14, 50, 14.2, 50.1]) });
    // Areas are rounded to a square metre, which costs 3e-6 credits.
    const expected = priceOf([14.1, 50, 14.2, 50.1]);
    assert.ok(Math.abs(more.cost - expected) < 1e-5, `${more.cost} credits, expected ${expected}`);
    const { dynamicPermissions } = creditsContract.allocateArea;
    assert.deepEqual(dynamicPermissions?.(gift), ["admin.credits.cost-free-allocation"]);
    assert.deepEqual(dynamicPermissions?.({ ...gift, costFreeAllocation: false }), []);
  });
});
