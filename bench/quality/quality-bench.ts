import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { PlacedObject } from "../../packages/maps/src/analysis/placed-object.ts";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { buildScene } from "../../packages/service/src/features/ingestion/build-scene.ts";
import { storeBands } from "../../packages/service/src/features/ingestion/store-bands.ts";
import type { ResultOutcome } from "../../packages/service/src/features/maps/analysis/results.ts";
import { testResults } from "../../packages/service/src/features/maps/analysis/testing.ts";
import { releasedPart } from "../../packages/service/src/features/maps/released-part.ts";
import { createAreas } from "../../packages/service/src/platform/geometry/areas.ts";
import type { InstalledModel, ModelLimits } from "../../packages/maps/src/models/runtime/installed-model.ts";
import { createMapTypes, type MapTypes } from "../../packages/maps/src/registry.ts";
import { openFsBlobStore } from "../../packages/base/src/blobs/fs-blob-store.ts";
import { systemClock } from "../../packages/base/src/clock.ts";
import { testDatabase } from "../../packages/service/src/platform/postgres/testing.ts";
import type { GridFile, GridRequest } from "../../packages/maps/src/render/grid-renderer.ts";
import { createGridRenderer } from "../../packages/maps/src/render/create-grid-renderer.ts";
import type { PixelArray } from "../../packages/raster/src/source-raster.ts";
import { memoryRaster } from "../../packages/raster/src/store/memory-raster.ts";
import { readUpload } from "../../packages/raster/src/store/read-upload.ts";
import { draftScene, type SceneDraft } from "../../packages/raster/src/store/scene-draft.ts";
import { openStoredRaster } from "../../packages/raster/src/store/stored-raster.ts";
import { openWorkFolders } from "../../packages/service/src/platform/uploads/work-folders.ts";
import { createSimulatorSource } from "../../packages/simulator/src/simulator-source.ts";
import { sceneOfModel } from "../../packages/simulator/src/scene-of-model.ts";
import type { SceneModel } from "../../packages/simulator/src/scene-model.ts";

/** A tile of a network on a loaded machine, and a network with its tensors. */
const MODEL_LIMITS: ModelLimits = { timeoutMs: 120_000, memoryBytes: 4 * 1024 ** 3 };

/** One layer of a result. */
export interface Plane {
  readonly name: string;
  readonly pixels: PixelArray;
  readonly band: StoredBand;
}

