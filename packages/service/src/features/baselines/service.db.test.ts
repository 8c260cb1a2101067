import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StateVector } from "@swath/kernel/orbits/state-vector";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import yazl from "yazl";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { sampleData } from "@swath/base/sample-data";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { ALICE, contextOf, ingestionBench, type IngestionBench } from "../ingestion/testing.ts";
import { createBaselineService, type BaselineService } from "./service.ts";

const catalog = createCatalog(providers);
let bench: IngestionBench;
let service: BaselineService;
const signal = new AbortController().signal;

before(async () => {
  bench = await ingestionBench();
  service = createBaselineService({ db: bench.db, imagery: bench.imagery, catalog, source: null });
});
after(async () => {
  await bench[Symbol.asyncDispose]();
});

const FOOTPRINT: MultiPolygon = {
  type: "MultiPolygon",
  coordinates: [
    [
      [
        [13, -1],
        [15, -1],
        [15, 1],
        [13, 1],
        [13, -1],
      ],
    ],
  ],
};

/** Upwards over the meridian of ten degrees east, `heightM` above the usual. */
function passing(heightM: number): readonly StateVector[] {
  const lon = (10 * Math.PI) / 180;
  const radiusM = 7_070_000 + heightM;
  const rate = Math.sqrt(3.986e14 / radiusM ** 3);
  return Array.from({ length: 9 }, (_, k) => {
    const angle = rate * (k - 4) * 10;
    const flat = radiusM * Math.cos(angle);
    const inward = -radiusM * rate * Math.sin(angle);
    return {
      timeMs: Date.UTC(2024, 0, 1) + 10_000 * k,
      positionM: [flat * Math.cos(lon), flat * Math.sin(lon), radiusM * Math.sin(angle)],
      velocityMs: [inward * Math.cos(lon), inward * Math.sin(lon), radiusM * rate * Math.cos(angle)],
    };
  });
}

async function known(local: string, more: Partial<Scene> = {}): Promise<string> {
  const { provider = "esa", dataset = "COPERNICUS/S1_SLC" } = more;
  const id = sceneId(provider, dataset, local);
  const scene: Scene = {
    sceneId: id,
    foreignId: local,
    provider,
    dataset,
    satellite: "Sentinel-1A",
    datetime: "2024-01-01 00:00:00",
    crsEpsg: 0,
    footprint: FOOTPRINT,
    areaKm2: 1,
    orbitPass: "ascending",
    lookSide: "right",
    relativeOrbitNumberStart: 44,
    bands: [],
    ...more,
  };
  await bench.imagery.insertScenes([{ scene, raster: null, contentHash: null }]);
  return id;
}

async function withOrbit(id: string, heightM: number): Promise<string> {
  await inTransaction(bench.db, (trx) => service.keepStateVectors(trx, id, passing(heightM)));
  return id;
}

test("the matrix follows the order of the request and says null for what forms no pair", async () => {
  const ids = [
    await withOrbit(await known("low"), 0),
    await withOrbit(await known("high"), 150),
    await withOrbit(await known("other track", { relativeOrbitNumberStart: 45 }), 0),
    await withOrbit(await known("descending", { orbitPass: "descending" }), 0),
    await withOrbit(await known("left", { lookSide: "left" }), 0),
    await known("without orbit"),
    await known("detected", { provider: "ee", dataset: "COPERNICUS/S1_GRD" }),
  ];
  const { indexes, perpendicular_baselines: matrix } = await service.perpendicularBaselines(ids, ALICE, signal);
  assert.deepEqual(indexes, Object.fromEntries(ids.map((id, index) => [id, index])));
  assert.equal(matrix.length, ids.length);
  const high = matrix[0]?.[1] ?? Number.NaN;
  assert.ok(high > 50 && high < 150, String(high));
  assert.ok(Math.abs(high + (matrix[1]?.[0] ?? Number.NaN)) < 0.1);
  for (const [row, values] of matrix.entries()) {
    for (const [column, value] of values.entries()) {
      if (row === column) assert.equal(value, row === 6 ? null : 0);
      else if (row > 1 || column > 1) assert.equal(value, null, `${row} ${column}`);
    }
  }
});

test("orbits that were not ingested are asked of the source, and what the store has goes before", async () => {
  const [ours, theirs] = [await withOrbit(await known("ours"), 0), await known("theirs")];
  const asked: string[] = [];
  const withSource = createBaselineService({
    db: bench.db,
    imagery: bench.imagery,
    catalog,
    source: {
      stateVectors: (id) => {
        asked.push(id);
        return Promise.resolve(passing(150));
      },
    },
  });
  const { perpendicular_baselines: matrix } = await withSource.perpendicularBaselines([ours, theirs], ALICE, signal);
  assert.ok((matrix[0]?.[1] ?? 0) > 50);
  assert.deepEqual(asked, [theirs]);
});

