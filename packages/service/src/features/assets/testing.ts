import { readFile } from "node:fs/promises";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { writtenCogs } from "@swath/raster/testing/written-cog";
import type { StacBench } from "../stac/testing.ts";
import { testScene, type TestSceneOptions } from "../credits/testing.ts";

const SIDE_PX = 600;

/** Pixels of a band that no two of its neighbours share. */
function testPixels(band: number): Uint16Array {
  return Uint16Array.from({ length: SIDE_PX * SIDE_PX }, (_, i) => 1 + ((i * 31 + band * 977) % 4093));
}

export interface PlacedScene {
  readonly sceneId: string;
  /** Bytes of the COGs in the order of the bands. */
  readonly cogs: readonly Uint8Array[];
}

/** A scene with two real COGs in the store, blue and red. */
export async function placeScene(
  { blobs, imagery }: Pick<StacBench, "blobs" | "imagery">,
  local: string,
  options: TestSceneOptions & { readonly owner?: string } = {},
): Promise<PlacedScene> {
  const bounds: Bounds = options.bounds ?? [14, 50, 14.06, 50.06];
  const made = testScene(local, { ...options, bounds, roles: ["B", "R"] });
  const transform: Affine = [
    (bounds[2] - bounds[0]) / SIDE_PX,
    0,
    bounds[0],
    0,
    (bounds[1] - bounds[3]) / SIDE_PX,
    bounds[3],
  ];
  await using written = await writtenCogs({
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
    bands: [testPixels(0), testPixels(1)],
    nodata: 0,
    transform,
    crs: { epsg: 4326, proj4: made.raster.proj4, name: "WGS 84", datumShiftKnown: true },
  });
  const cogs = await Promise.all(written.paths.map((path) => readFile(path)));
  const bands = made.raster.bands.map((band, index) => ({
    ...band,
    key: `scenes/${local}/b${index}.tif`,
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
    geotransform: transform,
    sizeBytes: cogs[index]?.byteLength ?? 0,
  }));
  for (const [index, { key }] of bands.entries()) await blobs.put(key, cogs[index] ?? new Uint8Array());
  const names = [
    ["Blue", "blue"],
    ["Red", "red"],
  ];
  const scene = {
    ...made.scene,
    bands: made.scene.bands.map((band, index) => ({ ...band, names: names[index] ?? [] })),
  };
  const { owner } = options;
  await imagery.insertScenes([
    {
      ...made,
      scene,
      raster: { ...made.raster, bands },
      ...(owner === undefined ? {} : { rights: { owner, audience: owner } }),
    },
  ]);
  return { sceneId: scene.sceneId, cogs };
}
