import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wrunc } from "../packages/maps/src/types/wrunc/map-type.ts";
import { createAnalyser } from "../packages/maps/src/engine/analyser.ts";
import { analysisGrid } from "../packages/maps/src/engine/analysis-grid.ts";
import { granuleScene } from "./granule-scene.ts";

const THREADS = 2;

/**
 * Land cover of a granule of 10980 x 10980 x 4 on two threads: reading, survey with training, blocks, writing the COG.
 */
export async function run(): Promise<void> {
  const { scene, raster, blobs } = await granuleScene();
  const { analysis } = wrunc;
  if (analysis === undefined) throw new Error("land cover is an analysis");
  const plan = analysis.plan([{ scene, raster, roles: raster.bands.map(({ role }) => role) }]);
  if (!plan.accepted) throw new Error(plan.errorMessage);
  const grid = analysisGrid(raster, plan.gridPosition, plan.reduction, analysis.largeBlockPx);
  const folder = await mkdtemp(join(tmpdir(), "swath-land-cover-"));
  await using analyser = createAnalyser({ threads: THREADS, s3: null });
  const signal = new AbortController().signal;
  try {
    const job = {
      mapType: wrunc.id,
      layers: analysis.layers,
      parameters: plan.parameters,
      source: {
        grid,
        scenes: [{ scene, raster, planes: plan.planes[0]! }],
        marginPx: analysis.marginPx,
        wantsLand: analysis.wantsLand,
      },
      window: { column: 0, row: 0, columns: grid.widthPx, rows: grid.heightPx },
      crs: { epsg: scene.crsEpsg, proj4: raster.proj4, name: "granule", datumShiftKnown: true },
      paths: Object.fromEntries(raster.bands.map(({ key }) => [key, blobs.localPath(key)])),
      folder,
    };
    const startedMs = performance.now();
    const { model, description } = await analyser.run({ stage: "survey", job }, signal);
    const surveyedMs = performance.now();
    await analyser.run({ stage: "whole", job, model }, signal);
    const endedMs = performance.now();
    const { user, system } = process.cpuUsage();
    const megapixels = (grid.widthPx * grid.heightPx) / 1e6;
    process.stdout.write(
      `survey ${((surveyedMs - startedMs) / 1000).toFixed(1)} s, ${JSON.stringify(description)}\n` +
        `blocks ${((endedMs - surveyedMs) / megapixels).toFixed(0)} ms a megapixel on ${THREADS} threads\n` +
        `processor time ${((user + system) / 1e6).toFixed(0)} s in all, ${((user + system) / 1e3 / megapixels).toFixed(0)} ms a megapixel\n` +
        `land-cover ${((endedMs - startedMs) / 1000).toFixed(1)} s\n`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
