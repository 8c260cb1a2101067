import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { areaKm2 } from "../geometry/area.ts";
import { unionAll } from "../geometry/clip.ts";
import type { MultiPolygon, PolygonCoordinates } from "../geometry/geojson.ts";
import { missingKm2, planAllocation, type AllocationPlan } from "./allocation.ts";
import { NO_COVERAGE, wholeSquareMetres, type Coverage } from "./coverage.ts";
import { areaCost } from "./pricing.ts";

const PRICE = { microPerKm2: 3_700_000n, minAreaM2: 0 };

function polygon(rings: PolygonCoordinates): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [rings] };
}

function box(west: number, south: number, widthDeg: number, heightDeg: number): MultiPolygon {
  const east = west + widthDeg;
  const north = south + heightDeg;
  return polygon([
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ]);
}

function allocateAll(
  additions: readonly MultiPolygon[],
  options: { minAreaM2?: number; freeAreas?: readonly MultiPolygon[] } = {},
): { readonly held: Coverage; readonly cost: bigint; readonly plans: readonly AllocationPlan[] } {
  let held = NO_COVERAGE;
  let cost = 0n;
  const plans: AllocationPlan[] = [];
  for (const addition of additions) {
    const plan = planAllocation({
      before: held,
      addition,
      freeAreas: options.freeAreas ?? [],
      price: { ...PRICE, minAreaM2: options.minAreaM2 ?? 0 },
      costFree: false,
    });
    held = plan.after;
    cost += plan.cost;
    plans.push(plan);
  }
  return { held, cost, plans };
}

function relative(a: bigint, b: bigint): number {
  return Number(a - b) / Math.max(1, Number(b));
}

/** Triangles and quadrilaterals around one place, seven decimals. */
const shape = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 999_999 })), {
    minLength: 3,
    maxLength: 5,
  })
  .map((offsets): MultiPolygon => {
    const positions = offsets.map(([dx, dy]): [number, number] => [
      Math.round((14 + dx * 1e-7 * 3) * 1e7) / 1e7,
      Math.round((50 + dy * 1e-7 * 2) * 1e7) / 1e7,
    ]);
    const first = positions[0] ?? [14, 50];
    return unionAll([[[...positions, first]]]);
  })
  .filter((area) => areaKm2(area) > 1e-3);

test("the first allocation costs its area", () => {
  const area = box(14, 50, 0.1, 0.1);
  const { cost, held } = allocateAll([area]);
  const areaM2 = Math.round(areaKm2(area) * 1e6);
  assert.equal(wholeSquareMetres(held.areaCm2), areaM2);
  assert.equal(cost, areaCost(areaM2, PRICE));
});

test("a repeat and a part of what is held cost nothing and change nothing", () => {
  fc.assert(
    fc.property(shape, fc.double({ min: 0.1, max: 0.9, noNaN: true }), (area, share) => {
      const { held } = allocateAll([area]);
      const ring = area.coordinates[0]?.[0] ?? [];
      const [centreX, centreY] = ring[0] ?? [0, 0];
      // Shrunk towards a vertex, a triangle stays inside itself.
      const corner = ring
        .slice(0, 3)
        .map(([x, y]): [number, number] => [centreX + (x - centreX) * share, centreY + (y - centreY) * share]);
      const isTriangle = ring.length === 4 && area.coordinates.length === 1;
      const parts = isTriangle ? [area, polygon([[...corner, corner[0] ?? [0, 0]]])] : [area];
      for (const addition of parts) {
        const again = planAllocation({ before: held, addition, freeAreas: [], price: PRICE, costFree: false });
        // One square metre is what rounding the vertices of a part can add.
        assert.ok(again.addedM2 <= 1, `added ${again.addedM2} m2`);
        assert.ok(again.cost <= areaCost(1, PRICE) + 1n);
      }
    }),
    { numRuns: 60 },
  );
});

