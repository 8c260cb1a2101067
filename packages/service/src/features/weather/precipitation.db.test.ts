import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { formatInstant } from "@swath/kernel/time/instant";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import { HOUR_MS } from "@swath/kernel/weather/precipitation";
import { sceneFixture } from "@swath/maps/render/testing";
import { boxArea, boxPolygon } from "../credits/testing.ts";
import { exportBench, type ExportBench } from "../export/testing.ts";

const END_MS = Date.UTC(2024, 5, 30, 12);
const DATASET = "JAXA/GPM_L3/GSMaP/v6/operational";
const LONGLAT = { epsg: 4326, proj4: "+proj=longlat +datum=WGS84 +no_defs", name: "WGS 84", datumShiftKnown: true };

/** Puts an hour of rain into the store: cells of a tenth of a degree from 10 E, 50 N. */
async function ingestHour(bench: ExportBench, startMs: number, rate: (column: number) => number): Promise<void> {
  const widthPx = 40;
  const pixels = Float32Array.from({ length: widthPx * 30 }, (_, i) => rate(i % widthPx));
  await using fixture = await sceneFixture({
    widthPx,
    heightPx: 30,
    bands: [pixels],
    roles: [null],
    nodata: Number.NaN,
    crs: LONGLAT,
    transform: [0.1, 0, 10, 0, -0.1, 50],
  });
  const { stored } = fixture;
  const raster = {
    ...stored.raster,
    bands: stored.raster.bands.map((band) => ({ ...band, key: `rain/${startMs}/${band.key}` })),
  };
  for (const [i, band] of raster.bands.entries()) {
    await bench.inner.blobs.putFile(band.key, join(fixture.folder, stored.raster.bands[i]?.key ?? ""));
  }
  const datetime = formatInstant(startMs);
  const scene = {
    ...stored.scene,
    sceneId: sceneId("ee", DATASET, String(startMs)),
    provider: "ee",
    dataset: DATASET,
    datetime,
    crsEpsg: 4326,
    footprint: boxArea([10, 47, 14, 50]),
    bands: stored.scene.bands.map((band) => ({ ...band, names: ["hourlyPrecipRate"] })),
  };
  await bench.inner.db
    .transaction()
    .execute(async (trx) => bench.inner.imagery.register(trx, { scene, raster, contentHash: datetime }));
}

test("rain of hours that were ingested is answered over HTTP, and what is wrong is refused", async () => {
  await using bench = await exportBench({ clock: { now: () => new Date(END_MS + 10 * HOUR_MS) } });
  const { token } = await bench.addUser("rain@example.com", ["imagery.scene-info"]);
  for (let hour = 1; hour <= 4; hour += 1) {
    await ingestHour(bench, END_MS - hour * HOUR_MS, (column) => (column < 20 ? hour : Number.NaN));
  }
  const ask = (body: object) => bench.post("/imagery/weather/precipitation", body, token);
  const geometry = boxPolygon([11, 48, 11.55, 48.55]);
  const request = { geometry, endDatetime: formatInstant(END_MS), windowSizeHours: 4 };
  const answer = await ask(request);
  assert.equal(answer.status, 200, JSON.stringify(answer.json));
  assert.ok(Math.abs(answer.json.precipitation - 10) < 1e-9);
  // Half past: half of the oldest of three hours and half of the youngest.
  const shifted = await ask({ ...request, endDatetime: formatInstant(END_MS - HOUR_MS / 2), windowSizeHours: 3 });
  assert.ok(Math.abs(shifted.json.precipitation - (0.5 + 2 + 3 + 2)) < 1e-9);
  // Cells from 12 E on have no value: more than half of this polygon.
  assert.equal(
    (await ask({ ...request, geometry: boxPolygon([11.8, 48, 12.4, 48.5]) })).json.error,
    "DATA-NOT-AVAILABLE",
  );
  assert.equal((await ask({ ...request, windowSizeHours: 6 })).status, 404);
  for (const wrong of [
    { windowSizeHours: 0 },
    { windowSizeHours: 721 },
    { windowSizeHours: 1.5 },
    { geometry: { type: "Point", coordinates: [11, 48] } },
    { geometry: boxArea([11, 48, 11.5, 48.5]) },
    { endTime: formatInstant(END_MS - HOUR_MS) },
    { endDatetime: formatInstant(END_MS + 11 * HOUR_MS) },
  ]) {
    const refused = await ask({ ...request, ...wrong });
    assert.equal(refused.status, 422, JSON.stringify(wrong));
    assert.equal(refused.json.error, "VALIDATION-ERROR");
  }
});
