import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { CoastMap } from "./coast-map.ts";
import { redAsset } from "./gdal-suite.ts";
import { finished } from "./finished.ts";
import { runPython } from "./python-suite.ts";
import { qgisPython } from "./qgis-suite.ts";
import type { StacTarget } from "./stac-suites.ts";
import { attempted, type StandardRun } from "./standard-run.ts";

const READ_AND_SHOW =
  'cd "$PLACE" && sh "$SCRIPT" && gdalinfo band.tif && gdalinfo map.png && ogrinfo -so scenes.gpkg "$COLLECTION"';
const EXAMPLES = join(import.meta.dirname, "..", "..", "examples");

/** Runs the examples of GDAL and QGIS as a user would, against the scene and its map. */
export async function runExamples(
  target: StacTarget,
  coast: CoastMap,
  folder: string,
): Promise<readonly StandardRun[]> {
  const variables = {
    SWATH_URL: new URL(target.rootUrl).origin,
    SWATH_TOKEN: target.token,
    COLLECTION: coast.collection,
    SCENE: coast.sceneId,
    MAP_ID: coast.mapId,
  };
  return [await runGdalExample(target, coast, folder, variables), await runQgisExample(folder, variables)];
}

async function runGdalExample(
  target: StacTarget,
  coast: CoastMap,
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<StandardRun> {
  const described = { client: "examples/gdal", ran: "read.sh: scenes, a band and a map" };
  if ((await finished("gdalinfo", ["--version"])).code !== 0) {
    return { ...described, outcome: "not installed", result: "needs gdal-bin" };
  }
  return await attempted(described, async () => {
    const place = await mkdtemp(join(folder, "gdal-"));
    const { name } = await redAsset(target, coast);
    const { code, log } = await finished("sh", ["-c", READ_AND_SHOW], {
      ...variables,
      ASSET: name,
      PLACE: place,
      SCRIPT: join(EXAMPLES, "gdal", "read.sh"),
    });
    assert.equal(code, 0, log.slice(-2000));
    assert.match(log, /Size is 128, 128/u);
    assert.match(log, /Size is 600, /u);
    const features = Number(/Feature Count: (\d+)/u.exec(log)?.[1] ?? 0);
    assert.ok(features > 0, "no scene");
    return `${features} scenes, two pictures`;
  });
}

async function runQgisExample(folder: string, variables: Readonly<Record<string, string>>): Promise<StandardRun> {
  const described = { client: "examples/qgis", ran: "add_layers.py: a map twice, scenes" };
  const found = await qgisPython();
  if (found === null) return { ...described, outcome: "not installed", result: "needs qgis and python3-qgis" };
  const settings = await mkdtemp(join(folder, "qgis-"));
  const example = join(EXAMPLES, "qgis", "add_layers.py");
  return await runPython(found.python, "run_qgis_example.py", [settings, example], described, variables);
}
