import assert from "node:assert/strict";
import { test } from "node:test";
import { looksBesideLight } from "@swath/base/concurrency/light-requests-testing";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { unionAll } from "@swath/kernel/geometry/clip";
import type { LinearRing, MultiPolygon, Polygon } from "@swath/kernel/geometry/geojson";
import { longestSideM } from "@swath/kernel/geometry/mbr";
import { storeTileGrid, storeTilesArea } from "@swath/kernel/tiles/store-tile";
import { forShare } from "@swath/base/concurrency/current-share";
import { collectWarnings, type RequestWarning } from "../request-warnings.ts";
import { createAreas } from "./areas.ts";
import { spikes } from "./hostile-areas-testing.ts";

const RULES = { path: "/extent", maxLatitudeDeg: 90, sceneCount: 1 };
const NO_SIGNAL = new AbortController().signal;

function star(vertices: number, lon: number, innerDeg = 0.02): LinearRing {
  return spikes(vertices, [lon, 50], [1, innerDeg]);
}

function polygon(...rings: readonly LinearRing[]): Polygon {
  return { type: "Polygon", coordinates: rings };
}

function area(ring: LinearRing): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [[ring]] };
}

/** Two stars that meet some 6,000 times. */
const ENTANGLED: MultiPolygon = { type: "MultiPolygon", coordinates: [[star(300, 10)], [star(300, 10.01)]] };

function code(expected: string, message: RegExp) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, expected);
    assert.match(error.message, message);
    return true;
  };
}

test("an area whose outlines meet is their union, computed in a thread", async () => {
  await using areas = createAreas();
  const read = await areas.read(ENTANGLED, RULES, NO_SIGNAL);
  const expected = areaKm2(unionAll(ENTANGLED.coordinates));
  assert.ok(Math.abs(areaKm2(read) / expected - 1) < 1e-6, `${areaKm2(read)} km2, expected ${expected}`);
});

test("outlines of at most a thousand positions that do not meet are the area, without a thread", async () => {
  await using areas = createAreas({ threads: 0, maxWaiting: 0 });
  const read = await areas.read(polygon(star(990, 10, 0.5)), RULES, NO_SIGNAL);
  assert.equal(read.coordinates[0]?.[0]?.length, 991);
  for (const other of [polygon(star(9000, 10, 0.5)), ENTANGLED]) {
    await assert.rejects(areas.read(other, RULES, NO_SIGNAL), code("SERVICE-UNAVAILABLE", /wait to be computed/));
  }
});

test("longer outlines that do not meet are the area as they are, by a thread", async () => {
  await using areas = createAreas();
  const big = polygon(star(9000, 10, 0.5));
  const read = await areas.read(big, RULES, NO_SIGNAL);
  assert.equal(read.coordinates[0]?.[0]?.length, 9001);
  const window = area([
    [9, 49],
    [10, 49],
    [10, 51],
    [9, 51],
    [9, 49],
  ]);
  const half = await areas.intersection(read, window, NO_SIGNAL);
  assert.ok(Math.abs(areaKm2(half) / areaKm2(read) - 0.5) < 0.01, `${areaKm2(half)} of ${areaKm2(read)} km2`);
});

test("work on a large area waits for light requests before its thread and after, work on a small one does not", async () => {
  await using full = createAreas({ threads: 0, maxWaiting: 0 });
  const read = (vertices: number) =>
    looksBesideLight(() => assert.rejects(full.read(polygon(star(vertices, 10, 0.5)), RULES, NO_SIGNAL)));
  assert.equal(await read(2_000), 0);
  assert.ok((await read(4_000)) > 0);
  await using areas = createAreas();
  const meet = (vertices: number) => {
    const [one, other] = [area(star(vertices, 10, 0.5)), area(spikes(4, [10, 50], [2, 2]))];
    return looksBesideLight(() => areas.intersection(one, other, NO_SIGNAL));
  };
  assert.equal(await meet(2_000), 0);
  assert.ok((await meet(4_000)) > 0);
  await forShare("caller", async () => {
    assert.ok((await meet(4_000)) > 0);
    assert.equal(await meet(4_000), 0, "one wait for all scenes of a request");
  });
});

