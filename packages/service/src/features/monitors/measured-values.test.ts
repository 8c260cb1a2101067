import assert from "node:assert/strict";
import { test } from "node:test";
import type { Measure } from "@swath/kernel/monitors/rule";
import { measuredValues } from "./measured-values.ts";
import { ndviRow } from "./testing.ts";

const MEAN: Measure = { mapType: "ndvi", statistic: "mean" };

function valueOf(more: Parameters<typeof ndviRow>[3], measure: Partial<Measure>, minValidShare = 0) {
  const [first] = measuredValues([ndviRow("s", 1, 0.5, more)], { ...MEAN, ...measure }, minValidShare);
  return first?.value;
}

test("each area has one value, in the order of the rows, of the first layer of the map", () => {
  const rows = [
    ndviRow("s", 1, 0.1, { mapType: "ndwi" }),
    ndviRow("s", 1, 0.7, { area: "b" }),
    ndviRow("s", 1, 0.9, { area: "b", layer: "second" }),
    ndviRow("s", 1, 0.2, { area: "a" }),
    ndviRow("s", 1, 0.3, { area: "a", layer: "second" }),
  ];
  assert.deepEqual(measuredValues(rows, MEAN, 0), [
    { area: "b", value: 0.7 },
    { area: "a", value: 0.2 },
  ]);
  assert.deepEqual(measuredValues(rows, { ...MEAN, layer: "second" }, 0), [
    { area: "b", value: 0.9 },
    { area: "a", value: 0.3 },
  ]);
  assert.deepEqual(measuredValues(rows, { ...MEAN, mapType: "evi" }, 0), []);
});

test("an area without pixels that count, or with a smaller share of them, has no value", () => {
  assert.equal(valueOf({ count: 0, validShare: 1 }, {}), null);
  assert.equal(valueOf({ count: 10, validShare: 0.4 }, {}, 0.5), null);
  assert.equal(valueOf({ count: 10, validShare: 0.5 }, {}, 0.5), 0.5);
});

test("each statistic is read from its member of the row", () => {
  const row = { min: -1, max: 1, std: 0.25, objects: 7, validShare: 0.75, percentiles: { p90: 0.8, "p2.5": 0.1 } };
  for (const [statistic, expected] of [
    ["mean", 0.5],
    ["min", -1],
    ["max", 1],
    ["std", 0.25],
    ["objects", 7],
    ["validShare", 0.75],
  ] as const) {
    assert.equal(valueOf(row, { statistic }), expected, statistic);
  }
  assert.equal(valueOf(row, { statistic: "percentile", percentile: 90 }), 0.8);
  assert.equal(valueOf(row, { statistic: "percentile", percentile: 2.5 }), 0.1);
  assert.equal(valueOf(row, { statistic: "percentile", percentile: 50 }), null);
});

test("a class without a pixel has the area 0, and a map without classes has no area of a class", () => {
  const water = { statistic: "areaKm2", className: "water" } as const;
  const classes = { forest: { areaKm2: 2.5, share: 1 } };
  assert.equal(valueOf({ classes }, { statistic: "areaKm2", className: "forest" }), 2.5);
  assert.equal(valueOf({ classes }, water), 0);
  assert.equal(valueOf({ classes: null }, water), null);
});
