import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Scene } from "@swath/kernel/scenes/scene";
import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import { hrefOfAsset } from "@swath/raster/scene-metadata/stac-item";
import { sceneOfItem } from "../stac/item-scene.ts";
import type { ItemAddresses } from "./item-hosts.ts";
import type { SelectAssets } from "./kept-selection.ts";
import { registeredSceneId, type ItemTarget } from "./registered-id.ts";

type Json = Readonly<Record<string, unknown>>;

/** An item that can be registered. */
export interface RegisteredItem {
  readonly itemId: string;
  readonly scene: Scene;
  /** JSON of the members of the item that its pixels and its document need. */
  readonly text: string;
}

/** The item, or the reason for its refusal. */
export type ItemVerdict = RegisteredItem | { readonly itemId: string | null; readonly refusal: string };

export const MAX_ITEM_CHARACTERS = 1_000_000;
const MAX_ID_CHARACTERS = 256;
const MAX_POSITIONS = 10_000;
const MAX_KEPT_CHARACTERS = 100_000;

/** Reads an item for a dataset. Files are judged by their addresses alone: nothing is asked. */
export async function readItem(
  json: unknown,
  target: ItemTarget,
  addresses: ItemAddresses,
  select: SelectAssets,
): Promise<ItemVerdict> {
  const id: unknown = isRecord(json) ? json["id"] : null;
  const itemId = typeof id === "string" ? id : null;
  const fault = isRecord(json) ? faultOf(json) : "is no object, expected a STAC item";
  if (fault !== null || itemId === null || !isRecord(json)) return { itemId: shown(itemId), refusal: fault ?? "" };
  const config = { provider: target.provider, dataset: target.dataset, collections: [] };
  const read = await sceneOfItem({ ...json, collection: "" }, config, select);
  if (typeof read === "string") return { itemId, refusal: REASONS[read] ?? read };
  const { files } = read.selection;
  if (files.length === 0) return { itemId, refusal: "has no asset that is a GeoTIFF of data" };
  try {
    for (const { asset } of files) if (!addresses.allows(asset.href)) addresses.require(asset.href);
  } catch (error) {
    if (error instanceof ServiceError || error instanceof RangeError) return { itemId, refusal: error.message };
    throw error;
  }
  const scene: Scene = { ...read.scene, sceneId: registeredSceneId(target, itemId), foreignId: itemId };
  const text = JSON.stringify(keptMembers(json, scene, addresses));
  if (text.length > MAX_KEPT_CHARACTERS) {
    return { itemId, refusal: `has more than ${MAX_KEPT_CHARACTERS} characters of properties and assets` };
  }
  return { itemId, scene, text };
}

const REASONS: Readonly<Record<string, string>> = {
  "no identifier": "has no id",
  "no datetime": "has neither datetime nor start_datetime",
  "no geometry": "has no geometry and no bbox with an area",
};

/** The fault of an item that its form shows; null without one. */
function faultOf(json: Json): string | null {
  const { id, type, geometry, properties } = json;
  if (typeof id !== "string" || id === "") return "has no id, expected a text";
  if (id.length > MAX_ID_CHARACTERS)
    return `has an id of ${id.length} characters, expected at most ${MAX_ID_CHARACTERS}`;
  if (hasControlCharacters(id) || !id.isWellFormed()) return "has control characters in its id";
  if (type !== "Feature") return "is no GeoJSON Feature";
  if (!isRecord(properties)) return "has no properties";
  if (!isRecord(json["assets"])) return "has no assets";
  const positions = countPositions(geometry);
  return positions > MAX_POSITIONS
    ? `has a geometry of ${positions} positions, expected at most ${MAX_POSITIONS}`
    : null;
}

function countPositions(value: unknown): number {
  if (!Array.isArray(value)) return isRecord(value) ? countPositions(value["coordinates"] ?? value["geometries"]) : 0;
  if (typeof value[0] === "number") return 1;
  let sum = 0;
  for (const one of value) sum += countPositions(one);
  return sum;
}

/** Without links, foreign members and assets at other hosts; the geometry is the footprint of the scene. */
function keptMembers(json: Json, scene: Scene, { allows }: ItemAddresses): Json {
  const assets = Object.entries(isRecord(json["assets"]) ? json["assets"] : {}).filter(([, asset]) => {
    const href = isRecord(asset) ? hrefOfAsset(asset) : undefined;
    return href !== undefined && allows(href);
  });
  return {
    type: "Feature",
    stac_version: json["stac_version"] ?? "1.1.0",
    id: json["id"],
    geometry: scene.footprint,
    properties: json["properties"],
    assets: Object.fromEntries(assets),
  };
}

function shown(itemId: string | null): string | null {
  if (itemId === null) return null;
  const start = itemId.slice(0, MAX_ID_CHARACTERS);
  return hasControlCharacters(start) ? null : start;
}

/** Characters that no link, log or terminal takes as they are: C0, DEL and the separators of lines of Unicode. */
function hasControlCharacters(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f || code === 0x2028 || code === 0x2029) return true;
  }
  return false;
}
