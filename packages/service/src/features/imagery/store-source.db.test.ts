import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import { formatInstant } from "@swath/kernel/time/instant";
import { areaKm2, roundAreaKm2 } from "@swath/kernel/geometry/area";
import { clockwiseExteriors } from "@swath/kernel/geometry/canonical";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { conformsToSource } from "@swath/raster/source/scene-source.conformance";
import type { SceneSource } from "@swath/raster/source/scene-source";
import { searchFrame, type Hit } from "./hit.ts";
import { toRow, toScene } from "./scene-record.ts";
import * as store from "./store.ts";
import { tableHits } from "./table-hits.ts";

const PROVIDER = "local";
const DATASET = "uploads";
const START = Date.UTC(2025, 0, 1);
const HOUR_MS = 3_600_000;

function square(west: number, south: number): MultiPolygon {
  const [east, north] = [west + 1, south + 1];
  return { type: "MultiPolygon", coordinates: [boundsPolygon([west, south, east, north]).coordinates] };
}

/** Groups of three share a second; some lie beside the extent. */
function scenes(): readonly Scene[] {
  return Array.from({ length: 40 }, (_, i): Scene => {
    const footprint = square(10 + (i % 7) * 0.4, 50);
    return {
      sceneId: sceneId(PROVIDER, DATASET, `s${i}`),
      foreignId: `s${i}`,
      provider: PROVIDER,
      dataset: DATASET,
      satellite: "test",
      datetime: formatInstant(START + Math.floor(i / 3) * HOUR_MS),
      crsEpsg: 4326,
      footprint,
      areaKm2: roundAreaKm2(areaKm2(footprint)),
      bands: [],
    };
  });
}

/** The table behind the port of sources, as searches read it. */
async function openStore(isSparse: boolean): Promise<SceneSource> {
  const database = await testDatabase();
  const { db } = database;
  const datasetKey = await store.ensureDataset(db, PROVIDER, DATASET);
  await store.insertScenes(
    db,
    scenes().map((scene) => toRow({ scene, raster: null, contentHash: null }, datasetKey)),
  );
  const sceneOf = async (id: string): Promise<Scene | null> => {
    const row = await store.readScene(db, id);
    const found = scenes().find((one) => one.sceneId === id);
    return row === null || found === undefined ? null : toScene(row.document, clockwiseExteriors(found.footprint));
  };
  return {
    isComputed: true,
    async search({ extent, fromMs, toMs, after, limit }, signal) {
      const frame = searchFrame(
        {
          datasets: [],
          names: new Map(),
          extent,
          threshold: { of: "extent", ratio: 0 },
          from: fromMs,
          to: toMs === null ? null : toMs - 1,
          limit: limit - 1,
          cursor: null,
          onlyIngested: false,
          onlyDownloadable: false,
          forceRefresh: false,
          simplified: false,
          counted: false,
        },
        after,
      );
      const hits: Hit[] = [];
      const scope = { datasetKeys: [datasetKey], pixels: "any" as const, withClipped: true, audiences: null, isSparse };
      for await (const some of tableHits(db, frame, scope, START + 1000 * HOUR_MS, signal)) hits.push(...some);
      const found = await Promise.all(hits.map(({ key }) => sceneOf(key.sceneId)));
      return { scenes: found.flatMap((scene) => scene ?? []), end: hits.length < limit };
    },
    async scene(id, signal) {
      signal.throwIfAborted();
      return sceneOf(id);
    },
    open: () => Promise.reject(new Error("the scenes of this test have no pixels")),
    thumbnail: () => Promise.resolve(null),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

const kinds = [
  { name: "the store", isSparse: false },
  { name: "the store where few scenes are expected", isSparse: true },
];
for (const { name, isSparse } of kinds) {
  conformsToSource({
    name,
    open: () => openStore(isSparse),
    provider: PROVIDER,
    dataset: DATASET,
    extent: square(10.5, 50.2),
    fromMs: START,
    toMs: START + 30 * HOUR_MS,
    hasPixels: false,
    absentSceneId: sceneId(PROVIDER, DATASET, "absent"),
  });
}
