import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createProjection } from "@swath/kernel/crs/projection";
import { documentOf, modelFolder, type Document } from "../packages/maps/src/models/runtime/model-folder-testing.ts";
import {
  blobDetector,
  brightnessClassifier,
  endlessModel,
  externalTensor,
  hungryModel,
  node,
  onnxModel,
} from "../packages/maps/src/models/runtime/onnx-testing.ts";
import { writeExampleModel } from "../scripts/example-model.ts";
import { COAST_AREA, upload } from "./main-job.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";
import { eventually, until } from "./until.ts";

const TILE_PX = 128;
const OBJECT_PX = 5;
const PIXEL_M = 10;
/** Corner of the scene, metres of UTM zone 33. */
const [EAST, NORTH] = [500_000, 100_000];
/** Middles of bright squares, pixels, all inside the released area; each is seen by several tiles of the model. */
const MIDDLES = [
  [40, 40],
  [64, 100],
  [128, 128],
  [129, 200],
  [190, 66],
  [215, 215],
] as const;
const MAX_OFF_PX = 0.5;

const SHAPE = [1, 1, TILE_PX, TILE_PX];
const IDENTITY = node("Identity", ["images"], "output0");
const SEGMENT = { task: "segment", output: { format: "mask" } } as const;

function scene(): Uint8Array {
  const half = (OBJECT_PX - 1) / 2;
  const isSquare = (column: number, row: number): boolean =>
    MIDDLES.some(([x, y]) => Math.abs(column - x) <= half && Math.abs(row - y) <= half);
  return coastGeotiff({ value: (_, column, row) => (isSquare(column, row) ? 3800 : 300 + ((column + row) % 7)) });
}

/** A model of a manifest for the scene; red is stored as 0 to 4000. */
function model(id: string, bytes: Uint8Array, changes: Document = {}) {
  const document = documentOf(bytes, TILE_PX, {
    id,
    input: { dtype: "float32", size: [TILE_PX, TILE_PX], scale: 1 / 4000, valueRange: "byte" },
    gsd: { train: PIXEL_M, min: 5, max: 20 },
    maxObjectM: 50,
    licence: "CC0-1.0, made by the test",
    ...changes,
  });
  return { bytes, document };
}

/** A model of skl2onnx in a sub-folder of the models. */
function writeForest(folder: string, id: string, file: string, changes: Document): void {
  const bytes = readFileSync(join(import.meta.dirname, `../packages/maps/src/models/runtime/skl2onnx/${file}.onnx`));
  const document = {
    id,
    description: "A forest of scikit-learn",
    version: "1",
    bands: ["red", "nir"],
    input: { form: "rows", dtype: "float32", scale: 1 / 4000, valueRange: "byte" },
    gsd: { train: PIXEL_M, min: 5, max: 60 },
    sha256: createHash("sha256").update(bytes).digest("hex"),
    license: "CC0-1.0",
    ...changes,
  };
  mkdirSync(join(folder, id));
  writeFileSync(join(folder, id, "model.onnx"), bytes);
  writeFileSync(join(folder, id, "manifest.json"), JSON.stringify(document));
}

/** What made the result is in its file. */
function checkRecord(metadata: unknown): void {
  const text = JSON.stringify(metadata);
  assert.match(text, /onnx:squares/);
  assert.match(text, /CC0-1\.0, made by the test/);
  assert.match(text, /"sha256":"[0-9a-f]{64}"/);
}

/** What the service prints when it is started with one folder of models, and that it ends. */
async function refusedStart(models: Parameters<typeof modelFolder>[0]): Promise<string> {
  await using folder = await modelFolder(models);
  try {
    await using service = await ServiceProcess.start({ SWATH_MODELS: folder.folder });
    return assert.fail(`the service runs at ${service.baseUrl}`);
  } catch (error) {
    assert.ok(error instanceof Error);
    assert.match(error.message, /^the service ended with 2:/);
    return error.message;
  }
}

