import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Geometry } from "@swath/kernel/geometry/geojson";
import type { QueryNode } from "@swath/kernel/query/ast";
import { createFeatureTests } from "./feature-tests.ts";
import type { TestedFeature } from "./geometry-task.ts";

const NO_SIGNAL = new AbortController().signal;

function line(count: number, lon: number, lat: number): Geometry {
  const coordinates = Array.from({ length: count }, (_, i): [number, number] => [lon + i / 1000, lat]);
  return { type: "LineString", coordinates };
}

function features(...geometries: readonly (Geometry | null)[]): readonly TestedFeature[] {
  return geometries.map((geometry, index) => ({
    id: String(index),
    properties: {},
    geometry: geometry === null ? null : JSON.stringify(geometry),
  }));
}

/** A degree of latitude is 111.2 km at 50° (WGS84). */
function near(count: number, distanceM: number): QueryNode {
  return { op: "dwithin", geometry: line(count, 15, 50), distanceM };
}

test("features are tested alike on the thread that answers and in another", async () => {
  await using tests = createFeatureTests();
  const rows = features(line(50, 15, 51), null, line(50, 15, 52), line(50, 15, 50));
  for (const count of [2, 499]) {
    const found = await tests.of(near(count, 111_300))(rows, Infinity, NO_SIGNAL);
    assert.deepEqual(
      found.map(({ id }) => id),
      ["0", "3"],
      `${count} positions`,
    );
  }
  const [first, ...more] = await tests.of(near(499, 111_300))(rows, 1, NO_SIGNAL);
  assert.deepEqual([first?.id, more], ["0", []]);
});

test("distances from 499 positions are computed in a thread", async () => {
  await using tests = createFeatureTests();
  const rows = features(...Array.from({ length: 90 }, (_, i) => line(200, 20 + i, 10)));
  const query = tests.of(near(499, 500_000));
  await query(rows.slice(0, 1), Infinity, NO_SIGNAL);
  const before = process.threadCpuUsage();
  assert.deepEqual(await query(rows, Infinity, NO_SIGNAL), []);
  const { user, system } = process.threadCpuUsage(before);
  // The distances take 600 ms of a processor.
  assert.ok((user + system) / 1000 < 300, `the thread that answers worked for ${(user + system) / 1000} ms`);
});

test("a query whose tests take too long is refused, and ends with its request", async () => {
  await using tests = createFeatureTests(50);
  const huge = features(line(20_000, 20, 10));
  await assert.rejects(tests.of(near(499, 500_000))([...huge, ...huge], Infinity, NO_SIGNAL), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, "VALIDATION-ERROR");
    assert.equal(error.details?.[0]?.path, "/query");
    return true;
  });
  const ending = new AbortController();
  const running = tests.of(near(499, 500_000))(huge, Infinity, ending.signal);
  ending.abort(new Error("gone"));
  await assert.rejects(running, /gone/);
});

test("a query whose area takes all memory of the overlay is refused", async () => {
  await using tests = createFeatureTests(600_000);
  const chords = Array.from({ length: 1_501 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * 750 * i) / 1_501;
    return [15 + 0.01 * Math.cos(angle), 0.9 + 0.01 * Math.sin(angle)];
  });
  const star = [...chords, chords[0]!];
  const corners: [number, number][] = [
    [15, 0.9],
    [15.02, 0.9],
    [15.02, 0.92],
    [15, 0.9],
  ];
  const geometry: Geometry = { type: "MultiPolygon", coordinates: [[star], [corners]] };
  const rows = features({ type: "Point", coordinates: [15, 0.9] });
  await assert.rejects(tests.of({ op: "spatial", relation: "within", geometry })(rows, Infinity, NO_SIGNAL), {
    code: "VALIDATION-ERROR",
    message: /^\/query takes too long/,
  });
});
