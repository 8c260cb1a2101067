import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import { fileOf, movedAssets } from "@swath/raster/scene-metadata/stac-item";
import { sensorOfName } from "@swath/raster/scene-metadata/sensors";
import { selectAssets, type Selection } from "../stac/select-assets.ts";

type Json = Readonly<Record<string, unknown>>;

/** Chooses the bands of items, as `selectAssets`. */
export type SelectAssets = typeof selectAssets;

/** Properties of an item that decide about its bands. */
const READ = [
  "bands",
  "eo:bands",
  "earthsearch:boa_offset_applied",
  "processing:version",
  "s2:processing_baseline",
  "s2:product_uri",
] as const;
/** Members of an asset that differ from item to item and do not decide. */
const UNREAD = new Set(["href", "alternate", "created", "updated", "description", "title"]);
const UNREAD_PREFIX = /^(?:file|proj|checksum|storage|auth):/u;
const MAX_KEPT = 500;

/**
 * Chooses bands once for items that differ in nothing that decides: items of a catalogue hardly ever do. A choice is
 * taken over only where the names of files, without the identifier of the item, are equal as well.
 */
export function keptSelection(): SelectAssets {
  const kept = new Map<string, Selection>();
  return (item, properties, platform, config) => {
    const key = keyOf(item, properties, platform);
    if (key === null) return selectAssets(item, properties, platform, config);
    const known = kept.get(key);
    if (known !== undefined) return withFilesOf(known, item);
    const selection = selectAssets(item, properties, platform, config);
    // The name of a single band may be the name of its file.
    if (selection.bands.length < 2) return selection;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, selection);
    return selection;
  };
}

/** Null for items that are not alike. */
function keyOf(item: Json, properties: Json, platform: string | null): string | null {
  const { id, assets } = item;
  if (typeof id !== "string" || !isRecord(assets)) return null;
  const parts: unknown[] = [platform, sensorOfName(id)?.sensor.id, /^L[CO]0[89]_L1/i.test(id)];
  for (const name of READ) parts.push(properties[name]);
  for (const [key, asset] of Object.entries(assets)) {
    if (!isRecord(asset)) return null;
    const members: unknown[] = [key];
    for (const [name, value] of Object.entries(asset)) {
      if (name === "href") members.push(typeof value === "string" ? fileOf(value).replace(id, "") : value);
      else if (name === "proj:shape" || name === "proj:transform") members.push(name, first(value));
      else if (!UNREAD.has(name) && !UNREAD_PREFIX.test(name)) members.push(name, value);
    }
    parts.push(members);
  }
  return JSON.stringify(parts);
}

/** The number that decides which of two files of a band is finer. */
function first(value: unknown): unknown {
  return Array.isArray(value) ? [value[0], value[1]] : value;
}

function withFilesOf(selection: Selection, item: Json): Selection {
  const moved = movedAssets(
    selection.files.map(({ asset }) => asset),
    item,
  );
  return {
    ...selection,
    files: selection.files.map((file, index) => ({ ...file, asset: moved[index] ?? file.asset })),
  };
}
