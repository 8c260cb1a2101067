import assert from "node:assert/strict";
import { test } from "node:test";
import type { Datapoint } from "@swath/contract/features/datacube/points-contract";
import { chartPoints } from "./chart-points.ts";

function point(day: number, value: number, more: Partial<Datapoint> = {}): Datapoint {
  const startDatetime = `2024-06-${String(day).padStart(2, "0")} 10:00:00`;
  return {
    aoiId: "north",
    project: "fields",
    algorithm: "ndvi_mean",
    source: "S2",
    version: "1",
    startDatetime,
    endDatetime: startDatetime,
    firstSeen: "2024-07-01 00:00:00",
    value,
    unit: "",
    confidence: null,
    cloudCover: null,
    sceneId: null,
    mapId: null,
    ...more,
  };
}

function month(first: number, value: number): Datapoint {
  const [startDatetime, endDatetime] = [`2024-0${first}-01 00:00:00`, `2024-0${first + 1}-01 00:00:00`];
  return point(1, value, { version: null, startDatetime, endDatetime });
}

function polylines(svg: string | null): number {
  return svg?.match(/<polyline/g)?.length ?? 0;
}

test("a series has a point for each datapoint, its dates, and a gap where values are missing for long", () => {
  const svg = chartPoints([20, 1, 2, 3, 4].map((day) => point(day, day / 20))) ?? "";
  assert.equal(svg.match(/<circle/g)?.length, 5, "a gap has no date and no mark");
  const [line = ""] = Array.from(svg.matchAll(/<polyline points="([^"]+)"/g), ([, places = ""]) => places);
  assert.equal(line.split(" ").length, 4, "the value of the 20th stands alone");
  for (const words of ["north ndvi_mean S2", "2024-06-01", "2024-06-20", "date, UTC"]) assert.ok(svg.includes(words));
});

test("a month without a value interrupts the line of an aggregate", () => {
  assert.equal(polylines(chartPoints([1, 2, 3, 4].map((first) => month(first, first)))), 1);
  assert.equal(polylines(chartPoints([1, 2, 4, 5].map((first) => month(first, first)))), 2);
});

test("areas and series have lines, and more than five or 2,000 datapoints are refused", () => {
  const lines = ["a", "b", "c", "d", "e"].map((aoiId) => point(1, 1, { aoiId, unit: "km2" }));
  const svg = chartPoints(lines) ?? "";
  assert.ok(svg.includes(">e ndvi_mean S2<") && svg.includes("date, UTC; km2"));
  assert.throws(() => chartPoints([...lines, point(1, 1)]), /6 lines of areas and series, expected at most 5/);
  assert.throws(
    () => chartPoints(Array.from({ length: 2001 }, () => point(1, 1))),
    /2001 datapoints, expected at most 2000/,
  );
  assert.equal(chartPoints([]), null);
});
