import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { sceneFixture } from "@swath/maps/render/testing";

/** A scene of two rain rates in the store, 10 m pixels of UTM zone 32N from 9 degrees east and 49.65 degrees north. */
export interface RainScene {
  readonly stored: StoredScene;
  /** What `precipitation` must say of a pixel. */
  readonly valueAt: (column: number, row: number) => number;
}

function adjusted(column: number, row: number): number {
  return (column * 7 + row * 3) % 50 === 0 ? -99 : (column % 40) / 4;
}

function plain(column: number, row: number): number {
  return (column + row) % 30 === 0 ? -99 : Math.fround((row % 25) / 5);
}

/** Places without an adjusted rate are marked by -99. */
export async function rainScene(
  blobs: BlobStore,
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
): Promise<RainScene> {
  const plane = (value: (column: number, row: number) => number): Float32Array =>
    Float32Array.from({ length: widthPx * heightPx }, (_, i) => value(i % widthPx, Math.floor(i / widthPx)));
  await using fixture = await sceneFixture({
    widthPx,
    heightPx,
    bands: [plane(adjusted), plane(plain)],
    roles: [null, null],
    scene: {
      footprint: {
        type: "MultiPolygon",
        coordinates: [
          [
            [
              [9, 49.58],
              [9.18, 49.58],
              [9.18, 49.65],
              [9, 49.65],
              [9, 49.58],
            ],
          ],
        ],
      },
    },
  });
  const { stored } = fixture;
  for (const { key } of stored.raster.bands) {
    await blobs.put(key, await readFile(join(fixture.folder, key)));
  }
  const names = ["hourlyPrecipRateGC", "hourlyPrecipRate"];
  return {
    stored: {
      ...stored,
      scene: { ...stored.scene, bands: stored.scene.bands.map((band, i) => ({ ...band, names: [names[i] ?? ""] })) },
    },
    valueAt: (column, row) => {
      const first = adjusted(column, row);
      if (first >= 0) return first;
      const second = plain(column, row);
      return second >= 0 ? second : Number.NaN;
    },
  };
}
