import assert from "node:assert/strict";
import { test } from "node:test";
import { areaCm2, wholeSquareMetres } from "@swath/kernel/credits/coverage";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { boxArea } from "../testing.ts";
import { judgeGroup, judgeOrder, judgeUser } from "./difference.ts";
import { CoverageJudge, type CoverageRow } from "./judge-coverage.ts";
import { UnionArea } from "./union-area.ts";

const GROUP = { groupId: "g", remaining: "70", used: "30", granted: "100", logged: "30", byUsers: "30" };
const ORDER = {
  orderReferenceId: "o",
  state: "returned",
  preallocated: "10",
  reserved: "0",
  settled: "4",
  returned: "6",
  logged: "4",
  loggedPreallocations: "10",
  loggedReturns: "-6",
};

test("balances that the log makes are in order, others are named with both figures", () => {
  assert.deepEqual(judgeGroup(GROUP), []);
  assert.match(judgeGroup({ ...GROUP, remaining: "71" })[0]?.message ?? "", /is 71, the log makes it 70/u);
  assert.equal(judgeGroup({ ...GROUP, used: "31" }).length, 1);
  assert.equal(judgeGroup({ ...GROUP, byUsers: "29" }).length, 1);
  assert.equal(judgeGroup({ ...GROUP, granted: "20", remaining: "-10" }).length, 1);
  assert.deepEqual(judgeUser({ groupId: "g", userId: "u", used: "5", logged: "5" }), []);
  assert.equal(judgeUser({ groupId: "g", userId: "u", used: "5", logged: "4" }).length, 1);
});

test("orders sum to what they hold and have spent, and hold nothing when they are over", () => {
  assert.deepEqual(judgeOrder(ORDER), []);
  assert.equal(judgeOrder({ ...ORDER, state: null }).length, 1);
  assert.equal(judgeOrder({ ...ORDER, reserved: "1", settled: "3" }).length, 1);
  assert.equal(judgeOrder({ ...ORDER, returned: "11", loggedReturns: "-11" }).length, 1);
  assert.equal(judgeOrder({ ...ORDER, loggedPreallocations: "9" }).length, 1);
});

test("the union of many polygons is that of the box they make up, in any order", () => {
  const union = new UnionArea();
  for (let index = 0; index < 400; index += 1) {
    const [x, y] = [(index * 7) % 20, Math.floor(((index * 7) % 400) / 20)];
    // Overlapping their neighbours by half.
    union.add(boxArea([14 + x / 100, 50 + y / 100, 14 + (x + 1.5) / 100, 50 + (y + 1.5) / 100]));
  }
  const wholeM2 = areaKm2(boxArea([14, 50, 14.205, 50.205])) * 1e6;
  assert.ok(Math.abs(union.areaM2() / wholeM2 - 1) < 1e-9, `${union.areaM2()} against ${wholeM2}`);
});

test("what is held must be the union of what was allocated, in parts that share nothing", () => {
  const left = boxArea([14, 50, 14.1, 50.1]);
  const right = boxArea([14.1, 50, 14.15, 50.1]);
  const whole = boxArea([14, 50, 14.15, 50.1]);
  const sum = areaCm2(left) + areaCm2(right);
  const row: CoverageRow = {
    groupId: "g",
    sceneKey: "s",
    id: "1",
    areaCm2: String(sum),
    chargeableCm2: String(sum),
    billedM2: String(wholeSquareMetres(sum)),
    loggedM2: String(wholeSquareMetres(sum)),
    hasDeliveries: false,
  };
  const judge = (changed: Partial<CoverageRow>, parts: readonly (typeof left)[], allocated = [left, whole]) => {
    const one = new CoverageJudge({ ...row, ...changed });
    for (const area of allocated) one.addAllocation(area);
    for (const part of parts) one.addPart({ coordinates: part.coordinates, areaCm2: String(areaCm2(part)) });
    return one.differences().map(({ message }) => message);
  };
  assert.deepEqual(judge({}, [left, right]), []);
  assert.match(judge({ id: null }, []).join(), /nothing is held/u);
  assert.match(judge({}, [left]).join(), /the parts sum to .* allocated and are not held/u);
  assert.match(judge({}, [left, right, right]).join(), /overlap/u);
  assert.match(judge({}, [left, right], [left]).join(), /held and were not allocated/u);
  assert.match(judge({ billedM2: "1" }, [left, right]).join(), /billed/u);
  assert.match(judge({ loggedM2: "1" }, [left, right]).join(), /transactions sum/u);
  assert.deepEqual(judge({ loggedM2: "1", hasDeliveries: true }, [left, right]), []);
});
