import { isRecord } from "@swath/raster/scene-metadata/json-reader";

type Json = Readonly<Record<string, unknown>>;

/** Members of an asset that do not change its pixels: the header of the file decides them. */
const GRID = new Set(["proj:bbox", "proj:code", "proj:epsg", "proj:shape", "proj:transform"]);

/** Whether two items have the same files with the same bands. */
export function haveSameFiles(one: Json, other: Json): boolean {
  return isSame(filesOf(one), filesOf(other));
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

/** Values of JSON, whatever the order of members. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}
