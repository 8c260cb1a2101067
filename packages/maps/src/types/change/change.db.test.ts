import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { ResultRow } from "../../../../service/src/features/maps/analysis/result-store.ts";
import { testResults } from "../../../../service/src/features/maps/analysis/testing.ts";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { systemClock } from "@swath/base/clock";
import { testDatabase } from "../../../../service/src/platform/postgres/testing.ts";
import { sceneFixture } from "../../render/testing.ts";
import { landscape } from "@swath/raster/testing/landscape";
import { openStoredRaster } from "@swath/raster/store/stored-raster";
import { change } from "./map-type.ts";

const WIDTH = 700;
const HEIGHT = 600;
const FIELD = { column: 480, row: 200, side: 60 } as const;
const never = new AbortController().signal;

function box(west: number, south: number, east: number, north: number): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [boundsPolygon([west, south, east, north]).coordinates] };
}

/** Three bands of a landscape with noise of its own date; a field across the edge of two blocks turns at the second. */
async function dated(blobs: BlobStore, date: 0 | 1): Promise<StoredScene> {
  let state = 77 + date;
  const bands = [1, 2, 3].map((band) => {
    const pixels = landscape(new Uint16Array(WIDTH * HEIGHT), WIDTH, band, 2000);
    return pixels.map((value, i) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const [column, row] = [i % WIDTH, Math.floor(i / WIDTH)];
      const isField =
        column >= FIELD.column &&
        column < FIELD.column + FIELD.side &&
        row >= FIELD.row &&
        row < FIELD.row + FIELD.side;
      return value + (state >>> 26) + (isField && date === 1 ? 900 : 0);
    });
  });
  await using fixture = await sceneFixture({
    widthPx: WIDTH,
    heightPx: HEIGHT,
    bands,
    roles: ["G", "R", "N"],
    quantity: "reflectance",
    scene: {
      sceneId: `local-uploads-change-${date}`,
      datetime: `202${date}-06-01 10:00:00`,
      footprint: box(9, 49.58, 9.12, 49.66),
    },
  });
  const { stored, folder } = fixture;
  // Both fixtures name their files alike.
  const keyOf = (key: string): string => `date${date}/${key}`;
  for (const { key } of stored.raster.bands) {
    await blobs.put(keyOf(key), await readFile(join(folder, key)));
  }
  const renamed = stored.raster.bands.map((band) => ({ ...band, key: keyOf(band.key) }));
  return { ...stored, contentHash: String(date), raster: { ...stored.raster, bands: renamed } };
}

async function layer(blobs: BlobStore, { raster }: ResultRow, index: number) {
  const band = raster.bands.slice(index, index + 1);
  await using opened = await openStoredRaster(blobs, band);
  const planes = await opened.readRows(0, opened.heightPx, never);
  return { widthPx: opened.widthPx, heightPx: opened.heightPx, pixels: planes.flatMap((plane) => [...plane]) };
}

test("a pair is computed in threads, the same for a part as for all of it, and says what it has learnt", async () => {
  await using database = await testDatabase();
  await using bench = await testResults(database.db, systemClock);
  const scenes = [await dated(bench.blobs, 0), await dated(bench.blobs, 1)];
  assert.ok(change.analysis !== undefined);
  const request = { mapType: change, analysis: change.analysis, scenes };
  const whole = await bench.results.ensure({ ...request, inside: box(9.0, 49.58, 9.12, 49.66) }, never);
  const part = await bench.results.ensure({ ...request, inside: box(9.001, 49.62, 9.02, 49.64) }, never);
  assert.ok(whole.kind === "ready" && part.kind === "ready", JSON.stringify([whole, part]));
  const model = whole.result.metadata["model"] as Readonly<Record<string, unknown>>;
  assert.equal(model["method"], "irmad");
  const [all, some] = [await layer(bench.blobs, whole.result, 1), await layer(bench.blobs, part.result, 1)];
  assert.deepEqual([all.widthPx, all.heightPx, some.widthPx], [WIDTH, HEIGHT, 512]);
  for (let row = 0; row < some.heightPx; row++) {
    const [from, to] = [row * some.widthPx, (row + 1) * some.widthPx];
    assert.deepEqual(some.pixels.slice(from, to), all.pixels.slice(row * WIDTH, row * WIDTH + some.widthPx));
  }
  let [hits, alarms] = [0, 0];
  for (const [i, value] of all.pixels.entries()) {
    if (value < 2) continue;
    const [column, row] = [(i % WIDTH) - FIELD.column, Math.floor(i / WIDTH) - FIELD.row];
    if (column >= 0 && column < FIELD.side && row >= 0 && row < FIELD.side) hits++;
    else alarms++;
  }
  assert.ok(hits > 0.98 * FIELD.side ** 2, `${hits} of ${FIELD.side ** 2}`);
  assert.ok(alarms < 1e-3 * all.pixels.length, `${alarms}`);
  const objects = await bench.results.objects(whole.result);
  const large = objects.filter(({ properties }) => Number(properties["area"]) > 10_000);
  assert.ok(large.length >= 2, "the field lies in several cells");
  for (const { properties } of large) {
    assert.equal(properties["class"], "positive");
    assert.ok(Number(properties["rank"]) <= large.length, "the field comes before noise");
    assert.equal(properties["ofRegions"], objects.length);
  }
});

test("scenes that cannot be compared are refused with the reason", async () => {
  await using database = await testDatabase();
  await using bench = await testResults(database.db, systemClock);
  const first = await dated(bench.blobs, 0);
  const radar: StoredScene = { ...first, scene: { ...first.scene, sceneId: "radar", lookSide: "right" } };
  assert.ok(change.analysis !== undefined);
  const request = { mapType: change, analysis: change.analysis, scenes: [first, radar] };
  const refused = await bench.results.ensure({ ...request, inside: box(9.0, 49.58, 9.12, 49.66) }, never);
  assert.ok(refused.kind === "refused");
  assert.equal(refused.errorCode, "UNSUPPORTED-IMAGERY");
  assert.match(refused.errorMessage, /radar is radar \(relative orbit unknown/);
});
