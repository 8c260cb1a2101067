import { readFileSync } from "node:fs";
import type { Position } from "@swath/kernel/geometry/geojson";
import type { PixelArray } from "../../packages/raster/src/source-raster.ts";
import { sampleData } from "../../packages/base/src/sample-data.ts";
import { fileSource } from "../../packages/raster/src/tiff/byte-sources.ts";
import { openTiff } from "../../packages/raster/src/tiff/open.ts";

export const SENTINEL_2_L2A = {
  sensor: "sentinel-2",
  satellite: "SENTINEL-2",
  datetime: "2020-07-01T10:00:00Z",
  bands: "B01,B02,B03,B04,B05,B06,B07,B08,B8A,B09,B11,B12",
} as const;

export const SENTINEL_1_RTC = {
  sensor: "sentinel-1",
  satellite: "SENTINEL-1",
  datetime: "2020-07-01T10:00:00Z",
  mode: "IW",
  bands: "VV,VH",
} as const;

/** All pixels of every band of a local file. */
export async function filePixels(
  path: string,
): Promise<{ readonly widthPx: number; readonly heightPx: number; readonly bands: readonly PixelArray[] }> {
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  const { widthPx, heightPx } = raster;
  const bands = await raster.readRows(0, heightPx, new AbortController().signal);
  return { widthPx, heightPx, bands: bands.map((band) => band.slice()) };
}

export interface TruthFeature {
  readonly centre: Position;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Points of a truth file of the samples, null where they are absent. */
export function truthPoints(...segments: readonly string[]): readonly TruthFeature[] | null {
  const path = sampleData(...segments);
  if (path === null) return null;
  const { features } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly features: readonly {
      readonly properties: Readonly<Record<string, unknown>>;
      readonly geometry: { readonly coordinates: Position };
    }[];
  };
  return features.map(({ properties, geometry }) => ({ centre: geometry.coordinates, properties }));
}
