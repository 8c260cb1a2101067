import assert from "node:assert/strict";
import { test } from "node:test";
import { measureName, measuresOf, pointsOf, type SeriesRow } from "./series-points.ts";

const row = (change: Partial<SeriesRow>): SeriesRow => ({
  sceneId: "a",
  datetime: "2024-06-02 10:00:00",
  layer: "index",
  count: 4,
  clearShare: 1,
  mean: 0.5,
  percentiles: { p25: 0.4, p75: 0.6 },
  classes: null,
  ...change,
});

test("a series has the dates in order, and cloudy ones are no part of the line", () => {
  const rows = [
    row({ sceneId: "late", datetime: "2024-06-12 10:00:00", clearShare: 0.2 }),
    row({ sceneId: "early", clearShare: 0.5 }),
    row({ sceneId: "unknown", datetime: "2024-06-07 10:00:00", clearShare: null }),
  ];
  const points = pointsOf(rows, { layer: "index", className: null });
  assert.deepEqual(
    points.map(({ sceneId, isCloudy }) => [sceneId, isCloudy]),
    [
      ["early", false],
      ["unknown", false],
      ["late", true],
    ],
  );
  assert.deepEqual([points[0]?.low, points[0]?.value, points[0]?.high], [0.4, 0.5, 0.6]);
});

test("classes are drawn as shares: one that a date lacks is zero, a date without pixels has no value", () => {
  const classes = { layer: "classes", mean: null, percentiles: null };
  const rows = [
    row({ ...classes, sceneId: "wet", classes: { water: { share: 0.25 }, ground: { share: 0.75 } } }),
    row({ ...classes, sceneId: "dry", datetime: "2024-06-03 10:00:00", classes: { ground: { share: 1 } } }),
    row({ ...classes, sceneId: "hidden", datetime: "2024-06-04 10:00:00", classes: {}, count: 0 }),
  ];
  const [water, ground] = measuresOf(rows);
  assert.ok(water !== undefined && ground !== undefined);
  assert.equal(measureName(water), "Share of water in classes");
  assert.deepEqual(
    pointsOf(rows, water).map(({ value }) => value),
    [0.25, 0, null],
  );
  assert.deepEqual(
    pointsOf(rows, ground).map(({ value }) => value),
    [0.75, 1, null],
  );
});
