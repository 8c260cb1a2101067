import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "../packages/raster/src/tiff/gdal-testing.ts";

const MAIN = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");

test("the demonstration of monitors measures a season, delivers an alert, and draws a chart and an animation", async () => {
  using folder = temporaryFolder();
  const { SWATH_URL: _url, DATABASE_URL: _database, ...environment } = process.env;
  const out = join(folder.path, "out");
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, "demo", "monitor", "--out", out, "--json"], {
    env: { ...environment, SWATH_DATA: join(folder.path, "data") },
    timeout: 580_000,
  });
  const { alert, files, monitorId, series } = JSON.parse(stdout);
  assert.deepEqual([alert.type, alert.data.monitorId], ["monitor.alert", monitorId]);
  const done = series.filter(({ status }: { status: string }) => status === "DONE");
  assert.ok(done.length >= 5, `${done.length} scenes`);
  for (const { values } of done) assert.ok(values[0].area === "north-field" && Math.abs(values[0].value) <= 1);
  const found = alert.data.findings[0];
  const alerted = series.find(({ sceneId }: { sceneId: string }) => sceneId === alert.data.sceneId);
  assert.deepEqual([alerted.alertAreas, alerted.values[0].value], [["north-field"], found.value]);
  assert.ok(Math.abs(found.value - found.reference) >= 0.1);
  const [chart, timelapse] = files;
  const dots = readFileSync(chart, "utf8").match(/<circle cx/g)?.length;
  assert.equal(dots, done.length, "a dot for each datapoint");
  assert.equal(readFileSync(timelapse).subarray(8, 12).toString(), "WEBP");
});
