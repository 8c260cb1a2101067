import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "../../bench/statistics.ts";
import { planKills } from "./kill-plan.ts";

const VICTIMS = ["service", "database", "worker"];
const PHASES = ["search", "ingest", "release", "allocation"];

test("a plan has as many kills as asked for, second ones included, and is the same for the same seed", () => {
  for (const count of [0, 1, 5, 50]) {
    const plan = planKills(count, VICTIMS, PHASES, seededRandom(7));
    assert.equal(
      plan.reduce((sum, { againAfterMs }) => sum + (againAfterMs === null ? 1 : 2), 0),
      count,
    );
    assert.deepEqual(planKills(count, VICTIMS, PHASES, seededRandom(7)), plan);
  }
  assert.notDeepEqual(planKills(50, VICTIMS, PHASES, seededRandom(8)), planKills(50, VICTIMS, PHASES, seededRandom(7)));
});

test("twelve plans of kills in a row leave out no victim and no phase", () => {
  const plan = planKills(24, VICTIMS, PHASES, seededRandom(3));
  assert.deepEqual(new Set(plan.map(({ victim }) => victim)), new Set(VICTIMS));
  assert.deepEqual(new Set(plan.map(({ phase }) => phase)), new Set(PHASES));
});
