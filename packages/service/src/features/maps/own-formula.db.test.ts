import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { systemClock } from "@swath/base/clock";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import { boxPolygon, setPrice, testScene } from "../credits/testing.ts";
import { bandPixels, exportBench, SIZE } from "./export/testing.ts";
import { mapBench } from "./testing.ts";

const NDVI = "expression:(nir-red)/(nir+red)";
const SPACED = "expression:( nir - red ) / (nir + red)?min=-1";
const area = boxPolygon([9.01, 49.59, 9.1, 49.64]);

test("formulas are released, drawn, exported and reported like an index, and spellings share a map", async () => {
  await using b = await exportBench();
  const { maps, stored } = b;
  const { token } = await maps.addUser("b@example.com", ["mapsvc", "analytics", "imagery", "algorithms"]);
  const sceneIds = [stored.scene.sceneId];
  const brighter = "expression:where(nir > red, min(nir, 0.5), 0)?ramp=viridis&min=0&max=0.5";
  const mapTypes = [NDVI, SPACED, brighter, "expression:swir16/nir"];
  const released = await maps.run("/mapsvc/release", { mapTypes, sceneIds, extent: area }, token);
  assert.equal(released.status, 200, released.text);
  assert.deepEqual(
    released.json.maps.map(({ mapType }: { mapType: string }) => mapType),
    [NDVI, SPACED, brighter],
    "under the names of the request",
  );
  assert.equal(released.json[SPACED].length, 1);
  assert.deepEqual(
    released.json.failed.map(({ errorCode, errorMessage }: { errorCode: string; errorMessage: string }) => [
      errorCode,
      errorMessage,
    ]),
    [["UNSUPPORTED-IMAGERY", `scene ${sceneIds[0]} has no band "swir16"; its bands are b (B), g (G), r (R), n (N)`]],
  );
  const [own, spaced, bright] = released.json.maps;
  const { rows } = await sql<{ map_type: string }>`
    select map_type from maps where map_type like 'expression:%' order by map_type`.execute(maps.db);
  assert.deepEqual(rows, [
    { map_type: NDVI },
    { map_type: "expression:where(nir>red,min(nir,0.5),0)?ramp=viridis&min=0&max=0.5" },
  ]);

  const pictureOf = async (mapId: string, tile: readonly number[], file: string) =>
    await maps.get(`/mapsvc/grid/${mapId}/-/${tile.join("/")}/${file}`);
  const ndvi = b.byType.get("ndvi")!;
  const tile = ndvi.tiles[0]!;
  const builtIn = await pictureOf(ndvi.mapId, tile, "ndvi.png");
  const drawn = await pictureOf(own.mapId, tile, "expression.png");
  assert.deepEqual([drawn.status, drawn.text], [200, builtIn.text]);
  const other = await pictureOf(spaced.mapId, tile, "expression.png");
  assert.equal(other.headers.get("etag"), drawn.headers.get("etag"), "the same map");
  assert.equal((await maps.get(`/mapsvc/map-types/${spaced.mapId}`)).json.mapType, NDVI);
  const metadata = await pictureOf(bright.mapId, tile, "metadata.json");
  assert.equal(metadata.json.algorithm.params.formula, "where(nir>red,min(nir,0.5),0)");
  assert.ok(metadata.json.statistics.max <= 0.5);

  const report = await maps.run("/mapsvc/pdf-report", { maps: [own.mapId, bright.mapId] }, token);
  assert.equal(report.status, 200, report.text);
  const legacyPath = `/mapsvc/release/${encodeURIComponent(NDVI)}/geojson`;
  const legacy = await maps.run(legacyPath, { sceneId: sceneIds[0], extent: area }, token);
  assert.equal(legacy.status, 200, legacy.text);
  const dryRuns = [{ mapTypes: [NDVI, brighter], scenes: [sceneIds] }];
  const dry = await maps.run("/mapsvc/dry-run", { dryRuns, extent: area }, token);
  assert.ok(dry.json.mapsvcKm2 > 0, dry.text);
  const pairs = await maps.run("/mapsvc/pairwise", { sceneIds, extent: area, mapTypes: [NDVI] }, token);
  assert.equal(pairs.status, 200, pairs.text);
  const exported = await b.export({ mapId: bright.mapId, gridFile: "png" });
  assert.equal(exported.answer.status, 200, exported.answer.text);
});

