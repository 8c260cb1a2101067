import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "../packages/raster/src/tiff/gdal-testing.ts";

const MAIN = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");

test("the demonstration of tasking orders a capture, finds and releases its scene, and its credit adds up", async () => {
  using folder = temporaryFolder();
  const { SWATH_URL: _url, DATABASE_URL: _database, ...environment } = process.env;
  const out = join(folder.path, "out");
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, "demo", "tasking", "--out", out, "--json"], {
    env: { ...environment, SWATH_DATA: join(folder.path, "data") },
    timeout: 240_000,
  });
  const { order, sceneId, log, pictures, steps } = JSON.parse(stdout);
  assert.equal(order.status, "FULFILLED");
  assert.deepEqual(
    order.history.map(({ status }: { status: string }) => status),
    ["RECEIVED", "PENDING", "IN_PROGRESS", "FULFILLED"],
  );
  assert.match(sceneId, /^radar--multi[.]spotlight[.]/);
  // 25 km2 of 0.1 credits, flexible.
  assert.equal(order.price, 2.5);
  assert.deepEqual([log[0].kind, log[0].credit], ["credit.preallocate", 2.5]);
  for (const path of pictures) assert.equal(readFileSync(path).subarray(1, 4).toString(), "PNG");
  assert.equal(pictures.length, 2);
  assert.deepEqual(
    steps.map(({ name }: { name: string }) => name),
    [
      "service",
      "feasibility",
      "windows",
      "credit check",
      "order",
      "capture",
      "search",
      "credits",
      "release",
      "picture",
    ],
  );
});
