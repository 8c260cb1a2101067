import { isRecord } from "@swath/raster/scene-metadata/json-reader";

/** The value after a JSON merge patch. @see RFC 7396 */
export function mergePatch(value: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged = new Map(Object.entries(isRecord(value) ? value : {}));
  for (const [name, member] of Object.entries(patch)) {
    if (member === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), member));
  }
  return Object.fromEntries(merged);
}
