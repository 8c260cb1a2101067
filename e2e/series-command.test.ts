import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { gdalInstalled, readWithGdal, temporaryFolder } from "../packages/raster/src/tiff/gdal-testing.ts";
import { swath, swathDone } from "./swath-command.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, ServiceProcess } from "./service-process.ts";

const AREA = [14.4, 50.05, 14.41, 50.056] as const;
const [WEST, SOUTH, EAST, NORTH] = AREA;
const FIELD = {
  type: "Feature",
  properties: {},
  geometry: {
    type: "Polygon",
    coordinates: [
      [
        [WEST, SOUTH],
        [EAST, SOUTH],
        [EAST, NORTH],
        [WEST, NORTH],
        [WEST, SOUTH],
      ],
    ],
  },
};
const DATASET = "ee/COPERNICUS/S2_SR_HARMONIZED";
const PERIOD = ["--from", "2024-06-01", "--to", "2024-06-20"] as const;

interface Row {
  readonly datetime: string;
  readonly sceneId: string;
  readonly clearShare: number | null;
  readonly count: number;
  readonly mean: number | null;
  readonly std: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

suite("the command series", () => {
  const folder = temporaryFolder();
  const area = join(folder.path, "field.geojson");
  const out = join(folder.path, "out");
  const command = ["series", "--area", area, "--dataset", DATASET, "--types", "ndvi", ...PERIOD, "--out", out];
  let service: ServiceProcess;
  let rows: readonly Row[] = [];

  before(async () => {
    writeFileSync(area, JSON.stringify(FIELD));
    service = await ServiceProcess.start();
    const admin = await new RawClient(service.baseUrl).login(ADMIN);
    const rule = { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED", creditsPerKm2: 0.01 };
    const priced = await admin.post("/credits/price-rules/create", rule);
    assert.equal(priced.status, 200, JSON.stringify(priced.body));
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test("the price is said first, and nothing is paid and written without --yes", async () => {
    const answer = await swath(service, ...command);
    assert.equal(answer.status, 5, answer.stderr);
    assert.match(answer.stderr, /\d+ scenes cost \d[\d.]* credits for \d+\.\d{3} km2/);
    assert.match(answer.stderr, /--yes/);
    assert.ok(!existsSync(out));
  });

  test("with --yes there are a table, a CSV and a chart as SVG and PNG over the dates", async () => {
    const { json } = await swathDone(service, ...command, "--yes", "--json");
    rows = json.rows;
    assert.ok(json.chargedCredits > 0);
    assert.ok(rows.length >= 3, `${rows.length} dates`);
    assert.deepEqual(
      rows.map(({ datetime }) => datetime),
      rows.map(({ datetime }) => datetime).toSorted(),
    );
    assert.deepEqual(
      json.files,
      ["series.csv", "series.svg", "series.png"].map((name) => join(out, name)),
    );
    const lines = readFileSync(join(out, "series.csv"), "utf8").split("\r\n");
    assert.equal(lines.length, rows.length + 2);
    assert.equal(lines[0], "mapType,layer,datetime,sceneId,clearShare,count,mean,std,min,max");
    const svg = readFileSync(join(out, "series.svg"), "utf8");
    assert.equal(svg.match(/<circle cx/g)?.length, rows.filter(({ mean }) => mean !== null).length);
    assert.equal(readFileSync(join(out, "series.png")).subarray(1, 4).toString(), "PNG");
    for (const { clearShare, count, mean, min, max } of rows) {
      assert.ok(clearShare !== null && clearShare >= 0 && clearShare <= 1);
      if (mean === null) assert.equal(count, 0);
      else assert.ok(min! <= mean && mean <= max! && min! >= -1 && max! <= 1);
    }
    const shares = rows.map(({ clearShare }) => clearShare ?? 0);
    assert.ok(Math.max(...shares) - Math.min(...shares) > 0.3, `clear shares ${shares.join(", ")}`);
  });

  test("the same maps are used again: nothing to pay, the same numbers", async () => {
    const { json } = await swathDone(service, ...command, "--json");
    assert.equal(json.chargedCredits, 0);
    assert.deepEqual(json.rows, rows);
    const { stdout, stderr } = await swathDone(service, ...command);
    assert.match(stderr, /nothing to pay/);
    assert.match(stdout, /^date +map type +clear +pixels +mean +std +min +max$/m);
  });

  test("the numbers are those of the exported maps, as GDAL reads them where the clouds are clear", async (t) => {
    if (!gdalInstalled) {
      t.skip("GDAL is not installed");
      return;
    }
    const row = rows.find(({ clearShare, mean }) => mean !== null && clearShare! < 1) ?? rows[0]!;
    const { json } = await swathDone(
      service,
      "release",
      row.sceneId,
      "--types",
      "ndvi,clouds",
      "--extent",
      area,
      "--json",
    );
    const planes: Float64Array[] = [];
    for (const wanted of ["ndvi", "clouds"]) {
      const { mapId } = json.maps.find(({ mapType }: { readonly mapType: string }) => mapType === wanted);
      const path = join(folder.path, `${wanted}.tif`);
      await swathDone(service, "export", mapId, "--out", path);
      planes.push(Float64Array.from(readWithGdal(path, folder.path).bands[0]!));
    }
    const [ndvi, clouds] = planes;
    const clear = [...ndvi!].filter((value, i) => !Number.isNaN(value) && clouds![i] === 1);
    const known = ndvi!.filter((value) => !Number.isNaN(value)).length;
    const mean = clear.reduce((sum, value) => sum + value, 0) / clear.length;
    // The export has whole pixels by their centres, statistics have the shares of pixels at the edge.
    assert.ok(Math.abs(row.count / clear.length - 1) < 0.02, `${row.count}, expected ${clear.length}`);
    assert.ok(Math.abs(row.clearShare! - clear.length / known) < 0.02);
    assert.ok(Math.abs(row.mean! - mean) < 0.01, `${row.mean}, expected ${mean}`);
    assert.ok(row.min! <= Math.min(...clear) && row.max! >= Math.max(...clear), `${row.min} to ${row.max}`);
  });

  test("classes, places without a scene and areas that are none are refused with the reason", async () => {
    for (const [args, status, says] of [
      [["--area", area, "--dataset", DATASET, "--types", "land-cover"], 2, /pixels are classes/],
      [
        ["--area", area, "--dataset", DATASET, "--from", "2024-05-01", "--to", "2024-05-01"],
        4,
        /no scene covers the area/,
      ],
      [["--area", "1,2,3", "--dataset", DATASET], 2, /--area/],
      [["--area", area, "--dataset", "S2"], 2, /provider\/dataset/],
    ] as const) {
      const answer = await swath(service, "series", ...args, "--out", out);
      assert.equal(answer.status, status, answer.stderr);
      assert.match(answer.stderr, says);
    }
  });

  test("stats counts each feature over scenes and over a period, as table, JSON and CSV", async () => {
    const fields = join(folder.path, "fields.geojson");
    const halves = [
      [WEST, 14.405],
      [14.405, EAST],
    ].map(([west, east], i) => ({
      ...FIELD,
      id: ["west", "east"][i],
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [west, SOUTH],
            [east, SOUTH],
            [east, NORTH],
            [west, NORTH],
            [west, SOUTH],
          ],
        ],
      },
    }));
    writeFileSync(fields, JSON.stringify({ type: "FeatureCollection", features: halves }));
    const stats = ["stats", "--area", fields, "--types", "ndvi,clouds"];
    const period = ["--dataset", DATASET, ...PERIOD, "--min-intersection", "0.99"];
    const { json } = await swathDone(service, ...stats, ...period, "--yes", "--json");
    assert.equal(json.rows.length, 4 * rows.length, "two areas and two map types");
    for (const { count, datetime } of rows) {
      const own = json.rows.filter(
        (row: Row & { mapType: string }) => row.mapType === "ndvi" && row.datetime === datetime,
      );
      const sum = own.reduce((total: number, row: Row) => total + row.count, 0);
      assert.ok(Math.abs(sum - count) < 1e-3 * Math.max(1, count), `${sum} of both halves, ${count} of the whole`);
    }
    const csv = join(folder.path, "stats.csv");
    const sceneIds = [rows[0]!.sceneId, rows[1]!.sceneId];
    const listed = await swathDone(service, ...stats, "--scenes", ...sceneIds, "--csv", csv);
    assert.match(listed.stdout, /^area +date +map type +layer +clear +pixels +mean +std +objects +class +km2$/m);
    assert.match(listed.stdout, /^west +2024-06-\d\d \d\d:\d\d:\d\d +clouds .* thin-clouds +[\d.]+$/m);
    const [header = "", ...lines] = readFileSync(csv, "utf8").trim().split("\r\n");
    assert.ok(header.startsWith("area,datetime,sceneId,mapType,layer,count"));
    // Two areas of two scenes: a line of NDVI and four of the classes of clouds.
    assert.equal(lines.length, 2 * 2 * (1 + 4));
    const clear = await swathDone(service, ...stats, ...period, "--max-cloud", "0.5", "--json");
    assert.ok(clear.json.rows.length < json.rows.length);
    const told = await swathDone(service, ...stats, ...period, "--max-cloud", "0.5");
    assert.match(told.stderr, /\d scenes have more clouds than --max-cloud/);
  });
});
