import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";

type Json = Readonly<Record<string, unknown>>;

/** Members of an asset that do not change its pixels: the header of the file decides them. */
const GRID = new Set(["proj:bbox", "proj:code", "proj:epsg", "proj:shape", "proj:transform"]);

/** Whether two items have the same files with the same bands. */
export function haveSameFiles(one: Json, other: Json): boolean {
  return isDeepStrictEqual(filesOf(one), filesOf(other));
}

function filesOf({ assets }: Json): Json {
  if (!isRecord(assets)) return {};
  return Object.fromEntries(
    Object.entries(assets).map(([key, asset]) => [
      key,
      isRecord(asset) ? Object.fromEntries(Object.entries(asset).filter(([name]) => !GRID.has(name))) : asset,
    ]),
  );
}