test("a long area within the footprint of a scene is sold as it is, without a thread", async () => {
  await using full = createAreas({ threads: 0, maxWaiting: 0 });
  const [long, footprint] = [area(star(9000, 10, 0.5)), area(spikes(4, [10, 50], [2, 2]))];
  assert.deepEqual(await full.sold(long, footprint, null, NO_SIGNAL), { area: long, tiles: null });
  const beyond = area(star(9000, 11.5, 0.5));
  await assert.rejects(full.sold(beyond, footprint, null, NO_SIGNAL), code("SERVICE-UNAVAILABLE", /wait to be/));
});

test("an area that crosses itself too often is refused with its path, by a thread", async () => {
  await using areas = createAreas();
  const ring = Array.from({ length: 1001 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * 450 * i) / 1001;
    return [10 + Math.cos(angle), 50 + Math.sin(angle)];
  });
  await assert.rejects(
    areas.read(polygon([...ring, ring[0]!]), RULES, NO_SIGNAL),
    code("VALIDATION-ERROR", /^\/extent its outlines cross or overlap more than 20000 times/),
  );
});

test("an overlay that takes longer than its time is refused, and the next one runs in another thread", async () => {
  await using areas = createAreas({ timeoutMs: 2000 });
  const a = area(star(9000, 10));
  await assert.rejects(
    areas.intersection(a, area(star(9000, 10.01)), NO_SIGNAL),
    code("VALIDATION-ERROR", /too entangled/),
  );
  const [small, other] = [area(star(250, 10, 0.5)), area(star(250, 10.3, 0.5))];
  const expected = areaKm2(await areas.intersection(small, other, NO_SIGNAL));
  assert.ok(expected > 0);
});

test("a stored geometry that meets itself too often is refused by a thread, others pass", async () => {
  await using areas = createAreas();
  await areas.requireUntangled(polygon(star(9000, 10, 0.5)), "/geometry");
  await areas.requireUntangled({ type: "Point", coordinates: [1, 2] }, "/geometry");
  const tangled: MultiPolygon = { type: "MultiPolygon", coordinates: [[star(1000, 10)], [star(1000, 10.01)]] };
  await assert.rejects(areas.requireUntangled(tangled, "/geometry"), code("VALIDATION-ERROR", /^\/geometry .*20000/));
});

function scattered(side: number): [number, number][] {
  return Array.from({ length: side * side }, (_, i) => [50 + 2 * (i % side), 1040 + 2 * Math.floor(i / side)]);
}

test("thousands of scattered store tiles are laid out in a thread, with the result of the kernel", async () => {
  await using areas = createAreas({ timeoutMs: 60_000 });
  const crsEpsg = 32633;
  const grid = storeTileGrid(crsEpsg);
  const footprint = storeTilesArea(scattered(3), grid);
  const ground = storeTilesArea(scattered(4), grid);
  const small = await areas.inStoreTiles(footprint, { tiles: scattered(4), crsEpsg }, NO_SIGNAL);
  assert.deepEqual(small.ground, ground);
  assert.ok(Math.abs(areaKm2(small.part) / areaKm2(footprint) - 1) < 1e-6);
  const box = area([
    [11, 46],
    [16, 46],
    [16, 49],
    [11, 49],
    [11, 46],
  ]);
  const before = process.threadCpuUsage();
  const large = await areas.inStoreTiles(box, { tiles: scattered(50), crsEpsg }, NO_SIGNAL);
  const { user, system } = process.threadCpuUsage(before);
  assert.equal(large.ground.coordinates.length, 2500);
  // The tiles and their overlay take 200 ms.
  assert.ok((user + system) / 1000 < 80, `the thread that answers worked for ${(user + system) / 1000} ms`);
  await using hasty = createAreas({ timeoutMs: 100 });
  const slow = hasty.inStoreTiles(footprint, { tiles: scattered(50), crsEpsg }, NO_SIGNAL);
  await assert.rejects(slow, code("VALIDATION-ERROR", /too entangled/));
  const far = { tiles: [...scattered(2), [9000, 0], [0, 9000]] as [number, number][], crsEpsg };
  await assert.rejects(areas.inStoreTiles(footprint, far, NO_SIGNAL), RangeError);
});

