import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { gdalInstalled, readWithGdal, runGdal, temporaryFolder } from "../packages/raster/src/tiff/gdal-testing.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { swath, swathDone } from "./swath-command.ts";
import { ServiceProcess } from "./service-process.ts";

interface ReleasedMap {
  readonly mapType: string;
  readonly mapId: string;
}

interface PointOfMap {
  readonly values: readonly { readonly value: number | null; readonly reflectance?: number | null }[] | null;
  readonly reason: string | null;
}

/** Reflectance of a digital number of the first point of an image; 1 for other pixels. */
function scaleOf({ points }: { readonly points: readonly PointOfMap[] }): number {
  const { value, reflectance } = points[0]!.values![0]!;
  return reflectance == null || value === null ? 1 : reflectance / value;
}

suite("the command export", () => {
  const folder = temporaryFolder();
  const source = join(folder.path, "coast.tif");
  let service: ServiceProcess;
  let maps: ReadonlyMap<string, string>;
  const map = (type: string): string => maps.get(type) ?? assert.fail(`no map ${type}`);
  const out = (name: string): string => join(folder.path, name);

  /** Maps of a scene of the coast by their type. */
  async function released(datetime: string, types: string): Promise<ReadonlyMap<string, string>> {
    const ingested = await swathDone(service, "ingest", source, "--datetime", datetime, "--json");
    const sceneId: string = ingested.json.ingestedScenes[0].sceneId;
    const { json } = await swathDone(service, "release", sceneId, "--types", types, "--allocate", "--json");
    return new Map(json.maps.map(({ mapType, mapId }: ReleasedMap) => [mapType, mapId]));
  }

  before(async () => {
    writeFileSync(source, coastGeotiff({ widthPx: 224, heightPx: 224 }));
    service = await ServiceProcess.start();
    maps = await released("2024-05-06 10:00:00", "imagery,ndvi,water");
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test("a scene of 224 pixels comes back as it was uploaded: CRS, grid and every value, as GDAL reads both", async (t) => {
    if (!gdalInstalled) {
      t.skip("GDAL is not installed");
      return;
    }
    const { json } = await swathDone(service, "export", map("imagery"), "--out", out("imagery.tif"), "--json");
    assert.deepEqual(
      [json.path, json.grid, json.crsEpsg, json.widthPx, json.heightPx],
      [out("imagery.tif"), "native", 32_633, 224, 224],
    );
    const [expected, info] = [source, json.path].map((path) => JSON.parse(runGdal("gdalinfo", ["-json", path])));
    assert.deepEqual(info.geoTransform, expected.geoTransform);
    assert.deepEqual(info.size, expected.size);
    assert.match(info.coordinateSystem.wkt, /UTM zone 33N/);
    assert.match(runGdal("gdalinfo", [json.path]), /LAYOUT=COG|Block=512x512/);
    const [uploaded, exported] = [source, json.path].map((path) => readWithGdal(path, folder.path));
    assert.deepEqual(exported!.bands, uploaded!.bands);
  });

  test("values of an index are those of the pixels of the scene, in a file called after the map type", async (t) => {
    if (!gdalInstalled) {
      t.skip("GDAL is not installed");
      return;
    }
    const { json, stdout } = await swathDone(
      service,
      "export",
      map("ndvi"),
      "--format",
      "cog",
      "--out",
      `${folder.path}/`,
      "--json",
    );
    assert.equal(json.path, out("ndvi-analysis.tif"), stdout);
    const [red, near] = [2, 3].map((band) => readWithGdal(source, folder.path).bands[band]!);
    const { bands } = readWithGdal(json.path, folder.path);
    for (const [i, value] of bands[0]!.entries()) {
      assert.ok(Math.abs(value - (near![i]! - red![i]!) / (near![i]! + red![i]!)) < 3e-7, `pixel ${i}`);
    }
  });

  test("the other formats and the web grid are as documented", async () => {
    const formats = [
      [["--format", "png"], "ndvi.png", "89504e47"],
      [["--format", "png", "--grid", "native"], "native.png", "89504e47"],
      [["--format", "geotiff", "--grid", "web", "--zoom", "13"], "web.tif", "49492a00"],
      [["--format", "pdf"], "report.pdf", "25504446"],
    ] as const;
    for (const [options, name, start] of formats) {
      const answer = await swathDone(service, "export", map("ndvi"), ...options, "--out", out(name));
      assert.match(answer.stdout, new RegExp(name.replace(".", "[.]")));
      assert.equal(readFileSync(out(name)).subarray(0, 4).toString("hex"), start);
    }
    await swathDone(service, "export", map("water"), "--format", "geojson", "--out", out("water.geojson"));
    const { features } = JSON.parse(readFileSync(out("water.geojson"), "utf8"));
    assert.ok(features.length > 0);
    await swathDone(service, "export", map("water"), "--format", "shz", "--out", out("water.shz"));
    assert.equal(readFileSync(out("water.shz")).subarray(0, 2).toString(), "PK");
    const native = readFileSync(out("native.png"));
    assert.deepEqual([native.readUInt32BE(16), native.readUInt32BE(20)], [224, 224]);
  });

  test("a report of two dates has the numbers of its chart beside it", async () => {
    const later = (await released("2024-06-06 10:00:00", "ndvi")).get("ndvi") ?? "";
    const { json } = await swathDone(
      service,
      "export",
      map("ndvi"),
      later,
      "--format",
      "pdf",
      "--out",
      out("two.pdf"),
      "--json",
    );
    assert.deepEqual(json.numbers, [out("two-ndvi.csv")]);
    const [header, first, second] = readFileSync(out("two-ndvi.csv"), "utf8").split("\r\n");
    assert.equal(header, "date,mean");
    assert.match(first!, /^2024-05-06 10:00:00,0\.\d+$/);
    assert.equal(second!.split(",")[1], first!.split(",")[1]);
    const refused = await swath(service, "export", map("ndvi"), later, "--format", "png");
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /got 2 maps, expected one/);
  });

  test("the values at a place are those of the uploaded pixels, as GDAL reads them", async (t) => {
    if (!gdalInstalled) {
      t.skip("GDAL is not installed");
      return;
    }
    const info = JSON.parse(runGdal("gdalinfo", ["-json", source]));
    const corners: readonly (readonly [number, number])[] = info.wgs84Extent.coordinates[0].slice(0, 4);
    const [lonDeg, latDeg] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis]! / 4, 0));
    const gdal = runGdal("gdallocationinfo", ["-valonly", "-wgs84", source, String(lonDeg), String(latDeg)]);
    const expected = gdal.trim().split(/\s+/).map(Number);
    const place = `${lonDeg},${latDeg}`;
    const { json } = await swathDone(service, "point", map("imagery"), place, "0,0", "--json");
    assert.deepEqual(
      json.points.map(({ values, reason }: PointOfMap) => [values?.map(({ value }) => value) ?? null, reason]),
      [
        [expected, null],
        [null, "outside-map"],
      ],
    );
    const water = await swathDone(service, "point", map("water"), place);
    assert.match(water.stdout, /class number|water|land/);
    const formula = "expression:where(nir>red,max(nir-red,0),0)";
    const types = await released("2024-05-08 10:00:00", `${formula},ndvi`);
    const own = await swathDone(service, "point", types.get(formula)!, place, "--json");
    const [, , red, near] = expected as [number, number, number, number];
    assert.ok(Math.abs(own.json.points[0].values[0].value - Math.max(near - red, 0) * scaleOf(json)) < 1e-6);
    const wrong = await swath(service, "point", map("ndvi"), "north");
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /the place is "north", expected longitude,latitude/);
  });

  test("formats without a choice of grid refuse --grid, and nothing is left of a refused export", async () => {
    for (const [args, status, says] of [
      [["--format", "geojson", "--grid", "native"], 2, /--grid is for geotiff, cog, png/],
      [["--grid", "native", "--zoom", "12"], 2, /--zoom is for the grid web/],
      [["--zoom", "29"], 2, /got 29, expected 0 to/],
      [["--format", "geojson"], 2, /got geojson, which ndvi does not have/],
    ] as const) {
      const answer = await swath(service, "export", map("ndvi"), ...args, "--out", out("refused"));
      assert.equal(answer.status, status, answer.stderr);
      assert.match(answer.stderr, says);
    }
    assert.ok(!existsSync(out("refused")));
  });
});
