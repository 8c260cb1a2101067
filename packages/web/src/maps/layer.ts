import type { Client } from "@swath/client";
import type { ShownLayer } from "../console-state.ts";
import { formatDrawing } from "./drawing.ts";

/** Facts about a map. */
export interface MapFacts {
  readonly mapType: string;
  readonly sceneId: string | null;
  readonly tiles: readonly (readonly [zoom: number, x: number, y: number])[];
  readonly maxZoom: number;
  readonly histogram: { readonly min: number; readonly max: number; readonly counts: readonly number[] } | null;
  /** Whether the map has detected objects. */
  readonly hasObjects: boolean;
  /** [red, green, blue] by class. */
  readonly colours: Readonly<Record<string, readonly number[]>>;
}

/** The deepest zoom that is asked for where the service does not say that of the map. */
const DEEPEST_ZOOM = 18;

/** Address of the tiles of a layer, with `{z}`, `{x}` and `{y}`. */
export function tileUrl({ mapId, fileName, drawing }: Pick<ShownLayer, "mapId" | "fileName" | "drawing">): string {
  const query = drawing === undefined ? "" : `?${formatDrawing(drawing)}`;
  return `/mapsvc/grid/${mapId}/-/{z}/{x}/{y}/${encodeURIComponent(fileName)}${query}`;
}

/** Address of the facts about the first tile of a map. */
export function metadataUrl(mapId: string): string {
  const [zoom, x, y] = readMapId(mapId)?.tiles[0] ?? [0, 0, 0];
  return `/mapsvc/grid/${mapId}/-/${zoom}/${x}/${y}/metadata.json`;
}

/** Released tiles and map type of a map, which its identifier tells; null for a text that is no map ID. */
export function readMapId(mapId: string): Pick<MapFacts, "mapType" | "tiles"> | null {
  try {
    const payload = (mapId.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isMapClaims(claims)) return null;
    return { mapType: claims.mapType, tiles: claims.tiles.map(({ zoom, x, y }) => [zoom, x, y] as const) };
  } catch {
    return null;
  }
}

interface MapClaims {
  readonly mapType: string;
  readonly tiles: readonly { readonly zoom: number; readonly x: number; readonly y: number }[];
}

function isMapClaims(value: unknown): value is MapClaims {
  if (typeof value !== "object" || value === null || !("mapType" in value) || !("tiles" in value)) return false;
  return (
    typeof value.mapType === "string" &&
    Array.isArray(value.tiles) &&
    value.tiles.length > 0 &&
    value.tiles.every(
      (tile: unknown) =>
        typeof tile === "object" &&
        tile !== null &&
        ["zoom", "x", "y"].every((name) => Number.isInteger(Reflect.get(tile, name))),
    )
  );
}

/** Reads what a map is made of. @throws {ApiError} when the map is not available */
export async function loadFacts(calls: Client, mapId: string): Promise<MapFacts> {
  const read = readMapId(mapId);
  const [first] = read?.tiles ?? [];
  if (read === null || first === undefined) throw new TypeError("expected a map ID");
  const [legend, metadata] = await Promise.all([
    calls.get("/mapsvc/map-types/:map_id", { map_id: mapId }),
    loadMetadata(mapId, first),
  ]);
  return {
    ...read,
    maxZoom: legend.maxZoom ?? DEEPEST_ZOOM,
    ...metadata,
    colours: legend.segmentationMetadata?.segmentationColors ?? {},
  };
}

async function loadMetadata(
  mapId: string,
  [zoom, x, y]: readonly [number, number, number],
): Promise<Pick<MapFacts, "hasObjects" | "histogram" | "sceneId">> {
  const answer = await fetch(`/mapsvc/grid/${mapId}/-/${zoom}/${x}/${y}/metadata.json`);
  if (answer.status !== 200) return { hasObjects: false, histogram: null, sceneId: null };
  const read = (await answer.json()) as Partial<Pick<MapFacts, "histogram" | "sceneId">> & {
    readonly features?: unknown;
  };
  return { hasObjects: read.features !== undefined, histogram: read.histogram ?? null, sceneId: read.sceneId ?? null };
}
