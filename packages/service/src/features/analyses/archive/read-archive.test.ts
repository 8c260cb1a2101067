import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { zipOf } from "@swath/raster/archive/zip";
import { temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import { readArchive } from "./read-archive.ts";

const NEVER = new AbortController().signal;
const TILES = [
  [1, 0, 0],
  [2, 1, 1],
  [2, 1, 1],
  [2, 1, 1],
];

function frameOf(sceneId: string, maps: number, lastZoom = 14) {
  const made = Array.from({ length: maps }, (_, index) => ({
    mapId: `${"x".repeat(400)}${index}`,
    maxZoom: index === maps - 1 ? lastZoom : 14,
    tiles: TILES,
  }));
  return {
    scene: { sceneId },
    onlyIngested: false,
    results: { ndvi: made },
    innerPolygonsResults: {},
    actionMeta: {},
    failedActions: [],
    finishedActions: [],
    skippedActions: [],
  };
}

async function archiveOf(path: string, text: string): Promise<string> {
  const file = join(path, "analysis.zip");
  writeFileSync(file, await zipOf([{ name: "analysis.json", body: Buffer.from(text) }]));
  return file;
}

function documentOf(frames: readonly object[]): string {
  return JSON.stringify({ format: "swath-analysis", version: 1, analysis: { path: "a" }, frames });
}

/** The longest time that others waited for the event loop, in milliseconds. */
async function held(run: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await run();
  delay.disable();
  return delay.max / 1e6;
}

test("an archive of 9 MiB leaves the event loop free while it is read, and while its last map is refused", async () => {
  using folder = temporaryFolder();
  const good = await archiveOf(folder.path, documentOf([frameOf("small", 1), frameOf("large", 19_000)]));
  await readArchive(good, NEVER);
  const readMs = await held(async () => {
    const { frames } = await readArchive(good, NEVER);
    assert.deepEqual([frames.length, frames[1]?.results["ndvi"]?.length], [2, 19_000]);
  });
  const bad = await archiveOf(folder.path, documentOf([frameOf("large", 19_000, 31)]));
  const refuse = async (): Promise<void> => {
    await assert.rejects(readArchive(bad, NEVER), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual(
        [error.code, error.details?.[0]?.path],
        ["VALIDATION-ERROR", "/frames/0/results/ndvi/18999/maxZoom"],
      );
      return true;
    });
  };
  await refuse();
  const refusedMs = await held(refuse);
  // One call of `JSON.parse` and one of the schema take 300 ms. The bound allows for busy machines.
  assert.ok(Math.max(readMs, refusedMs) < 150, `the event loop was held for ${readMs} and ${refusedMs} ms`);
});

test("a document that is cut, too deep or without text that can be kept is refused by name", async () => {
  using folder = temporaryFolder();
  const whole = documentOf([]);
  const cases = [
    [whole.slice(0, -1), /^analysis[.]json is not JSON/],
    ["7", /has the format and version/],
    [`${"[".repeat(65)}${"]".repeat(65)}`, /nested deeper than 64/],
    [whole.replace('"a"', String.raw`"\u0000"`), /holds U[+]0000/],
  ] as const;
  for (const [text, message] of cases) {
    await assert.rejects(readArchive(await archiveOf(folder.path, text), NEVER), { code: "BAD-REQUEST", message });
  }
});

test("reading ends when its signal aborts", async () => {
  using folder = temporaryFolder();
  const file = await archiveOf(folder.path, documentOf([frameOf("large", 19_000)]));
  const ending = new AbortController();
  const reading = readArchive(file, ending.signal);
  setImmediate(() => ending.abort(new Error("gone")));
  await assert.rejects(reading, /gone/);
});