test("a service with broken models does not start, and names what is wrong with each", async () => {
  const good = model("good", blobDetector(TILE_PX, OBJECT_PX, null));
  const said = await refusedStart({
    good,
    "wrong-digest": model("wrong-digest", good.bytes, { sha256: "0".repeat(64) }),
    "empty-file": model("empty-file", new Uint8Array(0)),
    "no-file": { ...model("no-file", good.bytes), bytes: null },
    "bad-manifest": model("bad-manifest", good.bytes, { conf: 7, task: "dream" }),
    "custom-operator": model(
      "custom-operator",
      onnxModel(SHAPE, SHAPE, [node("Run", ["images"], "output0", {}, "evil")]),
      SEGMENT,
    ),
    "other-file": model(
      "other-file",
      onnxModel(SHAPE, SHAPE, [IDENTITY, externalTensor("w", [9], "/etc/passwd")]),
      SEGMENT,
    ),
    "other-bands": model("other-bands", good.bytes, { bands: ["red", "green"] }),
  });
  assert.doesNotMatch(said, /models-[^/]*\/good\//);
  assert.match(said, /SWATH_MODELS: .*wrong-digest\/model\.onnx: got the SHA-256 [0-9a-f]{64}, expected 0{64}/);
  assert.match(said, /SWATH_MODELS: .*empty-file\/model\.onnx: has 0 graphs, expected 1/);
  assert.match(said, /SWATH_MODELS: .*no-file\/model\.onnx cannot be read: ENOENT/);
  assert.match(said, /SWATH_MODELS: .*bad-manifest\/manifest\.json: \/conf: got 7, expected a number from 0\.001/);
  assert.match(said, /SWATH_MODELS: .*bad-manifest\/manifest\.json: \/task: got "dream", expected one of detect-hbb/);
  assert.match(said, /SWATH_MODELS: .*custom-operator\/model\.onnx: needs the operator Run of evil/);
  assert.match(said, /SWATH_MODELS: .*other-file\/model\.onnx: keeps the numbers of w in another file/);
  assert.match(
    said,
    /SWATH_MODELS: .*other-bands\/manifest\.json: the model's input is 1 x 1 x 128 x 128, expected 1 x 2/,
  );
});

/** Processes of models that a process has started. */
function modelProcessesOf(pid: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => {
      try {
        const isChild = new RegExp(`^PPid:\\s+${pid}$`, "m").test(readFileSync(`/proc/${one}/status`, "utf8"));
        return isChild && readFileSync(`/proc/${one}/cmdline`, "utf8").includes("model-process.ts");
      } catch {
        // It has ended meanwhile.
        return false;
      }
    });
}

/** Whether a process is gone, or only waits for somebody to ask how it ended. */
function hasEnded(pid: number): boolean {
  try {
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return true;
  }
}

