import { createAnalyser } from "../packages/maps/src/engine/analyser.ts";
import { analysisGrid } from "../packages/maps/src/engine/analysis-grid.ts";
import { readModels } from "../packages/maps/src/models/runtime/read-models.ts";
import { createMapTypes } from "../packages/maps/src/registry.ts";
import { sceneFixture } from "../packages/maps/src/render/testing.ts";
import { fileSource } from "../packages/raster/src/tiff/byte-sources.ts";
import { openTiff } from "../packages/raster/src/tiff/open.ts";
import type { PixelArray } from "../packages/raster/src/source-raster.ts";

const { signal } = new AbortController();
const LIMITS = { timeoutMs: 300_000, memoryBytes: 4 * 1024 ** 3 };
/** Side of the part that is looked at: few tiles of a network. */
const SIDE_PX = 256;

/** The first 256 x 256 pixels of each band of a file. */
async function cornerOf(path: string): Promise<readonly PixelArray[]> {
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  const bands = await raster.readRows(0, SIDE_PX, signal);
  return bands.map((pixels) => {
    const corner = pixels.slice(0, SIDE_PX * SIDE_PX);
    for (let row = 0; row < SIDE_PX; row++) {
      corner.set(pixels.subarray(row * raster.widthPx, row * raster.widthPx + SIDE_PX), row * SIDE_PX);
    }
    return corner;
  });
}

/**
 * The map type of clouds with the models of a folder, on a scene of six bands in ten-thousandths of reflectance.
 *
 * @returns classes of its pixels, labels of the same pixels, and the description of the model
 */
export async function cloudsOfScene(models: string, scenePath: string, labelsPath: string) {
  const { models: installed, faults } = readModels(models);
  if (faults.length > 0) throw new Error(faults.join("; "));
  const analysis = createMapTypes(installed.map(({ manifest }) => manifest)).find("clouds")?.analysis;
  if (analysis === undefined) throw new RangeError("clouds are an analysis");
  const [labels] = await cornerOf(labelsPath);
  await using fixture = await sceneFixture({
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
    bands: await cornerOf(scenePath),
    roles: ["B", "G", "R", "N", "S1", "S2"],
    quantity: "reflectance",
    transform: [30, 0, 500_000, 0, -30, 5_500_000],
  });
  const { scene, raster } = fixture.stored;
  const plan = analysis.plan([{ scene, raster, roles: raster.bands.map(({ role }) => role) }]);
  if (!plan.accepted) throw new Error(plan.errorMessage);
  const job = {
    mapType: "clouds",
    layers: analysis.layers,
    parameters: plan.parameters,
    source: {
      grid: analysisGrid(raster, plan.gridPosition, plan.reduction),
      scenes: [{ scene, raster, planes: plan.planes[0] ?? [] }],
      marginPx: analysis.marginPx,
      wantsLand: false,
    },
    window: { column: 0, row: 0, columns: SIDE_PX, rows: SIDE_PX },
    crs: { epsg: 32_632, proj4: raster.proj4, name: "EPSG:32632", datumShiftKnown: true },
    paths: Object.fromEntries(raster.bands.map(({ key }) => [key, fixture.local.localPath(key)])),
    folder: fixture.folder,
  };
  await using analyser = createAnalyser({ threads: 1, s3: null, models: { installed, limits: LIMITS } });
  const { model, description } = await analyser.run({ stage: "survey", job }, signal);
  const { bands } = await analyser.run({ stage: "whole", job, model }, signal);
  const [classes] = await cornerOf(bands[0]?.path ?? "");
  if (classes === undefined || labels === undefined) throw new RangeError("a file has a band");
  return { classes, labels, description };
}
