import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { multiPolygonAreaKm2 } from "@swath/kernel/geometry/area";
import { RasterError } from "../raster-error.ts";
import { readSceneMetadata } from "../scene-metadata/read-scene-metadata.ts";
import type { SourceRaster } from "../source-raster.ts";
import { memoryRaster, type MemoryRasterOptions } from "./memory-raster.ts";
import { draftScene, type NamedRaster, type SceneDraft } from "./scene-draft.ts";

const { signal } = new AbortController();
const SIDE_PX = 64;

async function draft(options: Partial<MemoryRasterOptions>): Promise<SceneDraft> {
  const raster = memoryRaster({
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
    bands: [new Float32Array(SIDE_PX ** 2).fill(5)],
    ...options,
  });
  return await draftAll([{ name: "a.tif", raster }]);
}

async function draftAll(rasters: readonly NamedRaster[]): Promise<SceneDraft> {
  const folder = await mkdtemp(join(tmpdir(), "scene-draft-"));
  try {
    const metadata = await readSceneMetadata(
      { name: "a.tif", rasters, document: null, ingestedAt: new Date("2026-01-02T03:04:05Z") },
      signal,
    );
    return await draftScene(rasters, metadata, { folder, signal });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const transform = (pixelM: number) => [pixelM, 0, 500_000, 0, -pixelM, 5_500_000] as const;
const refused = (reason: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof RasterError, String(error));
  assert.equal(error.reason, reason);
  assert.match(error.message, message);
  return true;
};

test("pixels that are not finite are not valid: they belong to no footprint", async () => {
  const half = new Float32Array(SIDE_PX ** 2).fill(5).fill(Number.POSITIVE_INFINITY, SIDE_PX ** 2 / 2);
  const areaKm2 = multiPolygonAreaKm2((await draft({ bands: [half] })).footprint.coordinates);
  // 64 x 32 pixels of 10 m on the central meridian, where the scale is 0.9996.
  const expectedKm2 = (0.64 * 0.32) / 0.9996 ** 2;
  assert.ok(Math.abs(areaKm2 / expectedKm2 - 1) < 0.001, `${areaKm2} km2`);
  const nothing = new Float32Array(SIDE_PX ** 2).fill(Number.NEGATIVE_INFINITY);
  await assert.rejects(draft({ bands: [nothing] }), refused("unreadable", /no pixel of the image is valid/));
});

test("an image smaller than a square metre is refused with what it covers", async () => {
  await assert.rejects(draft({ transform: transform(0.01) }), refused("unsupported", /covers 0\.41 m2/));
  await assert.rejects(draft({ transform: transform(1e-6) }), refused("unsupported", /covers 4\.1e-9 m2/));
  assert.ok(await draft({ transform: transform(0.02) }));
});

test("a position that is none is refused before a pixel of any file is read", async () => {
  const bands = [new Float32Array(SIDE_PX ** 2).fill(5)];
  const size = { widthPx: SIDE_PX, heightPx: SIDE_PX, bands };
  let reads = 0;
  const good: SourceRaster = {
    ...memoryRaster(size),
    readRows: async () => {
      reads += 1;
      return bands;
    },
  };
  for (const heightM of [-1e300, 1e300]) {
    const broken = {
      ...good,
      georeference: memoryRaster({ ...size, transform: [10, 0, 5e5, 0, heightM, 0] }).georeference,
    };
    const rasters = [
      { name: "a.tif", raster: good },
      { name: "b.tif", raster: broken },
    ];
    await assert.rejects(
      draftAll(rasters),
      refused("unreadable", /b\.tif has a corner or point at 500000, -?[\d.]+e\+30/),
    );
  }
  assert.equal(reads, 0);
});

test("bands are never named by text that cannot be stored", async () => {
  const { metadata } = await draft({ descriptions: ["re\0d\ud800"] });
  for (const name of metadata.bands.flatMap(({ names }) => names)) {
    assert.ok(name.isWellFormed() && !name.includes("\0"), JSON.stringify(name));
  }
});