/** What a map type makes of scenes. */
export interface MapResult {
  readonly planes: readonly Plane[];
  readonly objects: readonly PlacedObject[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What grid files of it are drawn from. */
  readonly drawn: Pick<GridRequest, "raster" | "result">;
}

type MapOutcome =
  | { readonly kind: "ready"; readonly result: MapResult }
  /** The map type is not registered, or does not take the scenes. */
  | { readonly kind: "refused"; readonly reason: string };

/** Pixels and where they are. */
interface PlacedGrid {
  readonly pixels: Float32Array;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Outer corner in the north-west. */
  readonly west: number;
  readonly north: number;
  /** Of a pixel. */
  readonly degrees: number;
}

/** The service's own path from files to results, without HTTP. */
export interface QualityBench extends AsyncDisposable {
  readonly mapTypes: MapTypes;
  /** A file as an upload becomes a scene; `document` is its scene.json. */
  ingest(path: string, document?: Readonly<Record<string, unknown>>): Promise<StoredScene>;
  /** The part of a simulated scene around an extent. */
  simulate(model: SceneModel, extent: MultiPolygon): Promise<StoredScene>;
  /** A grid of longitude and latitude with one band of that name, NaN where it has no data. */
  place(grid: PlacedGrid, bandName: string): Promise<StoredScene>;
  /** Runs a map type on scenes in the order of their times; over the whole of them unless an area is given. */
  run(mapTypeId: string, scenes: readonly StoredScene[], area?: MultiPolygon): Promise<MapOutcome>;
  render(request: GridRequest): Promise<GridFile>;
  /** All pixels of bands of a scene in the store that share one grid. */
  pixels(bands: readonly StoredBand[]): Promise<readonly PixelArray[]>;
}

const INGESTED_AT_MS = Date.UTC(2026, 0, 1);
const TILE_THREADS = 2;
const BLOCK_CACHE_BYTES = 64 * 1024 * 1024;

/** @param installed models that map types may use */
export async function openQualityBench(installed: readonly InstalledModel[] = []): Promise<QualityBench> {
  const mapTypes = createMapTypes(installed.map(({ manifest }) => manifest));
  const models = installed.length === 0 ? null : { installed, limits: MODEL_LIMITS };
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "swath-quality-"));
  stack.defer(async () => rm(folder, { recursive: true, force: true }));
  const clock = systemClock;
  const { db } = stack.use(await testDatabase());
  const blobs = stack.use(await openFsBlobStore(join(folder, "blobs"), clock));
  const folders = await openWorkFolders(join(folder, "work"), clock);
  const renderer = stack.use(
    createGridRenderer({ blobs, workers: TILE_THREADS, cacheBytes: BLOCK_CACHE_BYTES, s3: null }),
  );
  const simulator = stack.use(createSimulatorSource({ clock }));
  const { results } = stack.use(await testResults(db, clock, blobs, models));
  const { signal } = new AbortController();
  let count = 0;

  async function store(
    identity: { readonly sceneId: string; readonly provider: string; readonly dataset: string },
    draft: (work: string) => Promise<SceneDraft>,
  ): Promise<StoredScene> {
    count += 1;
    const name = `scene${count}`;
    const work = await folders.create(name, 1);
    try {
      const made = await draft(work);
      const keys = await storeBands(blobs, made, `scenes/${name}/`, signal);
      return buildScene(made, { ...identity, contentHash: `${name}${"0".repeat(32)}` }, keys);
    } finally {
      await folders.remove(work);
    }
  }

  async function pixels(bands: readonly StoredBand[]): Promise<readonly PixelArray[]> {
    await using raster = await openStoredRaster(blobs, bands);
    return await raster.readRows(0, raster.heightPx, signal);
  }

  async function read(outcome: ResultOutcome): Promise<MapOutcome> {
    if (outcome.kind === "refused") {
      return { kind: "refused", reason: `${outcome.errorCode}: ${outcome.errorMessage}` };
    }
    const { raster, metadata } = outcome.result;
    const objects = await results.objects(outcome.result);
    const planes: Plane[] = [];
    for (const [index, band] of raster.bands.entries()) {
      const [plane] = await pixels([band]);
      if (plane !== undefined) planes.push({ name: String(index), pixels: plane, band });
    }
    return { kind: "ready", result: { planes, objects, metadata, drawn: { raster, result: { objects, metadata } } } };
  }

  const opened = stack.move();
  return {
    mapTypes,
    ingest: async (path, document) =>
      store({ sceneId: `local-uploads-${basename(path)}`, provider: "local", dataset: "uploads" }, async (work) =>
        readUpload(
          {
            path,
            name: basename(path),
            suffix: ".geotiff",
            document: document ?? null,
            ingestedAtMs: INGESTED_AT_MS,
            folder: work,
          },
          signal,
        ),
      ),

    simulate: async (model, extent) =>
      store(model, async (work) => {
        await using scene = await simulator.open(sceneOfModel(model, null), { extent }, signal);
        return await draftScene(scene.rasters, scene.metadata, { folder: work, signal });
      }),

    place: async ({ pixels: plane, widthPx, heightPx, west, north, degrees }, bandName) => {
      const name = `grid${count + 1}.tif`;
      return await store({ sceneId: `local-uploads-${name}`, provider: "local", dataset: "uploads" }, async (work) => {
        const raster = memoryRaster({
          widthPx,
          heightPx,
          bands: [plane],
          nodata: Number.NaN,
          transform: [degrees, 0, west, 0, -degrees, north],
          crs: { epsg: 4326, proj4: "+proj=longlat +datum=WGS84 +no_defs", name: "WGS 84", datumShiftKnown: true },
        });
        const band = {
          raster: 0,
          band: 0,
          names: [bandName],
          role: null,
          wavelengthNm: null,
          gsdM: null,
          nodata: Number.NaN,
        };
        const metadata = {
          foreignId: name,
          satellite: "made",
          datetime: "2024-01-01 00:00:00",
          datetimeSource: "document",
          bands: [{ ...band, quantity: "other" }],
        } as const;
        return await draftScene([{ name, raster }], metadata, { folder: work, signal });
      });
    },

    async run(mapTypeId, scenes, area) {
      const mapType = mapTypes.find(mapTypeId);
      if (mapType?.analysis === undefined) return { kind: "refused", reason: `there is no map type ${mapTypeId}` };
      const [first] = scenes;
      if (first === undefined) throw new RangeError("a map needs a scene");
      for (const { scene, raster } of scenes) {
        const acceptance = mapType.accepts(
          scene,
          raster.bands.map(({ role }) => role),
        );
        if (!acceptance.accepted) return { kind: "refused", reason: acceptance.errorMessage };
      }
      const { analysis } = mapType;
      await using areas = createAreas();
      const released = area ?? first.scene.footprint;
      const footprints = scenes.map(({ scene }) => scene);
      const { inside } = await releasedPart(areas, footprints, released, signal);
      const outcome = await read(await results.ensure({ mapType, analysis, scenes, inside }, signal));
      if (outcome.kind === "refused") return outcome;
      const planes = outcome.result.planes.map((plane, i) => ({
        ...plane,
        name: analysis.layers[i]?.name ?? plane.name,
      }));
      return { kind: "ready", result: { ...outcome.result, planes } };
    },

    render: async (request) => renderer.render(request, signal),
    pixels,
    [Symbol.asyncDispose]: async () => opened.disposeAsync(),
  };
}