test("the total does not depend on the order and is the price of the union", () => {
  fc.assert(
    fc.property(
      fc.array(shape, { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 0, max: 400_000_000 }),
      (areas, minimum) => {
        const options = { minAreaM2: minimum };
        const forwards = allocateAll(areas, options).cost;
        const backwards = allocateAll(areas.toReversed(), options).cost;
        const unionM2 = Math.round(areaKm2(unionAll(areas.flatMap(({ coordinates }) => coordinates))) * 1e6);
        const whole = areaCost(Math.max(minimum, unionM2), PRICE);
        assert.ok(Math.abs(relative(forwards, backwards)) < 1e-6, `${forwards} against ${backwards}`);
        assert.ok(Math.abs(relative(forwards, whole)) < 1e-6, `${forwards} against ${whole}`);
      },
    ),
    { numRuns: 60 },
  );
});

/** Random polygons whose overlays leave corners a few 1e-15 degrees from edges, where sweeps can loop for ever. */
const NEARLY_MEETING: readonly (readonly (readonly [number, number])[])[][] = [
  [
    [
      [14.1865676, 50.133225],
      [14.2213934, 50.1758454],
      [14.2430675, 50.1854824],
    ],
    [
      [14.1456977, 50.1336488],
      [14.1947069, 50.1387796],
      [14.0069993, 50.1736412],
    ],
    [
      [14.1243647, 50.0220332],
      [14.2323785, 50.1200148],
      [14.1188165, 50.0434882],
      [14.0890823, 50.0331926],
    ],
    [
      [14.1006668, 50.0506618],
      [14.2231049, 50.1923408],
      [14.0881484, 50.1389938],
      [14.1115436, 50.1486436],
      [14.1397718, 50.0873178],
    ],
  ],
  [
    [
      [14.1456578, 50.1883032],
      [14.0864246, 50.0721464],
      [14.2428035, 50.0979862],
      [14.2911995, 50.032526],
    ],
    [
      [14.0229179, 50.0774358],
      [14.2416653, 50.0928896],
      [14.0273681, 50.164539],
      [14.2007915, 50.021849],
      [14.2515533, 50.060355],
    ],
    [
      [14.2596005, 50.1984426],
      [14.1756665, 50.0526572],
      [14.2105241, 50.1606712],
      [14.1826913, 50.0441124],
    ],
    [
      [14.0894558, 50.1834774],
      [14.0905616, 50.0931816],
      [14.2183871, 50.153871],
      [14.2756835, 50.0613704],
    ],
    [
      [14.1278531, 50.0101466],
      [14.2376858, 50.068245],
      [14.0379119, 50.1789434],
      [14.2929722, 50.0343454],
    ],
  ],
  [
    [
      [14.1147359, 50.1354178],
      [14.2720028, 50.1628858],
      [14.1343616, 50.0028718],
      [14.2410203, 50.0469262],
    ],
    [
      [14.0017682, 50.161505],
      [14.2971749, 50.0708048],
      [14.0103968, 50.1401764],
      [14.2430999, 50.0330646],
    ],
    [
      [14.1005183, 50.130573],
      [14.2429976, 50.1985458],
      [14.237306, 50.1233598],
      [14.0345513, 50.0980226],
    ],
    [
      [14.0154497, 50.1466668],
      [14.1418583, 50.1702258],
      [14.0342228, 50.0799056],
      [14.2552073, 50.102149],
      [14.2345706, 50.1564418],
    ],
    [
      [14.0048645, 50.0815186],
      [14.193164, 50.1353874],
      [14.1072335, 50.0468928],
      [14.288738, 50.1687722],
    ],
  ],
];

test("allocations end whose corners nearly meet earlier edges, at the price of the union", () => {
  for (const rings of NEARLY_MEETING) {
    const areas = rings.map((open) => unionAll([[[...open, open[0] ?? [14, 50]]]]));
    const unionM2 = Math.round(areaKm2(unionAll(areas.flatMap(({ coordinates }) => coordinates))) * 1e6);
    for (const list of [areas, areas.toReversed()]) {
      const { cost } = allocateAll(list);
      assert.ok(Math.abs(relative(cost, areaCost(unionM2, PRICE))) < 1e-6);
    }
  }
});

