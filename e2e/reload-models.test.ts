import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { documentOf, modelFolder } from "../packages/maps/src/models/runtime/model-folder-testing.ts";
import { blobDetector } from "../packages/maps/src/models/runtime/onnx-testing.ts";
import { writeExampleModel } from "../scripts/example-model.ts";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";
import { until } from "./until.ts";

const SIZE = 128;

test("SIGUSR2 reads the models again: new ones are listed and run, faulty ones leave the models of before", async () => {
  const bytes = blobDetector(SIZE, 5, null);
  const document = documentOf(bytes, SIZE, {
    id: "squares",
    input: { dtype: "float32", size: [SIZE, SIZE], scale: 1 / 8000, valueRange: "byte" },
    gsd: { train: 10, min: 5, max: 20 },
    maxObjectM: 50,
  });
  await using models = await modelFolder({ squares: { bytes, document } });
  await using service = await ServiceProcess.start({ SWATH_MODELS: models.folder });
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const own = async (): Promise<readonly string[]> => {
    const { body } = await demo.post("/mapsvc/map-types/list");
    const entries: readonly { readonly mapType: string }[] = body;
    return entries.map(({ mapType }) => mapType).filter((id) => id.startsWith("model-"));
  };
  assert.deepEqual(await own(), ["model-squares"]);
  const sceneId = await ingestCoast(demo);
  await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
  const release = async (mapType: string) =>
    demo.run("/mapsvc/release", { mapTypes: [mapType], sceneIds: [sceneId], extent: COAST_AREA });

  const added = writeExampleModel(models.folder);
  process.kill(service.pid, "SIGUSR2");
  await until("the model is listed", async () => (await own()).includes("model-bright-spots"));
  assert.deepEqual((await release("model-bright-spots")).body.failed, []);

  writeFileSync(join(added, "manifest.json"), JSON.stringify({ ...document, conf: 7 }));
  process.kill(service.pid, "SIGUSR2");
  await until("the fault is logged", () => service.output.includes("the models of before stay"));
  assert.match(service.output, /bright-spots\/manifest\.json: \/conf: got 7, expected a number from 0\.001/u);
  assert.deepEqual((await own()).toSorted(), ["model-bright-spots", "model-squares"]);
  assert.deepEqual((await release("model-squares")).body.failed, []);

  writeFileSync(join(added, "manifest.json"), "{");
  writeExampleModel(models.folder);
  writeFileSync(join(models.folder, "squares", "manifest.json"), JSON.stringify({ ...document, description: "Anew" }));
  process.kill(service.pid, "SIGUSR2");
  const listed = async (): Promise<string> => JSON.stringify((await demo.post("/mapsvc/map-types/list")).body);
  await until("the model has its new description", async () => (await listed()).includes("Anew (model squares"));
});

test("a service without models goes on after SIGUSR2 and says why nothing was read", async () => {
  await using service = await ServiceProcess.start();
  process.kill(service.pid, "SIGUSR2");
  const client = new RawClient(service.baseUrl);
  await until("the reason is logged", () => service.output.includes("SWATH_MODELS names no folder"));
  assert.ok((await client.get("/health")).ok);
  assert.ok(service.isRunning);
});
