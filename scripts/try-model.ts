/**
 * Tries models on one scene, with a service of its own that ends with it:
 * `npx node scripts/try-model.ts SCENE.tif [--models FOLDER] [--bands B,G,R,N] [--sensor NAME] [--out FOLDER]`.
 * Without `--models` a model that needs no training is written to `<out>/models` and tried.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "@swath/client";
import { readDemoLogin } from "../packages/cli/src/demo-login.ts";
import { startOwnService } from "../packages/cli/src/own-service.ts";
import { sceneDocumentFor } from "../packages/cli/src/scene-document.ts";
import { openUpload, uploadScene } from "../packages/cli/src/upload-scene.ts";
import { writeExampleModel } from "./example-model.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    models: { type: "string" },
    bands: { type: "string" },
    sensor: { type: "string" },
    out: { type: "string", default: "out" },
  },
});
const [file] = positionals;
if (file === undefined) throw new Error("which scene? give a GeoTIFF or a zip");
const out = resolve(options.out);
mkdirSync(out, { recursive: true });
const models = resolve(options.models ?? join(out, "models"));
if (options.models === undefined) writeExampleModel(models);

const data = mkdtempSync(join(tmpdir(), "swath-try-model-"));
process.env["SWATH_MODELS"] = models;
try {
  await using service = await startOwnService(data);
  const login = await readDemoLogin(data);
  if (login === null) throw new Error("the service has a demonstration user of its own: unset SWATH_DEMO_EMAIL");
  const client = createClient({
    baseUrl: service.url,
    credentials: { username: login.email, password: login.password },
  });
  const signal = new AbortController().signal;
  const { bands, sensor } = options;
  const known = { ...(bands === undefined ? {} : { bands }), ...(sensor === undefined ? {} : { sensor }) };
  const [scene] = await uploadScene(client, await openUpload(file, await sceneDocumentFor(file, known)), {
    provider: "local",
    progress: () => ({ update: () => {}, stop: () => {} }),
    signal,
  });
  if (scene === undefined) throw new Error("the service has made no scene of the file");
  const { footprint } = await client.call("/imagery/scene-info", { sceneId: scene.sceneId });
  await client.call("/credits/area/allocate-geojson", { sceneIds: [scene.sceneId], geojson: footprint });
  const listed = await client.call("/mapsvc/map-types/list", {});
  const types = listed.filter(({ mapType }) => mapType.startsWith("model-"));
  const { maps, failed } = await client.run("/mapsvc/release", {
    mapTypes: types.map(({ mapType }) => mapType),
    sceneIds: [scene.sceneId],
    extent: footprint,
  });
  for (const { mapType, errorCode, errorMessage } of failed) console.log(`${mapType}: ${errorCode}: ${errorMessage}`);
  for (const { mapType, mapId, tiles } of maps) {
    const gridFiles = types.find((type) => type.mapType === mapType)?.gridFiles ?? {};
    const isDetector = gridFiles["geojson"]?.includes("detections.geojson") === true;
    const features: unknown[] = [];
    for (const [index, tile] of tiles.entries()) {
      const at = `${service.url}/mapsvc/grid/${mapId}/-/${tile.join("/")}`;
      // oxlint-disable-next-line no-await-in-loop -- at most four tiles
      const picture = await fetch(`${at}/segmentation.png`);
      const path = join(out, `${mapType}-${index}.png`);
      // oxlint-disable-next-line no-await-in-loop
      writeFileSync(path, new Uint8Array(await picture.arrayBuffer()));
      console.log(`${mapType}: ${path}`);
      if (!isDetector) continue;
      // oxlint-disable-next-line no-await-in-loop
      const found = (await (await fetch(`${at}/detections.geojson`)).json()) as {
        readonly features: readonly unknown[];
      };
      features.push(...found.features);
    }
    if (!isDetector) continue;
    const path = join(out, `${mapType}.geojson`);
    writeFileSync(path, JSON.stringify({ type: "FeatureCollection", features }));
    console.log(`${mapType}: ${features.length} objects in ${path}`);
  }
  if (maps.length === 0) process.exitCode = 1;
} finally {
  rmSync(data, { recursive: true, force: true });
}