test("vectors of a scene are replaced by newer ones, and those of an unknown scene are nobody's", async () => {
  const [a, b] = [await withOrbit(await known("a"), 0), await withOrbit(await known("b"), 0)];
  const baseline = async () =>
    (await service.perpendicularBaselines([a, b], ALICE, signal)).perpendicular_baselines[0]?.[1];
  assert.equal(await baseline(), 0);
  await withOrbit(b, 150);
  assert.ok(((await baseline()) ?? 0) > 50);
  await withOrbit("esa.nothing.nothing", 0);
});

test("an unknown scene is named", async () => {
  const id = await known("known");
  await assert.rejects(
    service.perpendicularBaselines([id, "esa.COPERNICUS-_S1_SLC.unknown"], ALICE, signal),
    (error: unknown) =>
      error instanceof ServiceError && error.code === "NON-EXISTING-SCENE" && /unknown/.test(error.message),
  );
});

async function slcZip(name: string): Promise<Uint8Array | null> {
  const folder = sampleData("sar_slc", `${name}.SAFE`);
  if (folder === null) return null;
  const zip = new yazl.ZipFile();
  const options = { mtime: new Date(0) };
  zip.addBuffer(await readFile(join(folder, "manifest.safe")), `${name}.SAFE/manifest.safe`, options);
  for (const file of await readdir(join(folder, "annotation"))) {
    zip.addBuffer(await readFile(join(folder, "annotation", file)), `${name}.SAFE/annotation/${file}`, options);
  }
  zip.end();
  return new Uint8Array(await buffer(zip.outputStream));
}

const PAIR = [
  "S1A_IW_SLC__1SDV_20250406T022008_20250406T022035_058630_07421F_93A7",
  "S1A_IW_SLC__1SDV_20250418T022008_20250418T022035_058805_074946_C7D4",
] as const;

test("two real SLC products are ingested by their documents and have the baseline that ISCE2 computes", async (t) => {
  const ids: string[] = [];
  for (const [index, name] of PAIR.entries()) {
    const bytes = await slcZip(name);
    if (bytes === null) return t.skip("sample data absent");
    const filepath = await bench.upload(bytes, `slc_${index}`, ".zip");
    const { ingestedScenes } = await bench.ingestion.ingestAndWait({ provider: "esa", filepath }, contextOf(ALICE));
    const [scene] = ingestedScenes;
    assert.equal(scene?.duplicate, false);
    ids.push(scene.sceneId);
  }
  const scene = await bench.imagery.sceneInfo({ sceneId: ids[0] ?? "" });
  assert.deepEqual(
    [scene.provider, scene.dataset, scene.foreignId, scene.satellite, scene.datetime, scene.mode, scene.sliceNumber],
    ["esa", "COPERNICUS/S1_SLC", PAIR[0], "Sentinel-1A", "2025-04-06 02:20:08", "IW", 12],
  );
  assert.deepEqual([scene.orbitPass, scene.lookSide, scene.relativeOrbitNumberStart], ["ascending", "right", 108]);
  assert.equal(await bench.imagery.stored(scene.sceneId), null, "its pixels are not in the store");
  const { perpendicular_baselines: matrix } = await service.perpendicularBaselines(ids, ALICE, signal);
  // ISCE2 states -121.76 m at the first and -121.18 m at the last burst of the swath.
  const value = matrix[0]?.[1] ?? Number.NaN;
  assert.ok(value > 120.9 && value < 122.1, String(value));

  const again = await bench.upload((await slcZip(PAIR[0])) ?? new Uint8Array(), "again", ".zip");
  const repeated = await bench.ingestion.ingestAndWait({ provider: "esa", filepath: again }, contextOf(ALICE));
  const [duplicate] = repeated.ingestedScenes;
  assert.deepEqual([duplicate?.duplicate, duplicate?.sceneId], [true, ids[0]]);
  assert.deepEqual([duplicate?.understood?.sensor, duplicate?.warnings], [null, undefined]);
});

test("a complex product is no scene of a dataset of rasters, and a raster none of complex products", async (t) => {
  const bytes = await slcZip(PAIR[1]);
  if (bytes === null) return t.skip("sample data absent");
  const filepath = await bench.upload(bytes, "wrong", ".zip");
  await assert.rejects(
    bench.ingestion.ingestAndWait({ provider: "local", filepath }, contextOf(ALICE)),
    (error: unknown) => error instanceof ServiceError && /complex Sentinel-1 product/.test(error.message),
  );
});
