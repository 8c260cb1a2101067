import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { sql } from "kysely";
import { systemClock } from "@swath/base/clock";
import { boxPolygon, setPrice, testScene } from "../../credits/testing.ts";
import { mapBench } from "../testing.ts";

const RIGHTS = ["mapsvc", "credits", "imagery.images", "algorithms"];
const SCENES = [
  testScene("one"),
  testScene("two", { bounds: [14.1, 50, 14.3, 50.2] }),
  testScene("three", { bounds: [14, 50.05, 14.2, 50.25] }),
];
const IDS = SCENES.map(({ scene }) => scene.sceneId);
/** Families that cost something of their own, and those that come with the scene. */
const TYPES = ["imagery", "ndvi", "ndwi", "evi", "wrunc", "water", "change", "index:savi:L=1"];
const RULES = [
  ["ndvi", 50_000],
  ["wrunc", 250_000],
  ["change", 125_000],
  ["savi", 75_000],
] as const;
const RUNS = 12;

const extentOf = fc
  .record({
    west: fc.integer({ min: 0, max: 20 }),
    south: fc.integer({ min: 0, max: 20 }),
    width: fc.integer({ min: 1, max: 10 }),
    height: fc.integer({ min: 1, max: 10 }),
  })
  .map(({ west, south, width, height }) =>
    boxPolygon([14 + west / 100, 50 + south / 100, 14 + (west + width) / 100, 50 + (south + height) / 100]),
  );

const oneRun = fc.record({
  mapTypes: fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 4 }),
  /** Scenes alone, pairs and series. */
  scenes: fc.array(fc.uniqueArray(fc.constantFrom(...IDS), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 3,
  }),
});

const step = fc.record({
  payer: fc.constantFrom(0, 1),
  extent: extentOf,
  dryRuns: fc.array(oneRun, { minLength: 1, maxLength: 3 }),
});

test("what a dry run answers is what paying takes, whatever two users of a group have paid before", async () => {
  await using b = await mapBench(SCENES, systemClock);
  await setPrice(b.db, "spot", 100_000n);
  for (const [mapType, price] of RULES) {
    await sql`
      insert into credit_price_rules (id, dataset, map_type, micro_per_km2)
      values (${mapType}, 'spot', ${mapType}, ${price})`.execute(b.db);
  }
  const first = await b.addUser("first@example.com", RIGHTS);
  const second = await b.addUser("second@example.com", RIGHTS);
  const { groupId } = first.caller;
  await sql`update users set accounting = ${groupId} where id = ${second.caller.userId}`.execute(b.db);
  await b.db.transaction().execute((trx) => b.credits.grant(trx, groupId, 1_000_000_000_000n, "start"));
  const tokens = [first.token, second.token];
  const left = async (token: string): Promise<number> =>
    (await b.post("/credits/get-remaining-credit", {}, token)).json.remainingCredit;

  await fc.assert(
    fc.asyncProperty(step, async ({ payer, extent, dryRuns }) => {
      const [token, other] = payer === 0 ? [tokens[0]!, tokens[1]!] : [tokens[1]!, tokens[0]!];
      const asked = await b.run("/mapsvc/dry-run", { dryRuns, extent }, token);
      assert.equal(asked.status, 200, asked.text);
      const before = await left(token);
      assert.equal(before, await left(other), "one group, one balance");
      const paid = await b.run("/mapsvc/dry-run", { dryRuns, extent, allocate: true }, token);
      const spent = before - (await left(other));
      const { allocatedCredits, allocatedKm2, scenes } = asked.json;
      assert.equal(paid.json.allocatedCredits, allocatedCredits);
      assert.ok(Math.abs(spent - allocatedCredits) < 2e-6, `spent ${spent}, announced ${allocatedCredits}`);
      const parts: readonly { cost: number; km2: number }[] = scenes;
      assert.ok(Math.abs(parts.reduce((sum, { cost }) => sum + cost, 0) - allocatedCredits) < 1e-5);
      assert.ok(Math.abs(parts.reduce((sum, { km2 }) => sum + km2, 0) - allocatedKm2) < 1e-5);
      const again = await b.run("/mapsvc/dry-run", { dryRuns, extent }, other);
      assert.deepEqual([again.json.allocatedCredits, again.json.allocatedKm2], [0, 0], "the other holds it, too");
      for (const { mapTypes, scenes: groups } of dryRuns) {
        const sceneIds = [...new Set(groups.flat())];
        const release = await b.post("/mapsvc/release/initiate", { mapTypes, sceneIds, extent }, other);
        // Scenes beside the extent are left out of a dry run; a release of them needs nothing paid.
        assert.equal(release.status, 200, release.text);
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