test("an exported formula has the values of its pixels, as GDAL reads them", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  await using b = await exportBench();
  const sceneIds = [b.stored.scene.sceneId];
  const mapTypes = ["expression:clamp(sqrt(n)-r**2,-0.2,0.5)*100?min=-20&max=50"];
  const released = await b.maps.run("/mapsvc/release", { mapTypes, sceneIds, extent: area }, b.token);
  const { bytes, answer } = await b.export({ mapId: released.json.maps[0].mapId, gridFile: "geotiff" });
  assert.equal(answer.status, 200, answer.text);
  using folder = temporaryFolder();
  const path = join(folder.path, "formula.tif");
  writeFileSync(path, bytes);
  const { bands, widthPx } = readWithGdal(path, folder.path);
  const [left, , , top]: readonly [number, number, number, number] = JSON.parse(
    runGdal("gdalinfo", ["-json", path]),
  ).geoTransform;
  const [a, , originX, , e, originY] = b.stored.raster.bands[0]!.geotransform;
  const column = Math.round((left - originX) / a);
  const row = Math.round((top - originY) / e);
  const [red, near] = [bandPixels(2), bandPixels(3)];
  let compared = 0;
  for (const [i, value] of bands[0]!.entries()) {
    if (Number.isNaN(value)) continue;
    const at = (row + Math.floor(i / widthPx)) * SIZE + column + (i % widthPx);
    const expected = Math.min(Math.max(Math.sqrt(near[at]! * 1e-4) - (red[at]! * 1e-4) ** 2, -0.2), 0.5) * 100;
    assert.ok(Math.abs(value - expected) < 1e-5, `${value} is not ${expected}`);
    compared++;
  }
  assert.ok(compared > 100_000, `${compared} pixels`);
});

const scene = testScene("one");
const { sceneId } = scene.scene;
const extent = boxPolygon([14.05, 50.05, 14.15, 50.1]);

test("the permission and the price of every formula are those of expression", async () => {
  await using b = await mapBench([scene], systemClock);
  await setPrice(b.db, "spot", 1_000_000n);
  await sql`
    insert into credit_price_rules (id, dataset, map_type, micro_per_km2)
    values ('own', 'spot', 'expression', 500000)`.execute(b.db);
  const request = { mapTypes: [NDVI], sceneIds: [sceneId], extent };
  const other = await b.addUser("b@example.com", ["mapsvc", "credits", "imagery.images", "algorithms.ndvi"]);
  const refused = await b.post("/mapsvc/release/initiate", request, other.token);
  assert.deepEqual([refused.status, refused.json.error], [401, "NOT-AUTHORIZED"]);
  const rights = ["mapsvc", "credits", "imagery.images", "algorithms.expression.ab.spot"];
  const { token, caller } = await b.addUser("a@example.com", rights);
  await b.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, 1_000_000_000n, "start"));
  const geojson = extent;
  const check = await b.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson, mapTypes: [NDVI] }, token);
  const scenes = await b.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson }, token);
  assert.ok(check.json.cost > scenes.json.cost, check.text);
  const paid = await b.run("/mapsvc/release", { ...request, allocate: true }, token);
  assert.equal(paid.status, 200, paid.text);
  assert.equal(paid.json.payment.chargedCredits, check.json.cost);
  const again = await b.post(
    "/credits/area/check-geojson",
    { sceneIds: [sceneId], geojson, mapTypes: ["expression:nir/red", SPACED] },
    token,
  );
  assert.equal(again.json.cost, 0, "it is paid for under its one name");
});

test("a formula that cannot be read is refused with its place, and a reserved name with the reason", async () => {
  await using b = await mapBench([scene], systemClock);
  const { token } = await b.addUser("a@example.com", ["mapsvc", "imagery.images", "algorithms"]);
  const refusal = async (mapType: string) => {
    const { status, json } = await b.post(
      "/mapsvc/release/initiate",
      { mapTypes: ["imagery", mapType], sceneIds: [sceneId], extent },
      token,
    );
    return [status, json.error, json.details[0].path, json.details[0].message];
  };
  assert.deepEqual(await refusal("expression:(nir-red"), [
    422,
    "VALIDATION-ERROR",
    "/mapTypes/1",
    'expression: got the end, expected an operator or ")"',
  ]);
  assert.match(String((await refusal("expression:sqt(nir)"))[3]), /did you mean sqrt\?$/);
  for (const name of ["__proto__", "constructor", "NaN"]) {
    assert.match(String((await refusal(`expression:${name}+nir`))[3]), new RegExp(`"${name}" is no name of a band`));
  }
  assert.deepEqual((await refusal(`expression:${"nir+".repeat(25_000)}nir`)).slice(0, 3), [
    422,
    "VALIDATION-ERROR",
    "/mapTypes/1",
  ]);
});