test("the rectangle of a polar area of 9,000 positions is measured in a thread, with the result of the kernel", async () => {
  await using areas = createAreas();
  const ring = star(9000, 10).map(([lon, lat]): [number, number] => [lon, lat + 30]);
  const polar = area(ring);
  await areas.longestSideM(polar, NO_SIGNAL);
  const before = process.threadCpuUsage();
  const sideM = await areas.longestSideM(polar, NO_SIGNAL);
  const { user, system } = process.threadCpuUsage(before);
  assert.equal(sideM, longestSideM(polar));
  // The projection of the edges takes 100 ms.
  assert.ok((user + system) / 1000 < 30, `the thread that answers worked for ${(user + system) / 1000} ms`);
  assert.equal(await areas.longestSideM(area(star(100, 10)), NO_SIGNAL), longestSideM(area(star(100, 10))));
});

test("work that waits is bounded, and ends with its request", async () => {
  await using areas = createAreas({ threads: 1, maxWaitingOfShare: 1 });
  const [first, second] = [new AbortController(), new AbortController()];
  const slow = areas.intersection(area(star(1500, 10)), area(star(1500, 10.01)), first.signal);
  const waiting = areas.read(ENTANGLED, RULES, second.signal);
  await assert.rejects(areas.read(ENTANGLED, RULES, NO_SIGNAL), (error) => {
    assert.ok(error instanceof ServiceError && error.retryAfterS !== null);
    return code("TOO-MANY-REQUESTS", /^1 areas of the caller wait to be computed, expected fewer than 1/)(error);
  });
  second.abort(new Error("gone"));
  await assert.rejects(waiting, /gone/);
  first.abort(new Error("gone too"));
  await assert.rejects(slow, /gone too/);
  assert.ok(areaKm2(await areas.read(ENTANGLED, RULES, NO_SIGNAL)) > 0, "another thread takes the next area");
});

test("hostile overlays leave the event loop free", async () => {
  await using areas = createAreas();
  const [a, b] = [area(star(1000, 10)), area(star(1000, 10.01))];
  await areas.read(ENTANGLED, RULES, NO_SIGNAL);
  const before = process.threadCpuUsage();
  await Promise.allSettled([areas.intersection(a, b, NO_SIGNAL), areas.read(ENTANGLED, RULES, NO_SIGNAL)]);
  const { user, system } = process.threadCpuUsage(before);
  // Some 700 ms of overlay. Time of a processor, which other tests on the machine do not change.
  assert.ok((user + system) / 1000 < 100, `the thread that answers worked for ${(user + system) / 1000} ms`);
});

test("a polygon that crosses itself is repaired, and the request under way is warned once", async () => {
  await using areas = createAreas();
  const bow: LinearRing = [[10, 50], [10.4, 50.4], [10.4, 50], [10, 50.4], [10, 50]]; // prettier-ignore
  for (const ring of [bow, star(300, 10).toReversed().toSpliced(20, 0, [12, 52])]) {
    const warnings: RequestWarning[] = [];
    const read = await collectWarnings(warnings, async () => {
      await areas.read(polygon(ring), RULES, NO_SIGNAL);
      return await areas.read(polygon(ring), RULES, NO_SIGNAL);
    });
    assert.ok(areaKm2(read) > 0);
    assert.deepEqual(
      warnings.map(({ path, message }) => [path, message.slice(0, 14)]),
      [["/extent", "crosses itself"]],
    );
  }
  const none: RequestWarning[] = [];
  await collectWarnings(none, async () => {
    await areas.read(polygon(star(990, 10, 0.5)), RULES, NO_SIGNAL);
    await areas.read(ENTANGLED, RULES, NO_SIGNAL);
  });
  assert.deepEqual(none, [], "polygons that overlap are united");
});