describe("a service with models", () => {
  let models: Awaited<ReturnType<typeof modelFolder>>;
  let service: ServiceProcess;
  let demo: RawClient;
  let sceneId: string;
  let folder: string;
  let gridFiles: Readonly<Record<string, readonly string[]>>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "swath-e2e-models-"));
    models = await modelFolder({
      squares: model("squares", blobDetector(TILE_PX, OBJECT_PX, null)),
      brightness: model("brightness", brightnessClassifier(TILE_PX, 1, 0.1), {
        task: "classify",
        classes: ["dark", "bright"],
        output: { format: "classify", activation: "softmax" },
      }),
      endless: model("endless", endlessModel(TILE_PX), SEGMENT),
      hungry: model("hungry", hungryModel(TILE_PX, 2 ** 31), SEGMENT),
      far: model("far", blobDetector(TILE_PX, OBJECT_PX, null), {
        gsd: { train: 0.5, min: 0.3, max: 1 },
        maxObjectM: 4,
      }),
    });
    writeExampleModel(models.folder);
    writeForest(models.folder, "crops", "crops", {
      task: "segment",
      classes: ["water", "bare", "crops"],
      output: { format: "labels", labels: [10, 20, 30] },
    });
    writeForest(models.folder, "biomass", "biomass", {
      task: "regress",
      dates: 2,
      output: { format: "values" },
      value: { name: "biomass", unit: "t/ha", range: [0, 60], ramp: "rain" },
    });
    service = await ServiceProcess.start({
      SWATH_MODELS: models.folder,
      SWATH_MODEL_TIMEOUT_SECONDS: "3",
      SWATH_MODEL_MEMORY_MB: "256",
      // One thread runs all of them, so that the good ones come after the bad.
      SWATH_TILE_WORKERS: "1",
    });
    demo = await new RawClient(service.baseUrl).login(DEMO);
    const filepath = await upload(demo, scene());
    const ingested = await demo.post("/imagery/ingest-scene", { provider: "local", filepath });
    assert.equal(ingested.status, 200, JSON.stringify(ingested.body));
    ({ sceneId } = ingested.body.ingestedScenes[0]);
  });

  after(async () => {
    await service[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test("they are listed with their files, licence and classes, to those who may use them only", async () => {
    const { body } = await demo.post("/mapsvc/map-types/list");
    const entries: readonly { readonly mapType: string }[] = body;
    const own = entries.map(({ mapType }) => mapType).filter((id) => id.startsWith("model-"));
    assert.deepEqual(own.toSorted(), [
      "model-biomass",
      "model-bright-spots",
      "model-brightness",
      "model-crops",
      "model-endless",
      "model-far",
      "model-hungry",
      "model-squares",
    ]);
    const squares = body.find((entry: { mapType: string }) => entry.mapType === "model-squares");
    assert.equal(squares.description, "Bright squares (model squares 1; CC0-1.0, made by the test)");
    assert.deepEqual(Object.keys(squares.segmentationMetadata.segmentationColors), ["square"]);
    assert.deepEqual(squares.gridFiles.geojson, ["detections.geojson"]);
    ({ gridFiles } = squares);
    const made = await demo.post("/user/api-key/create", {
      name: "one-model",
      permissions: ["mapsvc.release", "imagery.images", "algorithms.model-squares.local"],
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const limited = demo.as(made.body.key);
    const listed = await limited.post("/mapsvc/map-types/list");
    assert.deepEqual(
      listed.body.map((entry: { mapType: string }) => entry.mapType),
      ["imagery", "model-squares"],
    );
    const refused = await limited.post("/mapsvc/release/initiate", {
      mapTypes: ["model-brightness"],
      sceneIds: [sceneId],
      extent: COAST_AREA,
    });
    assert.equal(refused.body.error, "NOT-AUTHORIZED", JSON.stringify(refused.body));
  });

  test("a dry run tells the tiles and the price, which the allocation then costs", async () => {
    const dry = await demo.run("/mapsvc/dry-run", {
      dryRuns: [{ mapTypes: ["model-squares", "model-far"], scenes: [[sceneId]] }],
      extent: COAST_AREA,
    });
    assert.equal(dry.status, 200, JSON.stringify(dry.body));
    const allocated = await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
    assert.equal(allocated.status, 200, JSON.stringify(allocated.body));
    assert.ok(Math.abs(allocated.body.cost - dry.body.allocatedCredits) < 1e-6, JSON.stringify(dry.body));
  });

  test("every grid file of what a model finds, with each object once and in its place", async () => {
    const released = await demo.run("/mapsvc/release", {
      mapTypes: ["model-squares", "model-far"],
      sceneIds: [sceneId],
      extent: COAST_AREA,
    });
    assert.equal(released.status, 200, JSON.stringify(released.body));
    assert.deepEqual(
      released.body.failed.map((failed: { mapType: string; errorCode: string }) => [failed.mapType, failed.errorCode]),
      [["model-far", "GSD-TOO-COARSE"]],
    );
    const [{ mapId, tiles }] = released.body.maps;
    const features: { geometry: { coordinates: number[][][] }; properties: Record<string, unknown> }[] = [];
    for (const [z, x, y] of tiles) {
      for (const [suffix, names] of Object.entries(gridFiles)) {
        for (const name of names) {
          const answer = await demo.get(`/mapsvc/grid/${mapId}/-/${z}/${x}/${y}/${name}`);
          const bytes = Buffer.from(await answer.arrayBuffer());
          assert.equal(answer.status, 200, `${name}: ${bytes.toString("utf8", 0, 300)}`);
          assert.ok(bytes.length > 0, name);
          if (name === "detections.geojson") features.push(...JSON.parse(bytes.toString()).features);
          if (suffix === "geotiff") openTiff(bytes);
          if (name === "metadata.json") checkRecord(JSON.parse(bytes.toString()));
        }
      }
    }
    assert.equal(features.length, MIDDLES.length);
    const utm = createProjection("+proj=utm +zone=33 +datum=WGS84 +units=m +no_defs +x_0=500000 +y_0=0");
    for (const [column, row] of MIDDLES) {
      const off = features.map(({ geometry }) => {
        const ring = geometry.coordinates[0]!.slice(0, -1).map(([lon = 0, lat = 0]) => utm.forward(lon, lat));
        const [east, north] = [0, 1].map((axis) => ring.reduce((sum, place) => sum + place[axis]!, 0) / ring.length);
        return Math.hypot((east! - EAST) / PIXEL_M - column - 0.5, (NORTH - north!) / PIXEL_M - row - 0.5);
      });
      assert.ok(Math.min(...off) < MAX_OFF_PX, `the square at ${column}, ${row} is ${Math.min(...off)} pixels off`);
    }
    for (const { properties } of features) {
      assert.match(String(properties["source"]), /^onnx:squares@[0-9a-f]{12}$/);
      assert.ok(Number(properties["confidence"]) > 0.3 && Number(properties["confidence"]) <= 1);
    }
  });

  function openTiff(bytes: Buffer): void {
    const path = join(folder, "tile.tif");
    writeFileSync(path, bytes);
    const info = spawnSync("gdalinfo", ["-json", path], { encoding: "utf8" });
    if (info.error !== undefined) return;
    assert.equal(info.status, 0, info.stderr);
    assert.match(JSON.parse(info.stdout).coordinateSystem.wkt, /3857/);
  }

  test("windows are classified, with a layer of how sure the model is", async () => {
    const released = await demo.run("/mapsvc/release", {
      mapTypes: ["model-brightness"],
      sceneIds: [sceneId],
      extent: COAST_AREA,
    });
    assert.deepEqual(released.body.failed, []);
    const [{ mapId, tiles }] = released.body.maps;
    const [[z, x, y]] = tiles;
    for (const name of ["dark.png", "bright.png", "confidence.png", "segmentation.png", "polygons.geojson"]) {
      const answer = await demo.get(`/mapsvc/grid/${mapId}/-/${z}/${x}/${y}/${name}`);
      assert.equal(answer.status, 200, `${name}: ${await answer.text()}`);
    }
    const area = await (await demo.get(`/mapsvc/grid/${mapId}/-/${z}/${x}/${y}/area.json`)).text();
    // Red is 300 of 4000 nearly everywhere, which is less than the threshold of 0.1.
    assert.match(area, /dark/);
  });

  test("a model of rows classifies pixels, and a regression of two dates draws its numbers", async () => {
    const filepath = await upload(demo, coastGeotiff());
    const metadata = { datetime: "2030-01-01 10:00:00" };
    const later = await demo.post("/imagery/ingest-scene", { provider: "local", filepath, metadata });
    assert.equal(later.status, 200, JSON.stringify(later.body));
    const second: string = later.body.ingestedScenes[0].sceneId;
    await demo.post("/credits/area/allocate-geojson", { sceneIds: [second], geojson: COAST_AREA });
    const released = await demo.run("/mapsvc/release", {
      mapTypes: ["model-biomass", "model-crops"],
      sceneIds: [sceneId, second],
      extent: COAST_AREA,
    });
    assert.deepEqual(released.body.failed, [], JSON.stringify(released.body));
    const maps: readonly { mapType: string; mapId: string; tiles: number[][]; sceneIds?: string[] }[] =
      released.body.maps;
    const biomass = maps.filter(({ mapType }) => mapType === "model-biomass");
    assert.equal(biomass.length, 1, "one map of both dates");
    assert.equal(maps.filter(({ mapType }) => mapType === "model-crops").length, 2);
    for (const { mapType, mapId, tiles } of maps) {
      const [[z, x, y] = []] = tiles;
      const names =
        mapType === "model-biomass" ? ["biomass.png", "analysis.geotiff"] : ["crops.png", "polygons.geojson"];
      for (const name of [...names, "metadata.json"]) {
        const answer = await demo.get(`/mapsvc/grid/${mapId}/-/${z}/${x}/${y}/${name}`);
        assert.equal(answer.status, 200, `${mapType} ${name}: ${await answer.text()}`);
      }
    }
  });

  test("models that never end or take all memory fail alone, and the service goes on", async () => {
    const { pid } = service;
    const request = {
      mapTypes: ["model-endless", "model-hungry", "model-squares", "imagery"],
      sceneIds: [sceneId],
      extent: COAST_AREA,
    };
    const released = await demo.run("/mapsvc/release", request);
    assert.equal(released.status, 200, JSON.stringify(released.body));
    const failed: readonly { mapType: string; errorCode: string; errorMessage: string }[] = released.body.failed;
    assert.deepEqual(
      failed.map(({ mapType, errorCode }) => [mapType, errorCode]),
      [
        ["model-endless", "PROCESSING-ERROR"],
        ["model-hungry", "PROCESSING-ERROR"],
      ],
    );
    const said = (id: string): string => failed.find(({ mapType }) => mapType === id)?.errorMessage ?? "";
    assert.match(said("model-endless"), /^the model endless took longer than 12 s for one tile$/);
    assert.match(
      said("model-hungry"),
      /^the model hungry (?:failed: .*(?:alloc|memory)|took more memory than 256 MiB)/is,
    );
    assert.deepEqual(released.body.maps.map(({ mapType }: { mapType: string }) => mapType).toSorted(), [
      "imagery",
      "model-squares",
    ]);
    assert.equal(service.pid, pid);
    const again = await demo.run("/mapsvc/release", { ...request, mapTypes: ["ndvi"] });
    assert.equal(again.body.maps.length, 1, JSON.stringify(again.body));
  });

  test("a model that runs when the service dies ends with it", { skip: !existsSync("/proc/self/status") }, async () => {
    const { pid } = service;
    const area = COAST_AREA.coordinates[0].map(([lon, lat]) => [lon, lat + 0.0001]);
    const extent = { type: "Polygon", coordinates: [area] };
    await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: extent });
    const request = { mapTypes: ["model-endless"], sceneIds: [sceneId], extent };
    const idle = new Set(modelProcessesOf(pid));
    const initiated = await demo.post("/mapsvc/release/initiate", request);
    assert.equal(initiated.status, 200, JSON.stringify(initiated.body));
    const busy = await eventually("a model runs", () => modelProcessesOf(pid).find((one) => !idle.has(one)));
    await service.kill();
    await until("the process of the model ends", () => hasEnded(busy));
  });
});
