import assert from "node:assert/strict";
import { test } from "node:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { createMapTypes } from "@swath/maps/registry";
import { openFsBlobStore } from "@swath/base/blobs/fs-blob-store";
import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import { createPipelineService } from "../../../platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "../../../platform/queue/pipeline-signals.ts";
import { createAnalyser } from "@swath/maps/engine/analyser";
import { openStoredRaster } from "@swath/raster/store/stored-raster";
import { openWorkFolders } from "../../../platform/uploads/work-folders.ts";
import { startWorker } from "../../../worker/worker.ts";
import { PART_LANE } from "./part-pipelines.ts";
import { createAnalysisParts } from "./parts.ts";
import { rainScene } from "./rain-scene-testing.ts";
import { createResults } from "./results.ts";

const mapTypes = createMapTypes([]);

const precipitation = mapTypes.find("precipitation")!;
const never = new AbortController().signal;
const AREA: MultiPolygon = {
  type: "MultiPolygon",
  coordinates: [
    [
      [
        [9.001, 49.2],
        [9.05, 49.2],
        [9.05, 49.649],
        [9.001, 49.649],
        [9.001, 49.2],
      ],
    ],
  ],
};

test("a large window is computed in parts by two workers, and joined without a seam", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const folder = await mkdtemp(join(tmpdir(), "swath-parts-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => rm(folder, { recursive: true, force: true }));
  const blobs = stack.use(await openFsBlobStore(join(folder, "blobs"), systemClock));
  const signals = stack.use(openPipelineSignals(database.url, silentLog));
  const pipelines = createPipelineService({ db, signals, retentionDays: 30 });
  const ran: number[] = [];
  const both = Promise.withResolvers<void>();
  const processes = await Promise.all(
    [0, 1].map(async (process) => {
      const folders = await openWorkFolders(join(folder, `work${process}`), systemClock);
      const analyser = stack.use(createAnalyser({ threads: 1, s3: null }));
      const parts = createAnalysisParts({ db, blobs, folders, analyser, pipelines });
      const handlers = new Map(
        [...parts.handlers].map(([kind, handler]) => [
          kind,
          {
            ...handler,
            run: async (...given: Parameters<typeof handler.run>) => {
              ran.push(process);
              // Neither goes on before the other has begun, so that both have a share however busy the machine is.
              if (new Set(ran).size === 2) both.resolve();
              await both.promise;
              return handler.run(...given);
            },
          },
        ]),
      );
      const worker = startWorker({ db, signals, lane: PART_LANE, log: silentLog, handlers, concurrency: 1 });
      stack.defer(async () => worker.stop(0));
      return { folders, analyser, parts };
    }),
  );
  const [first] = processes;
  const results = createResults({ db, clock: systemClock, blobs, sharedPixels: 100_000, ...first! });
  const scene = await rainScene(blobs, { widthPx: 512, heightPx: 5000 });
  const whole = { ...scene.stored.scene, footprint: AREA };
  const request = {
    mapType: precipitation,
    analysis: precipitation.analysis!,
    scenes: [{ ...scene.stored, scene: whole }],
    inside: AREA,
  };
  const shares: number[] = [];
  const outcome = await results.ensure(request, never, (share) => shares.push(share));
  assert.ok(outcome.kind === "ready");
  assert.equal(ran.length, 3, "three parts, each once");
  assert.equal(new Set(ran).size, 2, "both workers had a share");
  assert.deepEqual(
    shares.map((share) => Number(share.toFixed(2))),
    [0.25, 0.5, 0.75],
  );
  const [band] = outcome.result.raster.bands;
  assert.deepEqual([band?.widthPx, band?.heightPx], [512, 5000]);
  await using raster = await openStoredRaster(blobs, [band!]);
  const [plane] = await raster.readRows(0, 5000, never);
  for (let row = 0; row < 5000; row += row % 2048 > 2040 || row % 2048 < 8 ? 1 : 13) {
    for (let column = 0; column < 512; column += 7) {
      assert.ok(Object.is(plane![row * 512 + column], scene.valueAt(column, row)), `${column}, ${row}`);
    }
  }
  const left: string[] = [];
  for await (const { key } of blobs.list("results/")) left.push(key.split("/").at(-1) ?? "");
  assert.deepEqual(left.toSorted(), ["layer0.tif", "objects.json"], "what the parts have left is removed");
});