test("costs telescope to the micro-credit", () => {
  fc.assert(
    fc.property(fc.array(shape, { minLength: 1, maxLength: 6 }), (areas) => {
      const { held, cost, plans } = allocateAll(areas, { minAreaM2: 50_000_000 });
      assert.equal(cost, areaCost(held.billedM2, PRICE));
      assert.equal(
        plans.reduce((sum, plan) => sum + plan.chargedM2, 0),
        held.billedM2,
      );
      assert.equal(
        plans.reduce((sum, plan) => sum + plan.addedM2, 0),
        wholeSquareMetres(held.areaCm2),
      );
      assert.ok(plans.every((plan) => plan.cost >= 0n && plan.addedM2 >= 0));
    }),
    { numRuns: 60 },
  );
});

test("the minimum area is prepaid: later additions consume it before anything is charged", () => {
  const small = box(14, 50, 0.01, 0.01);
  const smallM2 = Math.round(areaKm2(small) * 1e6);
  const minAreaM2 = smallM2 * 3;
  const { plans, held } = allocateAll([small, box(14, 50, 0.02, 0.01), box(14, 50, 0.05, 0.01)], { minAreaM2 });
  assert.deepEqual(
    plans.map((plan) => plan.chargedM2),
    [minAreaM2, 0, wholeSquareMetres(held.areaCm2) - minAreaM2],
  );
});

test("nothing is charged inside a free area, and the minimum does not hold there", () => {
  const free = box(14, 50, 0.1, 0.1);
  const inside = planAllocation({
    before: NO_COVERAGE,
    addition: box(14.02, 50.02, 0.01, 0.01),
    freeAreas: [free],
    price: { ...PRICE, minAreaM2: 25_000_000 },
    costFree: false,
  });
  assert.equal(inside.cost, 0n);
  assert.equal(inside.chargedM2, 0);
  assert.ok(inside.addedM2 > 700_000);

  const half = box(14.05, 50, 0.1, 0.1);
  const across = planAllocation({
    before: NO_COVERAGE,
    addition: half,
    freeAreas: [free],
    price: PRICE,
    costFree: false,
  });
  const outsideM2 = areaKm2(box(14.1, 50, 0.05, 0.1)) * 1e6;
  assert.ok(Math.abs(across.chargedM2 - outsideM2) <= 2, `${across.chargedM2} against ${outsideM2}`);
});

test("a cost-free allocation is never charged later", () => {
  const area = box(14, 50, 0.1, 0.1);
  const gift = planAllocation({ before: NO_COVERAGE, addition: area, freeAreas: [], price: PRICE, costFree: true });
  assert.equal(gift.cost, 0n);
  assert.equal(gift.chargedM2, 0);
  const again = planAllocation({ before: gift.after, addition: area, freeAreas: [], price: PRICE, costFree: false });
  assert.equal(again.cost, 0n);
  const more = planAllocation({
    before: gift.after,
    addition: box(14, 50, 0.2, 0.1),
    freeAreas: [],
    price: PRICE,
    costFree: false,
  });
  assert.equal(more.chargedM2, more.addedM2);
});

test("what is missing of an area is what is neither held nor free", () => {
  const area = box(14, 50, 0.1, 0.1);
  const whole = areaKm2(area);
  assert.equal(missingKm2(area, null, []), whole);
  assert.equal(missingKm2(area, area, []), 0);
  assert.ok(Math.abs(missingKm2(area, box(14, 50, 0.05, 0.1), []) - whole / 2) < 1e-9);
  assert.equal(missingKm2(area, box(14, 50, 0.05, 0.1), [box(14.05, 50, 0.05, 0.1)]), 0);
  assert.equal(missingKm2({ type: "MultiPolygon", coordinates: [] }, null, []), 0);
});

test("a gap below the tolerance is not missing", () => {
  const area = box(14, 50, 0.1, 0.1);
  assert.equal(missingKm2(area, box(14, 50, 0.099_999_95, 0.1), []), 0);
  assert.ok(missingKm2(area, box(14, 50, 0.099_99, 0.1), []) > 0);
});
